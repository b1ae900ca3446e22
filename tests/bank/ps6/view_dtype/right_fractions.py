from fractions import Fraction


def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    ratio = Fraction(itemsize, new_itemsize)
    if ratio == 1:
        return size, stride, storage_offset
    if size == () or stride[-1] != 1:
        raise ValueError("torch cannot")
    numbers = [n * ratio for n in (size[-1], storage_offset) + stride[:-1]]
    if any(number.denominator > 1 for number in numbers):
        raise ValueError("torch cannot: something does not divide")
    last, offset, *steps = (number.numerator for number in numbers)
    return size[:-1] + (last,), tuple(steps) + (1,), offset
