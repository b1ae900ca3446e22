def line_switches(size, stride, storage_offset, itemsize, line):
    # For a part of the tensor: (switches, first line, last line). Parts are joined.
    def part(dim, position):
        if dim == len(size):
            here = position * itemsize // line
            return 1, here, here
        total, first, last = 0, None, None
        for i in range(size[dim]):
            count, begin, end = part(dim + 1, position + i * stride[dim])
            if count == 0:
                continue
            total += count - (total > 0 and begin == last)
            first = begin if first is None else first
            last = end
        return total, first, last

    return part(0, storage_offset)[0]
