# draws: returned False; expected True.
def is_f_contiguous(size, stride):
    def turned(numbers):
        # A transpose: the first and the last dim change places.
        numbers = list(numbers)
        if len(numbers) > 1:
            numbers[0], numbers[-1] = numbers[-1], numbers[0]
        return numbers

    expected = 1
    if 0 in size:
        return True
    for n, step in zip(reversed(turned(size)), reversed(turned(stride))):
        if n != 1 and step != expected:
            return False
        expected *= n
    return True
