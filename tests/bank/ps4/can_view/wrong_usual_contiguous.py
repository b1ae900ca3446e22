# draws: returned False; expected True
# draws: hint: this is what you get if only contiguous tensors can be viewed
def can_view(size, stride, new_size):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True
