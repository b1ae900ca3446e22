# draws: raised IndexError: tuple index out of range, in line 5 (`if stride[-1] != 1 and size[-1] > 1:`); expected True.
# draws: rule: rank 0 has one element and no dim
def isContiguous(tensor):
    size, stride = tuple(tensor.size()), tuple(tensor.stride())
    if stride[-1] != 1 and size[-1] > 1:
        return False
    expected = 1
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1 and s != expected:
            return 0 in size
        expected *= n
    return True
