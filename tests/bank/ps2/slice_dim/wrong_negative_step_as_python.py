# draws: expected a ValueError, because the step is
# draws: torch has no negative strides
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    dim = range(len(size))[dim]
    picked = range(size[dim])[start:stop:step]
    return (
        size[:dim] + (len(picked),) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * picked.step,) + stride[dim + 1 :],
        storage_offset + picked.start * stride[dim],
    )
