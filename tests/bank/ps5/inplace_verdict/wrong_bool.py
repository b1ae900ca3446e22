# draws: Return one of the strings "safe", "refused" and "silent"
def inplace_verdict(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    return len(set(at)) == len(at)
