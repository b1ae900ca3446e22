def contiguity_trace(size, stride, expected=1):
    if not size:
        return []
    *outer, n = size
    *outer_stride, step = stride
    if n == 1:
        return contiguity_trace(outer, outer_stride, expected)
    here = (len(outer), step, expected, step == expected)
    if step != expected:
        return [here]
    return [here] + contiguity_trace(outer, outer_stride, expected * n)
