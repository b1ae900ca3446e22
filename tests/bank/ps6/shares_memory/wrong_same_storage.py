# draws: hint: this is what you get if storages are compared
def shares_memory(a, b):
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
