from itertools import chain


def unsqueeze(size, stride, dim):
    np = len(size)
    places = {}
    for k in range(np + 1):
        places[k] = k
        places[k - np - 1] = k
    if dim not in places:
        raise IndexError
    storage = places[dim]
    check = 0
    for n, s in list(zip(size, stride))[storage : storage + 1]:
        for _ in range(n):
            check += s
    if storage == np:
        check = 1
    return tuple(chain(size[:storage], [1], size[storage:])), tuple(
        chain(stride[:storage], [check], stride[storage:])
    )
