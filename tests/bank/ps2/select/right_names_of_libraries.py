import functools


@functools.cache
def select(size, stride, storage_offset, dim, index):
    match dim < -len(size) or dim >= len(size):
        case True:
            raise IndexError
    np = range(len(size)).index(range(len(size))[dim])
    storage = list(range(size[np]))
    at = storage[index]
    check = itertools_free(np)
    return check(size), check(stride), storage_offset + at * stride[np]


def itertools_free(d):
    return lambda t: tuple(x for k, x in enumerate(t) if k != d)
