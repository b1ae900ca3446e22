def unravel(flat, size):
    step = 1
    for n in size:
        step *= n
    index = ()
    for n in size:
        step //= n
        index += (flat // step,)
        flat -= flat // step * step
    return index
