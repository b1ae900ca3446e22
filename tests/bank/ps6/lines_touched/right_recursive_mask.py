def lines_touched(size, stride, storage_offset, itemsize, line):
    per_line = line // itemsize

    def mask(dims, position):
        if not dims:
            return 1 << position // per_line
        (n, s), *rest = dims
        found = 0
        for i in range(n):
            found |= mask(rest, position + i * s)
        return found

    return bin(mask(list(zip(size, stride)), storage_offset)).count("1")
