import warnings

import torch


def load_image(image):
    # Walk every axis forward, for torch; and write to the places in reverse where it was turned.
    turned = [axis for axis in range(3) if image.strides[axis] < 0]
    forward = image[tuple(slice(None, None, -1 if a in turned else 1) for a in range(3))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = torch.from_numpy(forward)
    h, w, c = image.shape
    out = torch.empty((c, h, w), dtype=torch.uint8)
    rows = range(h)[::-1] if 0 in turned else range(h)
    columns = torch.arange(w).flip(0) if 1 in turned else torch.arange(w)
    for k in range(c):
        plane = source[:, :, c - 1 - k if 2 in turned else k]
        for to, row in enumerate(rows):
            out[k, to] = plane[row][columns]
    return out
