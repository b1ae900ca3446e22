# F of a tensor is C of its transpose.
def is_c(size, stride):
    if len(size) == 0:
        return True
    n, inner = size[0], 1
    for m in size[1:]:
        inner *= m
    return (n == 1 or stride[0] == inner) and is_c(size[1:], stride[1:])


def is_f_contiguous(size, stride):
    return min(size, default=1) == 0 or is_c(size[::-1], stride[::-1])
