# draws: hint: this is what you get if the two dims change places. Dim `dim` counts the windows, and the last dim is inside of one.
# draws: returned ((3, 2), (3, 6)); expected ((2, 3), (6, 3)): wrong in size and in stride.
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step + 1
    return (
        (*size[:dim], window, *size[dim + 1 :], count),
        (*stride[:dim], stride[dim], *stride[dim + 1 :], stride[dim] * step),
    )
