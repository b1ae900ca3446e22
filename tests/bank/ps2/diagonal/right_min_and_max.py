def diagonal(size, stride, storage_offset, offset):
    rows, columns = size
    down, right = stride
    row, column = max(-offset, 0), max(offset, 0)
    count = max(0, min(rows - row, columns - column))
    if count:
        storage_offset += row * down + column * right
    return (count,), (down + right,), storage_offset
