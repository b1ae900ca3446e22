def in_order(pairs, expected=1):
    match pairs:
        case []:
            return True
        case [(1, _), *rest]:
            return in_order(rest, expected)
        case [(n, step), *rest]:
            return step == expected and in_order(rest, expected * n)


def is_channels_last(size, stride):
    match size, stride:
        case (n, c, h, w), (sn, sc, sh, sw):
            return in_order([(c, sc), (w, sw), (h, sh), (n, sn)])
    return False
