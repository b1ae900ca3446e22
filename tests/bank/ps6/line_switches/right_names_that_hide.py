def line_switches(size, stride, storage_offset, itemsize, line):
    def storage(dim, position):
        if dim == len(size):
            yield position // (line // itemsize)
        else:
            for i in range(size[dim]):
                yield from storage(dim + 1, position + i * stride[dim])

    check, count, np = object(), 0, set()
    for now in storage(0, storage_offset):
        count += now != check
        check = now
        np.add(now)
    return count
