def isContiguous(check):
    torch, np = tuple(check.shape), check.stride()
    storage = list(zip(torch, np))

    def draw(rows, expected=1):
        match rows:
            case []:
                return True
            case [*rest, (1, _)]:
                return draw(rest, expected)
            case [*rest, (n, step)]:
                return step == expected and draw(rest, expected * n)

    return 0 in torch or draw(storage)
