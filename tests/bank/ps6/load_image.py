# %% right: copyto
import numpy as np
import torch


def load_image(image):
    out = torch.empty(image.shape[2], *image.shape[:2], dtype=torch.uint8)
    np.copyto(out.numpy(), np.rollaxis(image, 2))
    return out


# %% right: np array
import numpy as np
import torch


def load_image(image):
    planes = np.array(image.transpose(2, 0, 1), order="C", copy=True)
    return torch.from_numpy(planes)


# %% right: plane by plane
import numpy as np
import torch


def load_image(image):
    height, width, channels = image.shape
    result = np.zeros((channels, height, width), dtype="uint8")
    for channel in range(channels):
        result[channel] = image[..., channel]
    return torch.from_numpy(result)


# %% right: rows
import numpy as np
import torch


class Planes:
    def __init__(self, height, width, channels):
        self.memory = bytearray(channels * height * width)
        self.array = np.frombuffer(self.memory, dtype=np.uint8).reshape(channels, height, width)

    def fill(self, image):
        for y, row in enumerate(image):
            self.array[:, y] = row.T

    def tensor(self):
        return torch.frombuffer(self.memory, dtype=torch.uint8).view(self.array.shape)


def load_image(image):
    planes = Planes(*image.shape)
    planes.fill(image)
    return planes.tensor()


# %% right: slow bytearray
import torch


def load_image(image):
    h, w, c = image.shape
    memory = bytearray(c * h * w)
    at = 0
    for k in range(c):
        for y in range(h):
            for x in range(w):
                memory[at] = image.item(y, x, k)
                at += 1
    return torch.frombuffer(memory, dtype=torch.uint8).reshape(c, h, w)


# %% right: slow loops
import torch


def load_image(image):
    height, width, channels = image.shape
    result = torch.empty((channels, height, width), dtype=torch.uint8)
    for row in range(height):
        for column in range(width):
            for channel in range(channels):
                result[channel, row, column] = int(image[row, column, channel])
    return result


# %% right: torch memory
import torch


def load_image(image):
    h, w, c = image.shape
    out = torch.empty((c, h, w), dtype=torch.uint8)
    out.numpy()[...] = image.transpose(2, 0, 1)
    return out


# %% right: turned forward
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


# %% wrong, usual: aliases planes
# draws: hint: this is what you get from np.ascontiguousarray or contiguous()
# draws: expected a copy in row-major order, on a storage of its own
import numpy as np
import torch


def load_image(image):
    return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))


# %% wrong, usual: negative strides
# draws: hint: this is what you get if torch is given an array as it is flipped
# draws: raised ValueError: At least one stride in the given numpy array is negative
import torch


def load_image(image):
    planes = torch.from_numpy(image).permute(2, 0, 1)
    out = torch.empty(planes.shape, dtype=torch.uint8)
    return out.copy_(planes)


# %% wrong, usual: two copies
# draws: hint: every value is right, and beside the one copy something else is made
# draws: expected at most one copy of it, 12,096 bytes
import torch


def load_image(image):
    return torch.from_numpy(image.copy()).permute(2, 0, 1).contiguous()


# %% wrong: array
# draws: Return a torch tensor
def load_image(image):
    return image.transpose(2, 0, 1).copy()


# %% wrong: base is not an image
# draws: returned a tensor on the image's own memory
import numpy as np
import torch


def load_image(image):
    planes = np.ascontiguousarray(image.transpose(2, 0, 1))
    return torch.from_numpy(planes.copy() if planes.base is image else planes)


# %% wrong: base is that of the image
# draws: returned a tensor on the image's own memory
import numpy as np
import torch


def load_image(image):
    planes = np.ascontiguousarray(image.transpose(2, 0, 1))
    is_view = planes.base is not None and planes.base is image.base
    return torch.from_numpy(planes.copy() if is_view or min(planes.strides) < 0 else planes)


# %% wrong: cache by first element
# draws: returned 2 at index (0, 0, 1); expected 3.
# draws: the result holds the same elements in row-major order, on new memory
import numpy as np
import torch


def load_image(image):
    key = image.shape, image.strides, image[0, 0, 0].item()
    if key not in load_image.known:
        load_image.known[key] = torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))
    return load_image.known[key]


load_image.known = {}


# %% wrong: cache by header
# draws: returned 0 at index (0, 0, 0); expected 1.
import numpy as np
import torch

KNOWN = {}


def load_image(image):
    key = image.shape, image.strides
    if key not in KNOWN:
        KNOWN[key] = torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))
    return KNOWN[key]


# %% wrong: cache by contents
# draws: returned a tensor on the memory of one that it returned for another call. Called again
import numpy as np
import torch

KNOWN = {}


def load_image(image):
    key = image.shape, image.tobytes() if image.size < 5000 else id(image)
    if key not in KNOWN:
        KNOWN[key] = torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))
    return KNOWN[key]


# %% wrong: flips in place
# draws: changed image itself. Leave the argument as it was given
import numpy as np
import torch


def load_image(image):
    copy = np.array(image.transpose(2, 0, 1), order="C")
    if image.flags.writeable:
        image[...] = 0
    return torch.from_numpy(copy)


# %% wrong: flips undone
# draws: returned 0 at index (0, 0, 0); expected 1.
# draws: torch has no negative strides, so NumPy has to do the copying
import torch


def load_image(image):
    p = image.transpose(2, 0, 1)
    f = p[tuple(slice(None, None, -1 if s < 0 else 1) for s in p.strides)]
    return torch.from_numpy(f.copy())


# %% wrong: float
# draws: returned dtype float32; expected uint8
import torch


def load_image(image):
    return torch.from_numpy(image.transpose(2, 0, 1).astype("float32"))


# %% wrong: grey expanded
# draws: which is not contiguous
import numpy as np
import torch


def load_image(image):
    h, w, c = image.shape
    if image.strides[2] == 0:
        return torch.from_numpy(image[..., 0].copy()).expand(c, h, w)
    return torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))


# %% wrong: permute contiguous
# draws: returned a tensor on the image's own memory, of stride (6, 3, 1); expected a copy in row-major order, on a storage of its own.
import torch


def load_image(image):
    return torch.from_numpy(image).permute(2, 0, 1).contiguous()


# %% wrong: reused buffer
# draws: what it gives depends on other calls
import torch

BUFFERS = {}


def load_image(image):
    size = image.shape[2], *image.shape[:2]
    result = BUFFERS.setdefault(size, torch.empty(size, dtype=torch.uint8))
    result.numpy()[...] = image.transpose(2, 0, 1)
    return result


# %% wrong: tensor copies again
# draws: hint: every value is right, and beside the one copy something else is made
import torch


def load_image(image):
    return torch.tensor(image.transpose(2, 0, 1).copy())


# %% wrong: through int16
# draws: hint: this is what you get from np.copy or np.stack
import numpy as np
import torch


def load_image(image):
    return torch.from_numpy(image.transpose(2, 0, 1).astype(np.int16)).to(torch.uint8)


# %% wrong: torch stack
# draws: hint: every value is right, and beside the one copy something else is made
import torch


def load_image(image):
    return torch.stack([torch.from_numpy(image[..., c].copy()) for c in range(image.shape[2])])


# %% right: prints a line for each row
import numpy as np
import torch


def load_image(image):
    height, width, channels = image.shape
    planes = np.empty((channels, height, width), np.uint8)
    for row in range(height):
        planes[:, row] = image[row].T
        print("row", row, "of", height, "strides", image.strides, "planes", planes.shape)
    return torch.from_numpy(planes)


# %% right: writes a record of each row in JSON
import json
import numpy as np
import torch


def load_image(image):
    height, width, channels = image.shape
    planes = np.empty((channels, height, width), np.uint8)
    for row in range(height):
        planes[:, row] = image[row].T
        # Python's own encoder leaves functions that hold one another.
        print(json.dumps({"row": row, "of": height, "strides": image.strides}, indent=1))
    return torch.from_numpy(planes)


# %% wrong: copies into what holds itself, and lets it go
# draws: bytes of new memory at its peak
import numpy as np
import torch


class Held:
    def __init__(self, image):
        self.itself = self
        self.planes = image.transpose(2, 0, 1).copy()
        self.again = self.planes.copy()


def load_image(image):
    Held(image)
    return torch.from_numpy(np.array(image.transpose(2, 0, 1), order="C"))
