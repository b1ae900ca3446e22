# draws: hint: this is what you get if data_ptr() is compared
def shares_memory(a, b):
    return a.data_ptr() == b.data_ptr()
