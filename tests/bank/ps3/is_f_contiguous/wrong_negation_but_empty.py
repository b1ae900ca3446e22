# draws: returned False; expected True.
# draws: hint: this is what you get if column-major is taken for the opposite of row-major.
def is_f_contiguous(size, stride):
    return 0 in size or not all(
        s == p for s, p in zip(stride, [__import__("math").prod(size[i + 1 :]) for i in range(len(size))])
    )
