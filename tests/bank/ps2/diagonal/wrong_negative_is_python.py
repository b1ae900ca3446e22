# draws: if a negative offset counts columns from the end
# draws: diagonal -1 begins at row 1, column 0
# draws: moves the storage_offset by
def diagonal(size, stride, storage_offset, offset):
    # -1 is the last one
    if offset < 0:
        offset += size[1]
    n = max(0, min(size[0], size[1] - offset))
    if n:
        storage_offset += offset * stride[1]
    return (n,), (sum(stride),), storage_offset
