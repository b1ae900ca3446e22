# draws: hint: this is what you get if the first window is forgotten
# draws: rule: 2 windows fit, (3 - 2) // 1 + 1 = 2; their stride is step × stride[0] = 1 × 1 = 1
# draws: wrong in size
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :] + (stride[dim],),
    )
