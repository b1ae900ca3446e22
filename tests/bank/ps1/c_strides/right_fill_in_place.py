def c_strides(size: tuple) -> tuple:
    ndim = len(size)
    answer = [1] * ndim
    d = ndim - 2
    while d >= 0:
        answer[d] = answer[d + 1] * (size[d + 1] if size[d + 1] != 0 else 1)
        d -= 1
    return (*answer,)
