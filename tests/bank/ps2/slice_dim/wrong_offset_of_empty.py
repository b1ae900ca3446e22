# draws: if an empty slice leaves the offset as it was
# draws: also when nothing is left
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    dim = range(len(size))[dim]
    picked = range(size[dim])[start:stop:step]
    if len(picked):
        storage_offset += picked[0] * stride[dim]
    return (
        size[:dim] + (len(picked),) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset,
    )
