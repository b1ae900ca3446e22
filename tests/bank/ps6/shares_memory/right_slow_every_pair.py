from itertools import product


def elements(x):
    """The first byte of each element and the one after its last."""
    for index in product(*map(range, x.size())):
        start = x[index].data_ptr()
        yield start, start + x.element_size()


def shares_memory(a, b):
    for low, high in elements(a):
        for begin, end in elements(b):
            if low < end and begin < high:
                return True
    return False
