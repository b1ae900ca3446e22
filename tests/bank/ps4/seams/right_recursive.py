def seams(size, stride, first=0):
    if len(size) < 2:
        return []
    if size[0] == 1:
        return seams(size[1:], stride[1:], first + 1)
    if size[1] == 1:
        # Pull the left dim over the one that does not matter; it keeps its own number.
        inner = seams((size[0],) + size[2:], (stride[0],) + stride[2:], first + 1)
        return [first if d == first + 1 else d for d in inner]
    here = [] if stride[0] == size[1] * stride[1] else [first]
    return here + seams(size[1:], stride[1:], first + 1)
