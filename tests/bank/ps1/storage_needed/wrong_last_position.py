# draws: storage_needed(size=(2,), stride=(1,), storage_offset=0) returned 1; expected 2
# draws: hint: this is the last position itself
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride))
