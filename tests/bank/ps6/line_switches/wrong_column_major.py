# draws: hint: this is what you get if the first dim moves fastest
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for i in range(n) for p in positions]
    switches, before = 0, None
    for p in positions:
        if p * itemsize // line != before:
            switches += 1
            before = p * itemsize // line
    return switches
