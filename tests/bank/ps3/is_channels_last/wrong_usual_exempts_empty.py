# draws: hint: this is what you get if tensors without elements are exempt.
# draws: rule: a tensor without elements is walked like any other.
def is_channels_last(size, stride):
    if len(size) != 4:
        return False
    if 0 in size:
        return True
    expected = 1
    for dim in (1, 3, 2, 0):
        if size[dim] == 1:
            continue
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True
