# draws: hint: this is what you get if all that torch lets pass is taken for safe
def inplace_verdict(size, stride):
    if 0 not in size and any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return "refused"
    return "safe"
