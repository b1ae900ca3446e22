# draws: hint: this is what you get if tensors with elements on one storage are taken to share. They need not have an element in common.
# draws: none is in both
def shares_memory(a, b):
    if a.numel() == 0 or b.numel() == 0:
        return False
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
