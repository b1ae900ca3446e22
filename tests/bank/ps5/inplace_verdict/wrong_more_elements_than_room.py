# draws: hint: this is what you get if elements are only counted against positions. Where there are gaps, two can share a position although there wou
# draws: returned 'safe'; expected 'silent'.
def inplace_verdict(size, stride):
    count, last = 1, 0
    for n, s in zip(size, stride):
        count *= n
        last += (n - 1) * s
    if count == 0:
        return "safe"
    if any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return "refused"
    return "silent" if count > last + 1 else "safe"
