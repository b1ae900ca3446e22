import functools


def seams(size, stride):
    def step(acc, d):
        found, last = acc
        if size[d] == 1:
            return acc
        if last is not None and stride[last] != size[d] * stride[d]:
            found = found + [last]
        return (found, d)
    return functools.reduce(step, range(len(size)), ([], None))[0]
