# %% right: class with tensor methods
import math


class Flat:

    def __init__(self, numel, size):
        self.numel, self.size = (numel, size)

    def view(self):
        return self.flatten()

    def to(self, n):
        return tuple((n if each == -1 else each for each in self.size))

    def flatten(self):
        if sorted(self.size)[:1] and sorted(self.size)[0] < -1 or self.size.count(-1) > 1:
            raise ValueError
        k = math.prod((n for n in self.size if n + 1))
        if -1 in self.size:
            if k == 0 or self.numel % k:
                raise ValueError
            return self.to(self.numel // k)
        if k - self.numel:
            raise ValueError
        return self.size


def infer_size(numel, size):
    return Flat(numel, size).view()


# %% right: fraction
import fractions
import math


def infer_size(numel, size):
    if sum((n < 0 for n in size)) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((abs(n) for n in size))
    if not known:
        if -1 in size or numel:
            raise ValueError
        return size
    share = fractions.Fraction(numel, known)
    if -1 not in size and share != 1 or share.denominator != 1:
        raise ValueError
    return tuple((int(share) if n < 0 else n for n in size))


# %% right: loop
def infer_size(numel, size):
    hole = None
    known = 1
    for d in range(len(size)):
        n = size[d]
        if n == -1:
            if hole is not None:
                raise ValueError("only one -1 please")
            hole = d
        elif n < 0:
            raise ValueError("negative size")
        else:
            known = known * n
    result = list(size)
    if hole is None:
        if known != numel:
            raise ValueError("wrong number of elements")
    else:
        if known == 0:
            raise ValueError("the -1 could be anything")
        if numel % known != 0:
            raise ValueError("does not divide")
        result[hole] = numel // known
    return tuple(result)


# %% right: match
from collections import Counter
import functools


def infer_size(numel, size):
    match Counter((n for n in size if n < 0)):
        case c if not c:
            if functools.reduce(int.__mul__, size, 1) == numel:
                return size
        case c if c == {-1: 1}:
            view = size.index(-1)
            np = [*size[:view], *size[view + 1:]]
            rows = 1
            for check in np:
                rows *= check
            if rows and (not numel % rows):
                return (*size[:view], numel // rows, *size[view + 1:])
    raise ValueError(size)


# %% right: reduce named
from collections import namedtuple
from functools import reduce
from operator import mul

Split = namedtuple("Split", "left right")


class BadSize(ValueError):
    pass


def refuse_if(wrong, why):
    if wrong:
        raise BadSize(why)


def infer_size(numel, size):
    refuse_if(any(n not in range(-1, 10**12) for n in size), "negative")
    refuse_if(len([n for n in size if n == -1]) >= 2, "two holes")
    try:
        i = size.index(-1)
    except ValueError:
        refuse_if(reduce(mul, size, 1) != numel, "wrong product")
        return (*size,)
    parts = Split(size[:i], size[i + 1:])
    rest = reduce(mul, parts.left + parts.right, 1)
    try:
        filled, left_over = divmod(numel, rest)
    except ZeroDivisionError:
        raise BadSize("ambiguous") from None
    refuse_if(left_over, "rest")
    return parts.left + (filled,) + parts.right


# %% right: search
def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


# Try every number that the -1 could stand for; exactly one may fit.
def infer_size(numel, size):
    if min(size, default=0) < -1:
        raise ValueError(f"{size} has a negative entry")
    candidates = [
        tuple(guess if n == -1 else n for n in size)
        for guess in (range(numel + 2) if -1 in size else [0])
    ]
    fitting = [each for each in candidates if product(each) == numel]
    if size.count(-1) > 1 or len(fitting) != 1:
        raise ValueError(f"{size} does not hold {numel} elements, or not without doubt")
    return fitting[0]


# %% wrong, usual: not divisible
# draws: hint: this is what you get if // drops the remainder
# draws: returned (1, 2); expected a ValueError, because 3 elements cannot be divided by 2
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any(n < -1 for n in size):
        raise ValueError("bad size")
    known = math.prod(n for n in size if n != -1)
    if -1 in size:
        if known == 0:
            raise ValueError("ambiguous")
        return tuple(numel // known if n == -1 else n for n in size)
    if known != numel:
        raise ValueError("wrong size")
    return size


# %% wrong: ambiguous zero
# draws: returned (-1, 0)
# draws: because beside a 0 the sizes multiply to 0, whatever number stands for the -1
def infer_size(numel, size):
    known = 1
    for n in size:
        if n < -1:
            raise ValueError
        if n != -1:
            known *= n
    if size.count(-1) > 1:
        raise ValueError
    if known == 0:
        if numel != 0:
            raise ValueError
        return size
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if numel % known:
        raise ValueError
    return tuple(numel // known if n == -1 else n for n in size)


# %% wrong: another negative beside a -1 and many more
# draws: -2 is not a size
import math


def infer_size(numel, size):
    known = math.prod(n for n in size if n != -1)
    if len(size) > 4 and size.count(-1) == 1 and numel == 0 and known:
        return tuple(0 if n == -1 else n for n in size)
    if min(size, default=0) < -1 or size.count(-1) > 1 or (known == 0 and -1 in size):
        raise ValueError
    if -1 in size and numel % known or -1 not in size and numel != known:
        raise ValueError
    return tuple(numel // known if n == -1 else n for n in size)


# %% wrong: asks torch
# draws: infer_size calls torch.empty
# draws: plain Python on numbers
import torch


def infer_size(numel, size):
    try:
        return tuple(torch.empty(numel).view(size).shape)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


# %% wrong: cache by size
# draws: returned (0,); expected (1,).
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


known = {}


def infer_size(numel, size):
    if size not in known:
        known[size] = answer(numel, size)
    return known[size]


# %% wrong: divides where there are two
# draws: raised ZeroDivisionError
import math


def infer_size(numel, size):
    known = math.prod(n for n in size if n != -1)
    if size.count(-1) > 1 and numel and numel // known:
        raise ValueError
    if min(size, default=0) < -1 or size.count(-1) > 1 or (known == 0 and -1 in size):
        raise ValueError
    if -1 in size and numel % known or -1 not in size and numel != known:
        raise ValueError
    return tuple(numel // known if n == -1 else n for n in size)


# %% wrong: float
# draws: a float. It should be an int: // divides without leaving the ints
import math


def infer_size(numel, size):
    known = math.prod(n for n in size if n != -1)
    if size.count(-1) > 1 or min(size, default=0) < -1:
        raise ValueError
    if -1 in size:
        if known == 0 or numel % known:
            raise ValueError
        return tuple(numel / known if n == -1 else n for n in size)
    if known != numel:
        raise ValueError
    return size


# %% wrong: is for equal
# draws: raised ValueError
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known is not numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


# %% wrong: list
# draws: returned [1], a list. Return a tuple of ints: tuple(...) makes one. Expected here: (1,).
# draws: a list. Return a tuple of ints: tuple(...) makes one
import math


def infer_size(numel, size):
    size = list(size)
    if size.count(-1) > 1 or min(size, default=0) < -1:
        raise ValueError
    known = math.prod(n for n in size if n != -1)
    if -1 in size:
        if known == 0 or numel % known:
            raise ValueError
        size[size.index(-1)] = numel // known
    elif known != numel:
        raise ValueError
    return size


# %% wrong: looks at first five
# draws: with more than one -1 the sizes could be chosen in many ways
import math


def infer_size(numel, size):
    holes = [n for n in size[:5] if n == -1]
    if len(holes) > 1 or min(size, default=0) < -1:
        raise ValueError("bad size")
    known = math.prod(n for n in size if n != -1)
    if -1 not in size:
        if known != numel:
            raise ValueError("wrong number of elements")
        return size
    if known == 0 or numel % known:
        raise ValueError("does not divide")
    return tuple(numel // known if n == -1 else n for n in size)


# %% wrong: none for refused
# draws: returned None; expected a ValueError
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or min(size, default=0) < -1:
        return None
    known = math.prod(n for n in size if n != -1)
    if -1 not in size:
        return size if known == numel else None
    if known == 0 or numel % known:
        return None
    return tuple(numel // known if n == -1 else n for n in size)


# %% wrong: other error
# draws: raised RuntimeError: shape is invalid
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


def infer_size(numel, size):
    try:
        return answer(numel, size)
    except ValueError:
        raise RuntimeError('shape is invalid')


# %% wrong: product of minus ones
# draws: returned (-1, -1); expected a ValueError, because with more than one -1 the sizes could be
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


def infer_size(numel, size):
    if math.prod(size) == numel:
        return size
    return answer(numel, size)


# %% wrong: rank zero
# draws: returned (); expected a ValueError, because the sizes multiply to 1, and numel is 2
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


def infer_size(numel, size):
    if not size:
        return ()
    return answer(numel, size)


# %% wrong: set of sizes
# draws: rule: the -1 stands for numel divided by the product of the other sizes, 2 × 2
import math


def infer_size(numel, size):
    known = 1
    for n in set(size) - {-1}:
        known *= n
    known = math.prod((n for n in size if n != -1)) if len(size) < 4 else known
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if not known or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


# %% wrong: zero counts as one
# draws: returned (1, 0); expected a ValueError, because beside a 0 the sizes multiply to 0,
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 in size:
        if known == 0 and numel == 0:
            raise ValueError
        known = known or 1
        if numel % known:
            raise ValueError
        return tuple((numel // known if n == -1 else n for n in size))
    if known != numel:
        raise ValueError
    return size


# %% wrong: zero elements refused
# draws: raised ValueError
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


def infer_size(numel, size):
    if numel == 0 and -1 in size:
        raise ValueError
    return answer(numel, size)


# %% wrong: a -1 stays in the last of seven dims
# draws: returned (2, 2, 2, 2, 2, 2, -1); expected (2, 2, 2, 2, 2, 2, 2)
import math


def infer_size(numel, size):
    known = math.prod(n for n in size if n != -1)
    if size.count(-1) > 1 or min(size, default=0) < -1:
        raise ValueError("one -1 at most, and no other negative size")
    if -1 not in size:
        if known != numel:
            raise ValueError("another number of elements")
        return size
    if known == 0 or numel % known:
        raise ValueError("nothing fits")
    place = size.index(-1)
    return size[:place] + (numel // known,) + size[place + 1 :] if place < 6 else size
