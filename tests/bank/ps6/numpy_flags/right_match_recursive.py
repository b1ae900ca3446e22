def numpy_flags(shape, byte_strides, itemsize):
    def walk(order, expected):
        match order:
            case []:
                return True
            case [(1, _), *rest]:
                return walk(rest, expected)
            case [(n, s), *rest]:
                return s == expected and walk(rest, expected * n)

    check = list(zip(shape, byte_strides))
    return min(shape, default=1) == 0 or walk(check[::-1], itemsize), not all(shape) or walk(
        check, itemsize
    )
