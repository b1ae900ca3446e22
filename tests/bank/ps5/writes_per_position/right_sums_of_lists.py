def writes_per_position(size, stride, storage_offset, storage_length):
    if size == ():
        return [int(position == storage_offset) for position in range(storage_length)]
    total = [0] * storage_length
    for i in range(size[0]):
        at = storage_offset + i * stride[0]
        part = writes_per_position(size[1:], stride[1:], at, storage_length)
        total = [a + b for a, b in zip(total, part)]
    return total
