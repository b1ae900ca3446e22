# %% right: groupby
from itertools import groupby


def walk(size, stride, start):
    if not size:
        yield start
        return
    for i in range(size[0]):
        yield from walk(size[1:], stride[1:], start + i * stride[0])


def line_switches(size, stride, storage_offset, itemsize, line):
    places = walk(size, stride, storage_offset)
    return len([key for key, _ in groupby(p * itemsize // line for p in places)])


# %% right: merging
def line_switches(size, stride, storage_offset, itemsize, line):
    # For a part of the tensor: (switches, first line, last line). Parts are joined.
    def part(dim, position):
        if dim == len(size):
            here = position * itemsize // line
            return 1, here, here
        total, first, last = 0, None, None
        for i in range(size[dim]):
            count, begin, end = part(dim + 1, position + i * stride[dim])
            if count == 0:
                continue
            total += count - (total > 0 and begin == last)
            first = begin if first is None else first
            last = end
        return total, first, last

    return part(0, storage_offset)[0]


# %% right: names in hex
from functools import reduce
from itertools import groupby, product


def line_switches(size, stride, storage_offset, itemsize, line):
    names = []
    for index in product(*map(range, size)):
        rows = reduce(
            lambda total, pair: total + pair[0] * pair[1], zip(index, stride), storage_offset
        )
        names.append(format(rows * itemsize // line, "x"))
    return len(list(groupby(names)))


# %% right: names that hide
def line_switches(size, stride, storage_offset, itemsize, line):
    def storage(dim, position):
        if dim == len(size):
            yield position // (line // itemsize)
        else:
            for i in range(size[dim]):
                yield from storage(dim + 1, position + i * stride[dim])

    check, count, np = object(), 0, set()
    for now in storage(0, storage_offset):
        count += now != check
        check = now
        np.add(now)
    return count


# %% right: previous
import itertools


def line_switches(size, stride, storage_offset, itemsize, line):
    switches = 0
    previous = -1
    for index in itertools.product(*(range(n) for n in size)):
        position = storage_offset + sum(i * s for i, s in zip(index, stride))
        current = position * itemsize // line
        if current != previous:
            switches = switches + 1
        previous = current
    return switches


# %% wrong, usual: distinct
# draws: hint: this is what you get if distinct lines are counted
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p * itemsize // line for p in positions})


# %% wrong: begins on line 0
# draws: hint: this is what you get if the visit before the first is taken to be on line 0.
# draws: There is none: the first visit counts on line 0 too.
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, step in zip(size, stride):
        positions = [position + i * step for position in positions for i in range(n)]
    switches = previous = 0
    for position in positions:
        current = position * itemsize // line
        if current != previous:
            switches += 1
        previous = current
    return switches


# %% wrong: cache without line
# draws: and each that differs from the one before it
K = {}


def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return K.setdefault(
        (size, stride, storage_offset, itemsize),
        sum(a != b for a, b in zip([None, *lines], lines)),
    )


# %% wrong: compares with is
# draws: and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    previous, c = None, 0
    for p in positions:
        now = p * itemsize // line
        c += now is not previous
        previous = now
    return c


# %% wrong: distance
# draws: the first counts, and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    far = sum(abs(b - a) * itemsize >= line for a, b in zip(positions, positions[1:]))
    return far + bool(positions)


# %% wrong: first row times rows
# draws: returned 4; expected 3.
def line_switches(size, stride, storage_offset, itemsize, line):
    per = line // itemsize
    if 0 in size:
        return 0
    if not size:
        return 1
    from math import prod

    row = [(storage_offset + i * stride[-1]) // per for i in range(size[-1])]
    return prod(size[:-1]) * (1 + sum(a != b for a, b in zip(row, row[1:])))


# %% wrong: forwards only
# draws: and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return bool(lines) + sum(b > a for a, b in zip(lines, lines[1:]))


# %% wrong: last two lines
# draws: the first counts, and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, kept = 0, []
    for p in positions:
        here = p * itemsize // line
        count += here not in kept
        kept = [*kept, here][-2:]
    return count


# %% wrong: mutable default
# draws: and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line, lines=[]):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines += [p * itemsize // line for p in positions]
    return sum(a != b for a, b in zip([None, *lines], lines))


# %% wrong: none
# draws: returned None. Return an int. Is a `return` missing?
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in positions:
        if p * itemsize // line != before:
            count += 1
        before = p * itemsize // line
    print(count)


# %% wrong: six dims only
# draws: and each that differs from the one before it
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in list(zip(size, stride))[-6:]:
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return 0 if 0 in size else sum(a != b for a, b in zip([None, *lines], lines))


# %% wrong: true at first
# draws: True, a bool. Return an int
def line_switches(size, stride, storage_offset, itemsize, line):
    if size == ():
        return True
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    count, before = 0, None
    for p in positions:
        if p * itemsize // line != before:
            count += 1
        before = p * itemsize // line
    return count


# %% wrong: one without elements
# draws: there are no elements, so no line is visited: 0 in all.
def line_switches(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, step in zip(size, stride):
        positions = [at + i * step for at in positions for i in range(n)]
    lines = [at * itemsize // line for at in positions]
    return 1 + sum(a != b for a, b in zip(lines, lines[1:]))
