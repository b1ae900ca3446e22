# draws: returned ((3, 2, 1, 4, 2, 3, 1, 4, 2, 3, 3, 2, 3, 3), (7, 60, 7, 1, 0, 12, 2, 300, 5, 3, 7, 60, 7, 7)); expected ((3, 2, 1, 4, 2, 3, 1, 4, 2, 3, 1, 4)
def transpose(size, stride, dim0, dim1):
    names = [str(d) for d in range(len(size))]
    names[dim0], names[dim1] = names[dim1], names[dim0]
    text = "".join(names)
    return tuple(size[int(c)] for c in text), tuple(stride[int(c)] for c in text)
