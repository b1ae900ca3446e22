# draws: returned (1,); expected ()
def f_strides(size):
    out = [1]
    for n in size[:-1]:
        out.append(out[-1] * (n or 1))
    return tuple(out)
