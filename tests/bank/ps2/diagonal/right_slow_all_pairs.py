def diagonal(size, stride, storage_offset, offset):
    np = []
    for i in range(size[0]):
        for j in range(size[1]):
            if j - i == offset:
                np.append(storage_offset + i * stride[0] + j * stride[1])
    return (len(np),), (sum(stride),), np[0] if np else storage_offset
