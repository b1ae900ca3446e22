# draws: unravel(5, (2, 3)) returned (1, 5); expected (1, 2)
# draws: hint: this is what you get if flat is divided by each row-major stride
# draws: each entry is smaller than its size
def unravel(flat, size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= n
    return tuple(flat // s for s in stride)
