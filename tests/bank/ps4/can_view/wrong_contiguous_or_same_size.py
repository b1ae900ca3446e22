# draws: hint: this is what you get if only contiguous tensors can be viewed in another size
def can_view(size, stride, new_size):
    if size == new_size or 0 in size:
        return True
    expected = 1
    for n, s in zip(reversed(size), reversed(stride)):
        if n == 1:
            continue
        if s != expected:
            return False
        expected *= n
    return True
