def writes_per_position(size, stride, storage_offset, storage_length):
    counts = {p: 0 for p in range(storage_length)}

    def write(dim, position):
        if dim == len(size):
            counts[position] += 1
        else:
            for i in range(size[dim]):
                write(dim + 1, position + i * stride[dim])

    write(0, storage_offset)
    return list(counts.values())
