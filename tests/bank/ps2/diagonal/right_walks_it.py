def diagonal(size, stride, storage_offset, offset):
    # walk along until the matrix ends
    i, j = (0, offset) if offset >= 0 else (-offset, 0)
    where = []
    while i < size[0] and j < size[1]:
        where.append(storage_offset + i * stride[0] + j * stride[1])
        i += 1
        j += 1
    if where:
        storage_offset = where[0]
    return (len(where),), (sum(stride),), storage_offset
