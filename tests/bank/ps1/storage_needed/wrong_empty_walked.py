# draws: storage_needed(size=(0,), stride=(0,), storage_offset=0) returned 1; expected 0
# draws: has no elements, so it needs no storage
# draws: hint: this is what you get if tensors without elements are not treated apart
def storage_needed(size, stride, storage_offset):
    needed = storage_offset + 1
    for n, s in zip(size, stride):
        needed += (n - 1) * s
    return needed
