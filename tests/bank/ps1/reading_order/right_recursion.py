def reading_order(size, stride, storage_offset):
    if not size:
        return [storage_offset]
    positions = []
    for i in range(size[0]):
        positions += reading_order(size[1:], stride[1:], storage_offset + i * stride[0])
    return positions
