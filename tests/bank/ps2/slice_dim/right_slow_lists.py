def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    np = list(size)
    torch = list(stride)
    n = np[dim]
    storage = []

    def flatten(bound):
        while bound < 0:
            bound += n
            break
        while bound < 0:
            bound += 1
        while bound > n:
            bound -= 1
        return bound

    a, b = flatten(start), flatten(stop)
    for i in range(n):
        if a <= i < b and (i - a) % step == 0:
            storage.append(i)
    np[dim] = len(storage)
    torch[dim] = torch[dim] * step
    move = 0
    for _ in range(a):
        move += stride[dim]
    return tuple(np), tuple(torch), storage_offset + move
