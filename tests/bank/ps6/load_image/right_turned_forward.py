import warnings

import torch


def load_image(image):
    # Walk every axis forward, for torch; and write to the places in reverse where it was turned.
    turned = [stride < 0 for stride in image.strides]
    forward = image[tuple(slice(None, None, -1 if t else 1) for t in turned)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a read-only array is only read here
        source = torch.from_numpy(forward).permute(2, 0, 1)
    out = torch.empty(source.shape, dtype=torch.uint8)
    rows, columns, channels = (
        torch.arange(n).flip(0) if t else torch.arange(n) for n, t in zip(image.shape, turned)
    )
    out[channels[:, None, None], rows[:, None], columns] = source
    return out
