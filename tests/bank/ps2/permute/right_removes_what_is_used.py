from collections import Counter


def permute(size, stride, dims):
    pairs = list(enumerate(zip(size, stride)))
    chosen = [pairs[d] for d in dims]
    times = Counter(number for number, _ in chosen)
    if any(times[number] != 1 for number, _ in pairs):
        raise ValueError("every dim exactly once, please")
    return tuple(pair[0] for _, pair in chosen), tuple(pair[1] for _, pair in chosen)
