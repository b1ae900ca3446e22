# draws: calls stridekit.contiguity in line 2 of its source. This exercise is plain Python
from stridekit import Layout, explain


def contiguity_trace(size, stride):
    steps = explain.contiguity(Layout(size, stride)).steps
    return [(s.dim, s.stride, s.expected, s.ok) for s in steps if s.ok is not None]
