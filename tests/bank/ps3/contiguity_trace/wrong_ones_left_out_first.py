# draws: returned [(0, 1, 1, True)]; expected [(1, 1, 1, True)].
# draws: hint: this is what you get if the dims of size 1 are taken out before the others are numbered.
def contiguity_trace(size, stride):
    # Without the dims of size 1 the others have other numbers.
    kept = [(n, step) for n, step in zip(size, stride) if n != 1]
    steps, expected = [], 1
    for dim in reversed(range(len(kept))):
        n, step = kept[dim]
        steps.append((dim, step, expected, step == expected))
        if step != expected:
            break
        expected *= n
    return steps
