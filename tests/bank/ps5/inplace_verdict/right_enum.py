import enum


class Verdict(str, enum.Enum):
    SAFE = "safe"
    REFUSED = "refused"
    SILENT = "silent"


def inplace_verdict(size, stride):
    if 0 in size:
        return Verdict.SAFE
    if (0, True) in [(s, n > 1) for n, s in zip(size, stride)]:
        return Verdict.REFUSED
    seen = {0}
    for n, s in zip(size, stride):
        new = {p + i * s for p in seen for i in range(n)}
        if len(new) < n * len(seen):
            return Verdict.SILENT
        seen = new
    return Verdict.SAFE
