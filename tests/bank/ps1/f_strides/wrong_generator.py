# draws: of type generator. Return a tuple of ints: tuple(...) makes one
def f_strides(size):
    step = 1
    for n in size:
        yield step
        step *= max(n, 1)
