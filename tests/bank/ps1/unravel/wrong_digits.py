# draws: returned (1, 1); expected (2, 11)
def unravel(flat, size):
    digits = ""
    for n in reversed(size):
        digits = str(flat % n) + digits
        flat //= n
    return tuple(int(digit) for digit in digits[-len(size) :] if size)
