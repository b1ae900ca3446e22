# draws: hint: this is what you get if flat is never divided
def unravel(flat, size):
    return tuple(flat % n for n in size)
