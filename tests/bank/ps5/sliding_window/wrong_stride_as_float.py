# draws: returned ((2, 3, 2, 2), (18014398509481984, 0, 2, 9007199254740993)); expected ((2, 3, 2, 2), (18014398509481986, 0, 2, 9007199254740993)): 
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step + 1
    hop = int(1.0 * stride[dim] * step)
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (hop,) + stride[dim + 1 :] + (stride[dim],),
    )
