# Looks for the dim that continues the run, takes it away, and so on.
def is_dense(size, stride):
    if any(n == 0 for n in size):
        return True
    left = [(n, s) for n, s in zip(size, stride) if n != 1]
    run = 1
    while left:
        fitting = [pair for pair in left if pair[1] == run]
        if len(fitting) != 1:
            return False
        left.remove(fitting[0])
        run *= fitting[0][0]
    return True
