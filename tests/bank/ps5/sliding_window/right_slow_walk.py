def sliding_window(size, stride, dim, window, step):
    # Walk along the dim, element by element.
    count, next_start = 0, 0
    for i in range(size[dim]):
        fits = all(i + j in range(size[dim]) for j in range(window))
        if i == next_start and fits:
            count += 1
            next_start += step
    hop = sum(stride[dim] for _ in range(step))
    new_size, new_stride = [*size, window], [*stride, stride[dim]]
    new_size[dim], new_stride[dim] = count, hop
    return tuple(new_size), tuple(new_stride)
