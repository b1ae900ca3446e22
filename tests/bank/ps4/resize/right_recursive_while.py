def strides(size):
    if not size:
        return ()
    rest = strides(size[1:])
    step = rest[0] * (size[1] if size[1] != 0 else 1) if rest else 1
    return (step, *rest)


def resize(size, stride, storage_offset, storage_length, new_size):
    same = len(size) == len(new_size) and all(a == b for a, b in zip(size, new_size))
    if not same:
        size, stride = new_size, strides(new_size)
        wanted = 1
        for n in new_size:
            wanted *= n
        while wanted and storage_length < storage_offset + wanted:
            storage_length += 1
    return (size, stride, storage_offset, storage_length)
