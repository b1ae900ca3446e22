# draws: returned ((4, 1, 3, 2), (1, 7, 7, 60)); expected ((4, 3, 1, 2), (1, 7, 7, 60))
def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = sorted((r[dim0], r[dim1]))
    return size[:a] + size[a : b + 1][::-1] + size[b + 1 :], stride[:a] + stride[a : b + 1][
        ::-1
    ] + stride[b + 1 :]
