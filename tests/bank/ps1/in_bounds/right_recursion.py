def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    if not size:
        return 0 <= storage_offset < storage_length
    return all(
        in_bounds(size[1:], stride[1:], storage_offset + i * stride[0], storage_length)
        for i in {0, size[0] - 1}
    )
