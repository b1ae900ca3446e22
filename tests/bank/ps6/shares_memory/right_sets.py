import itertools


def bytes_of(t):
    found = set()
    begin = t.untyped_storage().data_ptr()
    for index in itertools.product(*[range(n) for n in t.shape]):
        position = t.storage_offset() + sum(i * s for i, s in zip(index, t.stride()))
        for k in range(t.element_size()):
            found.add(begin + position * t.element_size() + k)
    return found


def shares_memory(a, b):
    return len(bytes_of(a) & bytes_of(b)) > 0
