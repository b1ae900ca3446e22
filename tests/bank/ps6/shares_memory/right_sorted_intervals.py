import torch


def intervals(x):
    if x.numel() == 0:
        return []
    starts = torch.tensor([x.data_ptr()])
    for n, step in zip(x.size(), x.stride()):
        starts = (starts[:, None] + torch.arange(n) * (step * x.element_size())).flatten()
    return [(start, start + x.element_size()) for start in sorted(starts.tolist())]


def shares_memory(a, b):
    first, second = intervals(a), intervals(b)
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i][1] <= second[j][0]:
            i += 1
        elif second[j][1] <= first[i][0]:
            j += 1
        else:
            return True
    return False
