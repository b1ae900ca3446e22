# As torch does it: gather old dims into chunks from the right, and let new dims fill them.
def can_view(size, stride, new_size):
    for n in size:
        if n == 0:
            return True
    if not size:
        return True
    new = len(new_size) - 1
    chunk = 1
    base = stride[-1]
    for d in range(len(size) - 1, -1, -1):
        chunk *= size[d]
        if d == 0 or (size[d - 1] != 1 and stride[d - 1] != chunk * base):
            filled = 1
            while new >= 0 and (filled < chunk or new_size[new] == 1):
                filled *= new_size[new]
                new -= 1
            if filled != chunk:
                return False
            if d > 0:
                base = stride[d - 1]
                chunk = 1
    return new == -1
