# draws: hint: this is what you get if every line from the first to the last is counted
def lines_touched(size, stride, storage_offset, itemsize, line):
    if 0 in size:
        return 0
    last = storage_offset + sum((n - 1) * s for n, s in zip(size, stride))
    return last * itemsize // line - storage_offset * itemsize // line + 1
