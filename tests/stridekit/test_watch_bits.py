"""What is watched comes out as it does unwatched: bits, strides, exceptions, and what follows."""

import copy
import random
import signal
import sys
import threading
import warnings
from contextlib import nullcontext

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import stridekit as sk


class UNet(nn.Module):
    """Down, up, and what was skipped put beside."""

    def __init__(self):
        super().__init__()
        self.down, self.middle = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.up, self.out = nn.ConvTranspose2d(8, 4, 2, stride=2), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        """One step down, one up."""
        skip = self.down(x).relu()
        y = self.middle(nn.functional.max_pool2d(skip, 2)).relu()
        return self.out(torch.cat([skip, self.up(y)], 1))


class Attention(nn.Module):
    """Heads read apart and put together, with a cache of keys and values."""

    def __init__(self, width=16, heads=4):
        super().__init__()
        self.qkv, self.out, self.heads = nn.Linear(width, 3 * width), nn.Linear(width, width), heads

    def forward(self, x, cache=None):
        """The result, and the cache with what is new."""
        b, t, c = x.shape
        q, k, v = (
            part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1)
        )
        if cache is not None:
            k, v = (torch.cat([old, new], 2) for old, new in zip(cache, (k, v), strict=True))
        y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, c)), (k, v)


class ViT(nn.Module):
    """Patches, a class token, one block."""

    def __init__(self):
        super().__init__()
        self.patches, self.token = (
            nn.Conv2d(3, 16, 4, stride=4),
            nn.Parameter(torch.randn(1, 1, 16)),
        )
        self.norm, self.block = nn.LayerNorm(16), Attention()

    def forward(self, x):
        """The class token, attended to."""
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(len(x), -1, -1), x], 1)
        return (x + self.block(self.norm(x))[0])[:, 0]


class Swin(nn.Module):
    """Windows, rolled and taken apart."""

    def __init__(self):
        super().__init__()
        self.block = Attention()

    def forward(self, x):
        """NHWC in and out."""
        b, h, w, c = x.shape
        x = torch.roll(x, (-1, -1), (1, 2)).view(b, h // 2, 2, w // 2, 2, c)
        x = x.permute(0, 1, 3, 2, 4, 5).reshape(-1, 4, c)
        x = self.block(x)[0].view(b, h // 2, w // 2, 2, 2, c)
        return torch.roll(x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c), (1, 1), (1, 2))


class Double(torch.autograd.Function):
    """A function of one's own for autograd."""

    @staticmethod
    def forward(_, x):
        """Twice."""
        return x.clone() * 2

    @staticmethod
    def backward(_, grad):
        """Twice, by Python on the way back."""
        return grad.t().contiguous().t() * 2


class Call(nn.Module):
    """A function as a module, with a weight to train."""

    def __init__(self, function):
        super().__init__()
        self.function, self.weight = function, nn.Parameter(torch.rand(4, 4) + 0.5)

    def forward(self, *given):
        """What the function makes of its input, and of the weight."""
        return self.function(self.weight, *given)


def generate(block):
    """Three steps of a cache that grows."""

    def run(_, x):
        cache, outs = None, []
        for t in range(3):
            y, cache = block(x[:, t : t + 1], cache)
            outs.append(y)
        return torch.cat(outs, 1)

    return run


def masked(x):
    """A padding mask: the last step of each second sample."""
    mask = torch.zeros(x.shape[:2], dtype=torch.bool)
    mask[::2, -1] = True
    return mask


class Encoder(nn.Module):
    """An encoder, whose fast path is taken in eval."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)

    def forward(self, x):
        """With padding."""
        return self.layers(x, src_key_padding_mask=masked(x))


class Attended(nn.Module):
    """torch's own attention, with a fast path too."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True, dropout=0.1)

    def forward(self, x):
        """With padding, and with weights."""
        y, weights = self.attention(x, x, x, key_padding_mask=masked(x))
        return y.sum() + weights.sum()


def image():
    return torch.randn(2, 3, 8, 8)


def steps():
    return torch.randn(2, 5, 16)


def square():
    return torch.randn(4, 4)


def in_place(w, x):
    y = w * x
    y[:, 0] = 2.0
    y[1:3] += y[1:3]
    return nn.functional.mish(nn.functional.silu(y, inplace=True) + 0, inplace=True)


def quantised(w, x):
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    return q.dequantize() @ w


def sparse(w, x):
    return torch.sparse.mm(x.relu().to_sparse(), w)


def nested(w, x):
    return torch.nested.nested_tensor([x, x[:2]], layout=torch.jagged).to_padded_tensor(0.0) @ w


MODELS = {
    "cnn": (
        lambda: nn.Sequential(
            nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(), nn.Flatten()
        ),
        image,
    ),
    "cnn in channels_last": (
        lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.PixelShuffle(2)).to(
            memory_format=torch.channels_last
        ),
        image,
    ),
    "u-net": (UNet, image),
    "vit": (ViT, image),
    "gpt with a cache": (lambda: Call(generate(Attention())), steps),
    "swin": (Swin, lambda: torch.randn(2, 4, 4, 16)),
    "encoder with padding": (Encoder, steps),
    "attention with padding": (Attended, steps),
    "decoder": (
        lambda: Call(lambda w, x: nn.TransformerDecoderLayer(16, 2, 16, batch_first=True)(x, x)),
        steps,
    ),
    "lstm": (lambda: nn.LSTM(16, 8, 2, batch_first=True, bidirectional=True), steps),
    "gru": (lambda: nn.GRU(16, 8, batch_first=True), steps),
    "embedding": (lambda: nn.EmbeddingBag(9, 4, mode="sum"), lambda: torch.randint(9, (3, 4))),
    "bicubic": (
        lambda: Call(
            lambda w, x: nn.functional.interpolate(x, scale_factor=1.7, mode="bicubic") * w.sum()
        ),
        image,
    ),
    "grid_sample": (
        lambda: Call(
            lambda w, x: nn.functional.grid_sample(
                x, nn.functional.affine_grid(w[None, :2, :3], (1, 3, 6, 6)).expand(2, -1, -1, -1)
            )
        ),
        image,
    ),
    "in place": (lambda: Call(in_place), square),
    "attention of torch": (
        lambda: Call(
            lambda w, x: nn.functional.scaled_dot_product_attention(
                x, x, x @ w.sum().expand(16, 16)
            )
        ),
        steps,
    ),
    "einsum": (lambda: Call(lambda w, x: torch.einsum("bij,kj->bik", x[..., :4], w)), steps),
    "pad and unfold": (
        lambda: Call(lambda w, x: nn.functional.unfold(nn.functional.pad(x, (1, 1)), 3) * w.sum()),
        image,
    ),
    "quantised": (lambda: Call(quantised), square),
    "sparse": (lambda: Call(sparse), square),
    "nested": (lambda: Call(nested), square),
    "vmap": (lambda: Call(lambda w, x: torch.vmap(lambda r: (w @ r).flip(0).clone())(x)), square),
    "jacobian": (
        lambda: Call(lambda w, x: torch.func.jacrev(lambda v: (w @ v.t()).reshape(-1))(x)),
        square,
    ),
    "checkpoint": (
        lambda: Call(lambda w, x: checkpoint(lambda v: (v @ w).t().sin(), x, use_reentrant=False)),
        square,
    ),
    "a function of one's own": (lambda: Call(lambda w, x: Double.apply(w * x)), square),
    "random numbers": (
        lambda: Call(lambda w, x: nn.functional.dropout(x @ w) + torch.rand_like(x)),
        square,
    ),
    "refused": (lambda: Call(lambda w, x: (x @ w).t().view(16)), square),
    "warned": (lambda: Call(lambda w, x: x.T @ w + x[None].T.sum()), square),
    "eager": (
        lambda: Call(
            torch.compile(lambda w, x: (w @ x).t().reshape(-1).sin(), backend="aot_eager")
        ),
        square,
    ),
}
MODES = {
    "grad": nullcontext,
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
}


def tensors_in(x):
    """All tensors of an answer."""
    if isinstance(x, torch.Tensor):
        return [x]
    return [t for y in x for t in tensors_in(y)] if isinstance(x, list | tuple) else []


def outcome(model, given, mode, watched):
    """All that one can see of a run: results, gradients, errors, warnings, what comes after."""
    torch.manual_seed(5)
    random.seed(5)
    model.zero_grad(set_to_none=True)
    seen, error, threads = [], "", threading.enumerate()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            with sk.watch() if watched else nullcontext(), MODES[mode]():
                found = tensors_in(model(given))
                if found and found[0].requires_grad:
                    sum(t.float().sum() for t in found if t.is_floating_point()).backward()
                seen = found
        except Exception as raised:  # noqa: BLE001 - each must raise the same
            error = f"{type(raised).__name__}: {raised}"
    seen = [*seen, *(p.grad for p in model.parameters() if p.grad is not None)]
    headers = [(tuple(t.shape), t.stride(), str(t.dtype), t.requires_grad) for t in seen]
    bits = [t.detach().reshape(-1).contiguous().view(torch.uint8).numpy().tobytes() for t in seen]
    texts = [str(each.message) for each in warned]
    return headers, bits, error, texts, torch.rand(3).tolist(), random.random(), around(threads)


def around(threads):
    """What a program may look at: it is the same before and after. So are the threads.

    Those that others have left behind in this process may end at any time.
    """
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch.autograd._profiler_enabled(),
        torch._C._len_torch_dispatch_stack(),
        torch._C._len_torch_function_stack(),
        sys.getprofile(),
        sys.gettrace(),
        signal.getsignal(signal.SIGINT),
        [each.name for each in threading.enumerate() if each not in threads],
    )


@pytest.mark.parametrize("name", MODELS)
def test_the_same_bits(name):
    """In four modes, in train and in eval."""
    make, give = MODELS[name]
    torch.manual_seed(3)
    model, given = make(), give()
    for training in (True, False):
        model.train(training)
        for mode in MODES:
            # What is built at the first run, such as a compiled function, is there by then; what
            # batch norm has counted is not.
            state = copy.deepcopy(model.state_dict())
            outcomes = []
            for watched in (False, False, True):
                model.load_state_dict(state)
                outcomes.append(outcome(model, given, mode, watched))
            assert outcomes[2] == outcomes[1], (mode, training)
