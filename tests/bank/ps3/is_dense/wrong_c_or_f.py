# draws: hint: this is what you get if only row-major and column-major order are accepted.
# draws: by ascending stride
def one_way(pairs):
    expected = 1
    for n, s in pairs:
        if n != 1:
            if s != expected:
                return False
            expected *= n
    return True


def is_dense(size, stride):
    pairs = list(zip(size, stride))
    return 0 in size or one_way(pairs) or one_way(pairs[::-1])
