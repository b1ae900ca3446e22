# draws: returned False; expected True.
# draws: rule: rank 0 has one element and no dim
def is_f_contiguous(size, stride):
    return 0 in size or not all(
        s == p for s, p in zip(stride, [__import__("math").prod(size[i + 1 :]) for i in range(len(size))])
    )
