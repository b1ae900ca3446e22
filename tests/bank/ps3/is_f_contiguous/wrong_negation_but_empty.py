# draws: returned True; expected False.
# draws: rule: walk the dims from the first to the last: dim 0 has stride 0, and 1 is expected.
def is_f_contiguous(size, stride):
    return 0 in size or not all(
        s == p for s, p in zip(stride, [__import__("math").prod(size[i + 1 :]) for i in range(len(size))])
    )
