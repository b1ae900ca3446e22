def walk(size, stride, at=0):
    if not size:
        yield at
        return
    for i in range(size[0]):
        yield from walk(size[1:], stride[1:], at + i * stride[0])


def can_view(size, stride, new_size):
    order = list(walk(size, stride))

    def fits(order, new):
        if not new:
            return len(order) <= 1
        if not order:
            return True
        part = len(order) // new[0]
        first = order[:part]
        hops = {order[i + part] - order[i] for i in range(len(order) - part)}
        return len(hops) <= 1 and fits(first, new[1:])
    return fits(order, new_size)
