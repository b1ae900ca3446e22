# draws: returned (-1, 0)
# draws: because beside a 0 any number could stand for the -1
def infer_size(numel, size):
    known = 1
    for n in size:
        if n < -1:
            raise ValueError
        if n != -1:
            known *= n
    if size.count(-1) > 1:
        raise ValueError
    if known == 0:
        if numel != 0:
            raise ValueError
        return size
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if numel % known:
        raise ValueError
    return tuple(numel // known if n == -1 else n for n in size)
