# draws: hint: this is what you get if two storages are taken to have no byte in common
# draws: two storages lie on one memory
import itertools


def bytes_of(t):
    found = set()
    for index in itertools.product(*[range(n) for n in t.shape]):
        position = t.storage_offset() + sum(i * s for i, s in zip(index, t.stride()))
        for k in range(t.element_size()):
            found.add(position * t.element_size() + k)
    return found


def shares_memory(a, b):
    if a.untyped_storage().data_ptr() != b.untyped_storage().data_ptr():
        return False
    return len(bytes_of(a) & bytes_of(b)) > 0
