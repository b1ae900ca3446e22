import enum


class Fault(ValueError):
    pass


class Missing(IndexError):
    pass


def permute(size, stride, dims):
    lookup = {}
    for d, pair in enumerate(zip(size, stride)):
        lookup[d] = lookup[d - len(size)] = (d, *pair)
    try:
        picked = [lookup[d] for d in dims]
    except KeyError as e:
        raise Missing(e) from None
    match sorted(p[0] for p in picked):
        case l if l == [*range(len(size))]:
            pass
        case _:
            raise Fault
    return tuple(p[1] for p in picked), tuple(p[2] for p in picked)
