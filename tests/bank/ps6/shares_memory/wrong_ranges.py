# draws: hint: this is what you get if only the first and the last byte are compared
def shares_memory(a, b):
    def span(x):
        last = sum((n - 1) * s for n, s in zip(x.size(), x.stride()))
        return x.data_ptr(), x.data_ptr() + (last + 1) * x.element_size()

    if not a.numel() or not b.numel():
        return False
    (low, high), (start, end) = span(a), span(b)
    return max(low, start) < min(high, end)
