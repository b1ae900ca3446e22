def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


# Try every number that the -1 could stand for; exactly one may fit.
def infer_size(numel, size):
    if min(size, default=0) < -1:
        raise ValueError(f"{size} has a negative entry")
    candidates = [
        tuple(guess if n == -1 else n for n in size)
        for guess in (range(numel + 2) if -1 in size else [0])
    ]
    fitting = [each for each in candidates if product(each) == numel]
    if size.count(-1) > 1 or len(fitting) != 1:
        raise ValueError(f"{size} does not hold {numel} elements, or not without doubt")
    return fitting[0]
