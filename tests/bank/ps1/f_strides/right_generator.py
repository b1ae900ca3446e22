def f_strides(size):
    def steps():
        step = 1
        for n in size:
            yield step
            step *= n + (n == 0)

    return tuple(steps())
