# draws: hint: this is what you get if W comes before C.
def is_channels_last(size, stride):
    expected = 1
    if len(size) != 4:
        return False
    for n, s in zip(size[::-1], stride[::-1]):
        if n != 1 and s != expected:
            return False
        expected *= n
    return True
