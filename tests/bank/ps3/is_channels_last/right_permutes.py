def contiguous(size, stride):
    if not size:
        return lambda expected: True
    (*rest, n), (*steps, step) = size, stride
    inner = contiguous(rest, steps)
    return lambda expected: (n == 1 or step == expected) and inner(expected * n)


def is_channels_last(size, stride):
    def permute(numbers):
        return [numbers[dim] for dim in (0, 2, 3, 1)]

    return len(size) == 4 and contiguous(permute(size), permute(stride))(1)
