def expand(size, stride, new_size):
    if len(new_size) < len(size):
        raise ValueError("expand cannot drop dims")
    result = []
    last_size, last_stride = 1, 0
    for k in range(1, len(new_size) + 1):
        want = new_size[-k]
        if k <= len(size):
            have, step = size[-k], stride[-k]
            if want == -1:
                want = have
        else:
            have, step = 1, last_size * last_stride
        if want < 0:
            raise ValueError("negative")
        if want != have:
            if have != 1:
                raise ValueError(f"{have} cannot become {want}")
            step = 0
        result.append(step)
        last_size, last_stride = want, step
    return tuple(result[::-1])
