# draws: if the matrix is taken for row-major
def diagonal(size, stride, storage_offset, offset):
    rows, cols = size
    i, j = max(0, -offset), max(0, offset)
    n = max(0, min(rows - i, cols - j))
    if n == 0:
        return (0,), (cols + 1,), storage_offset
    return (n,), (cols + 1,), storage_offset + i * cols + j
