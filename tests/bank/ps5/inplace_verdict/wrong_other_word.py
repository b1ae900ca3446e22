# draws: returned 'raises'. Return one of the strings
def inplace_verdict(size, stride):
    at = [0]
    for n, s in zip(size, stride):
        at = [p + i * s for p in at for i in range(n)]
    if len(set(at)) == len(at):
        return "safe"
    if any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return "raises"
    return "silent"
