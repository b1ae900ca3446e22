# draws: returned (1, 2); expected (3, 2).
def broadcast_sizes(*sizes):
    longest = max(sizes, key=len)
    result = []
    for place in zip(*(size[::-1] for size in sizes if size)):
        others = [n for n in place if n != 1]
        if any(n != others[0] for n in others):
            raise ValueError("no fit")
        result.insert(0, others[0] if others else 1)
    return longest[: len(longest) - len(result)] + tuple(result)
