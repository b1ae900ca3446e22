# draws: hint: this is what you get if the step goes into the stride inside a window
# draws: wrong in stride
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step + 1
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride + (stride[dim] * step,),
    )
