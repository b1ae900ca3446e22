# draws: hint: this is what you get if a single window keeps the dim's stride. torch multiplies it by step there too.
# draws: returned ((1, 2), (3, 3)); expected ((1, 2), (6, 3)): wrong in stride.
def sliding_window(size, stride, dim, window, step):
    count = (size[dim] - window) // step + 1
    hop = stride[dim] * (step if count > 1 else 1)
    return (
        size[:dim] + (count,) + size[dim + 1 :] + (window,),
        stride[:dim] + (hop,) + stride[dim + 1 :] + (stride[dim],),
    )
