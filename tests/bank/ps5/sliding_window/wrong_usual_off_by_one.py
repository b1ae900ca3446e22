# draws: hint: this is what you get if the first window is forgotten
# draws: rule: 2 windows fit, (5 - 3) // 2 + 1 = 2; the stride of dim 0 is step × stride[0] = 2 × 3 = 6
# draws: wrong in size
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :] + (stride[dim],),
    )
