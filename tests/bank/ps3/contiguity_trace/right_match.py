def contiguity_trace(size, stride, expected=1):
    dim = len(size) - 1
    match size:
        case ():
            return []
        case (*_, 1):
            return contiguity_trace(size[:-1], stride[:-1], expected)
        case (*rest, n) if stride[-1] == expected:
            step = (dim, stride[-1], expected, True)
            return [step, *contiguity_trace(tuple(rest), stride[:-1], expected * n)]
        case _:
            return [(dim, stride[-1], expected, False)]
