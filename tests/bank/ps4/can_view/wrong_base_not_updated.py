# draws: returned False; expected True.
def can_view(size, stride, new_size):
    if 0 in size or not size:
        return True
    new = len(new_size) - 1
    chunk, base = 1, stride[-1]
    for d in reversed(range(len(size))):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                filled *= new_size[new]
                new -= 1
            if filled != chunk:
                return False
            chunk = 1
    return True
