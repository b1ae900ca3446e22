"""Cells that fail as those do which people ask about, and what must be said of each.

Collected from issues and questions that quote torch's and NumPy's refusals, and written anew, as
small as they go. A row is a cell, and then the facts that its reason must name. A fact that
begins with `->` is the way out, as it is to be pasted.
"""

import hashlib
import linecache
import warnings
from itertools import count

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch.utils.data import DataLoader

import stridekit as sk

mpl.use("agg")

_cells = count()


def run(cell, **names):
    """Run a cell; its source can be read, as a notebook's can."""
    file = f"<a test's cell {next(_cells)}>"
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    libraries = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np, "sk": sk}
    libraries |= {"plt": plt, "DataLoader": DataLoader, "hashlib": hashlib}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(cell, file, "exec"), {"__name__": "__main__", **libraries, **names})


def failure(cell, **names):
    """What a cell raises."""
    try:
        run(cell, **names)
    except Exception as error:  # noqa: BLE001 - whatever a cell raises
        return error
    raise AssertionError("this was to fail")


Row = tuple[str, ...]

VIEWS: list[Row] = [
    ("x = torch.zeros(4, 3, 2).transpose(1, 2)\nx.view(x.shape[0], -1)",
     "dims 1 and 2 cannot merge", "-> x.reshape(x.shape[0], -1)"),
    ("x = torch.zeros(4, 3, 2).permute(0, 2, 1)\nx = x.view(x.size(0), -1)",
     "dims 1 and 2 cannot merge", "-> x.reshape(x.size(0), -1)"),
    ("correct = torch.zeros(5, 8).t()\nk = 3\ncorrect[:k].view(-1).float().sum(0, keepdim=True)",
     "size (3, 5), stride (1, 8)", "-> correct[:k].reshape(-1)"),
    ("def heads(q, n):\n    b, t, c = q.shape\n"
     "    q = q.view(b, t, n, c // n).transpose(1, 2)\n    return q.view(b, t, c)\n"
     "heads(torch.zeros(2, 5, 8), 4)", "size (2, 4, 5, 2)", "-> q.reshape(b, t, c)"),
    ("class Net(nn.Module):\n    def forward(self, x):\n        x = x.permute(0, 2, 3, 1)\n"
     "        return x.view(len(x), -1)\nNet()(torch.zeros(2, 3, 4, 4))",
     "cannot merge", "-> x.reshape(len(x), -1)"),
    ("y = torch.zeros(3, 4)\ny[:, :2].view(6)", "size (3, 2), stride (4, 1)",
     "-> y[:, :2].reshape(6)"),
    ("y = torch.zeros(3, 4)\nn = 2\ny[:, :n].view(n * 3)", "dims 0 and 1 cannot merge"),
    ("p = torch.zeros(4, 1).expand(4, 5)\np.view(-1)", "stride (1, 0)", "-> p.reshape(-1)"),
    ("x = torch.zeros(2, 6)\nx[:, 1:4].view(*x.shape[:0], 6)", "size (2, 3), stride (6, 1)"),
    ("x = torch.zeros(2, 3, 4)\nx.mT.flatten(1).view(2, 12).t().view(-1)", "cannot merge"),
    ("x = torch.zeros(1, 3, 4, 4).contiguous(memory_format=torch.channels_last)\nx.view(1, -1)",
     "stride (48, 1, 12, 3)", "-> x.reshape(1, -1)"),
    ("x = torch.zeros(3, 4).t()\nx.view_as(torch.zeros(2, 6))", "cannot merge",
     "-> x.reshape_as(torch.zeros(2, 6))"),
    ("state = {'w': torch.zeros(3, 4).t()}\nfor name, w in state.items():\n    w.view(-1)",
     "size (4, 3), stride (1, 4)", "-> w.reshape(-1)"),
    ("flat = torch.cat([p.view(-1) for p in [torch.zeros(2, 2), torch.zeros(2, 3).t()]])",
     "size (3, 2), stride (1, 3)", "-> p.reshape(-1)"),
    ("conv = nn.Conv2d(3, 4, 1)\nx = torch.zeros(2, 3, 4, 4)\n"
     "conv(x).permute(0, 2, 3, 1).view(2, 64)", "size (2, 4, 4, 4)",
     "-> conv(x).permute(0, 2, 3, 1).reshape(2, 64)"),
    ("torch.zeros(3, 4).t().unsqueeze(0).view(\n    1,\n    -1,\n)", "dims 1 and 2 cannot merge"),
    ("x = torch.zeros(4, 16, 6, 6)\nx.view(-1, 400)", "2304", "400", "-> x.flatten(1)"),
    ("x = torch.zeros(30, 784)\nbatch = 32\nx.view(batch, 1, 28, 28)", "25088", "23520",
     "-> x.view(-1, 1, 28, 28)"),
    ("x = torch.zeros(2, 3, 4)\nx.reshape(x.shape[0], 3, -1, 5)", "24 elements do not divide by 30"),
    ("x = torch.arange(10)\nx.view(3, -1)", "10 elements do not divide by 3"),
    ("x = torch.zeros(2, 6)\nx.view(-1, -1)", "one -1"),
    ("h, d = 3, 8\nx = torch.zeros(2, 5, d)\nx.view(2, 5, h, d // h)", "60", "80"),
    ("x = torch.zeros(6)\nx.unflatten(0, (4, 2))", "6", "8"),
    ("up = nn.Unflatten(1, (2, 3))\nup(torch.zeros(2, 5))", "5", "6"),
    ("x = torch.zeros(3, 5)\nx.view(torch.complex64)", "size[-1] is 5"),
    ("x = torch.zeros(4, 6).t()\nx.view(torch.int16)", "stride[-1] is 6",
     "-> x.contiguous().view(torch.int16)"),
    ("torch.tensor(1.0).view(torch.uint8)", "rank 0"),
    ("x = torch.zeros(2, 4)\nxc = torch.view_as_complex(x)", "size (2, 4)", "last dim"),
    ("q = torch.zeros(2, 5, 8)\nq = q.view(2, 5, 2, 4).transpose(-1, -2)\n"
     "torch.view_as_complex(q)", "Stride[-1] is 4", "-> torch.view_as_complex(q.contiguous())"),
    ("x = torch.zeros(4, 3)[:, :2]\ntorch.view_as_complex(x)", "Stride (3, 1)",
     "-> torch.view_as_complex(x.contiguous())"),
    ("torch.zeros(6).as_strided((3, 3), (2, 1))", "position 6", "ends at 5"),
    ("x = torch.zeros(10)\nw = 4\nx.as_strided((10 - w + 2, w), (1, 1))", "position 10"),
    ("a = torch.zeros(3)\na.set_(torch.zeros(5).untyped_storage(), 3, (3,), (1,))",
     "position 5"),
    ("img = torch.zeros(3, 8, 8)\nimg.to(memory_format=torch.channels_last)", "size (3, 8, 8)",
     "-> img.unsqueeze(0).to(memory_format=torch.channels_last)"),
    ("x = torch.zeros(5)\nx[::-1]", "step", "-> x.flip(0)"),
    ("img = torch.zeros(3, 4, 4)\nimg[:, :, ::-1]", "step", "-> img.flip(2)"),
    ("x = torch.zeros(5)\nx.unfold(0, 6, 1)", "6", "size 5"),
    ("a = np.arange(12).reshape(3, 4).T\na.shape = (12,)", "cannot merge", "-> a = a.reshape((12,))"),
    ("a = np.arange(12).reshape(3, 4)[:, :2]\na.reshape(6, copy=False)", "cannot merge",
     "-> a.reshape(6)"),
    ("a = np.arange(12)\na.reshape(5, 2)", "10", "12"),
    ("img = np.zeros((28, 28))\nimg.reshape(1, 3, 28, 28)", "2352", "784"),
    ("data = np.zeros((7, 5))\nn = 2\nnp.reshape(data, (n, -1))", "35 elements do not divide by 2"),
    ("a = np.zeros((3, 5), np.float32)\na.view(np.float64)", "size[-1] is 5"),
    ("a = np.zeros((4, 6), np.float32).T\na.view(np.complex64)", "stride[-1]",
     "-> np.ascontiguousarray(a).view(np.complex64)"),
    ("a = np.arange(3, dtype=np.uint8)\na.view(np.int32)", "size[-1] is 3"),
]  # fmt: skip

DIMS: list[Row] = [
    ("img = torch.zeros(2, 3, 4, 4)\nimg.permute(1, 2, 0)", "3 dims are named", "size (2, 3, 4, 4)"),
    ("x = torch.zeros(3, 4)\nx.permute(0, 2, 1)", "3 dims are named", "size (3, 4)"),
    ("x = torch.zeros(2, 3, 4)\nx.permute(0, 1, 1)", "Dim 1 is named twice"),
    ("x = torch.zeros(2, 3, 4)\nx.permute(0, 3, 1)", "size (2, 3, 4)", "3"),
    ("k = torch.zeros(5, 8)\nk.transpose(1, 2)", "size (5, 8)", "2"),
    ("x = torch.zeros(2, 3, 4)\nx.t()", "size (2, 3, 4)", "-> x.transpose(-2, -1)"),
    ("x = torch.zeros(5)\nx.unsqueeze(3)", "size (5,)", "3"),
    ("logits = torch.zeros(10)\nF.softmax(logits, dim=1)", "size (10,)", "1"),
    ("nn.Flatten(1, 3)(torch.zeros(2, 3))", "size (2, 3)", "3"),
    ("torch.zeros(4, 5).sum(dim=2)", "size (4, 5)", "2"),
    ("torch.argmax(torch.zeros(4), dim=1)", "size (4,)", "1"),
    ("x = torch.zeros(2, 3)\nx.narrow(1, 2, x.shape[0])", "Start 2 + length 2", "size 3"),
    ("qkv = torch.zeros(2, 5, 10)\nq, k, v = qkv.split([4, 4, 4], dim=-1)", "add up to 10"),
    ("x = torch.zeros(2, 3)\nx.repeat(2)", "size (2, 3)", "one count for each dim"),
    ("x = torch.zeros(2, 3)\nx.movedim((0, 1), (1,))", "2 dims"),
    ("torch.zeros(4, 5)[0, :, 0]", "more indices than dims", "size (4, 5)"),
    ("x = torch.zeros(4, 5)\ni = 5\nx[:, i]", "index 5", "size 5"),
    ("x = torch.zeros(4, 5)\nx[4] = 1", "index 4", "size 4"),
    ("a = np.zeros((4, 2))\na.transpose(0, 2, 1)", "3 dims are named", "size (4, 2)"),
    ("a = np.zeros((4, 2))\nnp.transpose(a, (0, 0))", "Dim 0 is named twice"),
    ("a = np.zeros((4, 2))\na.sum(axis=2)", "size (4, 2)", "2"),
    ("a = np.zeros(4)\nnp.concatenate([a, a], axis=1)", "size (4,)", "1"),
    ("a = np.zeros((4, 2))\na.swapaxes(0, 2)", "size (4, 2)", "2"),
    ("a = np.zeros((3, 2))\na.squeeze(0)", "size (3, 2)", "3"),
    ("a = np.zeros((3, 2))\na[0, 0, 0]", "more indices than dims", "size (3, 2)"),
    ("a = np.zeros((3, 2))\nn = 3\na[n]", "index 3", "size 3"),
]  # fmt: skip

BROADCASTING: list[Row] = [
    ("a = torch.zeros(3, 4)\na - a.mean(dim=1)", "(3, 4)", "(3,)", "-> a - a.mean(dim=1, keepdim=True)"),
    ("a = np.zeros((3, 4))\na - a.mean(axis=1)", "(3, 4)", "(3,)",
     "-> a - a.mean(axis=1, keepdims=True)"),
    ("a = np.zeros((3, 4))\na / np.linalg.norm(a, axis=1)", "(3, 4)", "(3,)",
     "-> a / np.linalg.norm(a, axis=1, keepdims=True)"),
    ("x = np.zeros((5, 2))\nnorm = np.sqrt((x ** 2).sum(axis=1))\nx / norm", "(5, 2)", "(5,)",
     "-> x / norm[:, None]"),
    ("x = torch.zeros(5, 2)\nx / x.norm(dim=1)", "(5, 2)", "(5,)", "-> x / x.norm(dim=1, keepdim=True)"),
    ("x = torch.zeros(2, 64, 16, 16)\nskip = torch.zeros(2, 64, 15, 15)\nx + skip",
     "dim -1 is 16 in one and 15"),
    ("img = torch.zeros(3, 8, 8)\nmean = torch.tensor([0.5, 0.5, 0.5])\nimg - mean",
     "(3, 8, 8)", "(3,)", "-> img - mean[:, None, None]"),
    ("img = np.zeros((3, 8, 8))\nmean = np.array([0.5, 0.5, 0.5])\n(img - mean) / 0.2",
     "(3, 8, 8)", "(3,)", "-> img - mean[:, None, None]"),
    ("pred = torch.zeros(8, 10)\ny = torch.zeros(8)\n((pred - y) ** 2).mean()", "dim -1 is 10",
     "-> pred - y[:, None]"),
    ("scores = torch.zeros(2, 4, 5, 5)\nmask = torch.zeros(2, 5, 5)\nscores + mask",
     "dim -3 is 4 in one and 2", "-> scores + mask[:, None]"),
    ("scores = torch.zeros(2, 4, 5, 5)\npad = torch.zeros(2, 5) > 0\n"
     "scores.masked_fill(pad, float('-inf'))", "dim -2 is 5 in one and 2"),
    ("scores = torch.zeros(5, 5)\nmask = torch.tril(torch.ones(4, 4))\n"
     "scores.masked_fill(mask == 0, -1e9)", "dim -1 is 5 in one and 4"),
    ("emb = torch.zeros(2, 10, 8)\npos = torch.zeros(12, 8)\nemb + pos", "dim -2 is 10 in one and 12"),
    ("emb = torch.zeros(2, 10, 8)\npe = torch.zeros(1, 12, 8)\nx = emb * 8 ** 0.5 + pe",
     "dim -2 is 10 in one and 12"),
    ("a = torch.zeros(3)\nb = torch.zeros(4)\na * b", "dim -1 is 3 in one and 4"),
    ("a, b = np.zeros((3, 2)), np.zeros((2, 3))\na + b", "dim -1 is 2 in one and 3", "-> a + b.T"),
    ("x = np.linspace(0, 1, 10)\ny = np.linspace(0, 1, 11)\ny - np.sin(x)", "dim -1 is 11 in one and 10"),
    ("t = np.arange(5)\ndt = np.diff(t)\nt / dt", "dim -1 is 5 in one and 4"),
    ("X = np.zeros((6, 3))\nw = np.zeros(6)\nX * w", "(6, 3)", "-> X * w[:, None]"),
    ("X = np.zeros((6, 3))\nX > X.max(axis=1)", "(6, 3)", "-> X > X.max(axis=1, keepdims=True)"),
    ("np.where(np.zeros((3, 2)) > 0, np.zeros(3), 0)", "dim -1 is 2 in one and 3"),
    ("np.maximum(np.zeros((2, 3)), np.zeros(2))", "dim -1 is 3 in one and 2"),
    ("torch.where(torch.zeros(3, 2) > 0, torch.zeros(3), torch.tensor(0.0))",
     "dim -1 is 2 in one and 3"),
    ("loss = nn.MSELoss()\nout = torch.zeros(4, 2)\ntarget = torch.zeros(4, 3)\nloss(out, target)",
     "out", "target", "dim -1 is 2 in one and 3"),
    ("F.l1_loss(torch.zeros(4, 2), torch.zeros(3, 2))", "dim -2 is 4 in one and 3"),
    ("out = nn.Linear(3, 2)(torch.zeros(4, 3))\nF.mse_loss(out, torch.zeros(4))",
     "(4, 2)", "(4,)"),
    ("class Res(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
     "        self.conv = nn.Conv2d(3, 8, 3, padding=1)\n    def forward(self, x):\n"
     "        return x + self.conv(x)\nRes()(torch.zeros(1, 3, 4, 4))",
     "dim -3 is 3 in one and 8", "self.conv(x)"),
    ("class Res(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
     "        self.conv = nn.Conv2d(3, 3, 3)\n    def forward(self, x):\n"
     "        y = F.relu(self.conv(x))\n        y += x\n        return y\n"
     "Res()(torch.zeros(1, 3, 8, 8))", "(1, 3, 6, 6)", "(1, 3, 8, 8)"),
    ("a = torch.zeros(3)\na += torch.zeros(2, 3)", "keeps its size (3,)", "-> a = a + torch.zeros(2, 3)"),
    ("a = np.zeros(3)\na += np.zeros((2, 3))", "keeps its size (3,)", "-> a = a + np.zeros((2, 3))"),
    ("total = np.zeros(3)\nfor row in [np.ones(3), np.ones(4)]:\n    total += row",
     "dim -1 is 3 in one and 4"),
    ("out = np.zeros(3)\nnp.add(np.zeros((2, 3)), 1, out=out)", "(3,)", "(2, 3)"),
    ("x = torch.zeros(3)\nx.mul_(torch.zeros(2, 3))", "keeps its size (3,)"),
    ("torch.lerp(torch.zeros(3), torch.zeros(2), 0.5)", "dim -1 is 3 in one and 2"),
    ("torch.broadcast_tensors(torch.zeros(3, 1), torch.zeros(2, 4))", "dim -2 is 3 in one and 2"),
    ("F.cosine_similarity(torch.zeros(4, 2), torch.zeros(4, 3))", "dim -1 is 2 in one and 3"),
]  # fmt: skip

EXPANDING: list[Row] = [
    ("norm = torch.zeros(96)\nx = torch.zeros(96, 64)\nx / norm.expand_as(x)",
     "dim 1", "96", "64", "-> norm[:, None].expand_as(x)"),
    ("b = torch.zeros(3)\nb.expand(3, 4)", "3", "4", "-> b[:, None].expand(3, 4)"),
    ("mask = torch.zeros(2, 5)\nmask.expand(2, 4, 5, 5)", "dim 2", "2", "5"),
    ("cls = torch.zeros(1, 1, 8)\ncls.expand(4, -1)", "3 dims"),
    ("x = torch.zeros(3)\nx.expand(-1, 3)", "-1", "size (3,)"),
    ("x = torch.zeros(2, 3)\nn = 4\nx.expand(n, n)", "from 3 to 4"),
    ("np.broadcast_to(np.zeros(3), (3, 2))", "from 3 to 2", "-> np.broadcast_to(np.zeros(3)[:, None], (3, 2))"),
    ("np.broadcast_to(np.zeros((2, 3)), 3)", "2 dims"),
]  # fmt: skip

WRITING: list[Row] = [
    ("cache = torch.zeros(2, 4, 8, 3)\nk = torch.zeros(2, 4, 2, 5)\npos = 1\n"
     "cache[:, :, pos:pos + k.shape[2]] = k", "(2, 4, 2, 3)", "(2, 4, 2, 5)", "dim -1"),
    ("cache = torch.zeros(2, 8, 3)\nk = torch.zeros(2, 3, 3)\npos = 6\n"
     "cache[:, pos:pos + k.shape[1]] = k", "(2, 2, 3)", "(2, 3, 3)"),
    ("new = np.zeros((4, 4, 9))\ndata = np.zeros((3, 3, 2))\n"
     "new[:data.shape[0], :data.shape[1]] = data", "(3, 3, 9)", "(3, 3, 2)"),
    ("r = 2\nout = torch.zeros(1, 1, 6, 9)\nlow = torch.zeros(1, 1, 3, 4)\n"
     "for i in range(r):\n    out[:, :, i::r, i::r] = low", "(1, 1, 3, 5)", "(1, 1, 3, 4)"),
    ("batch = np.zeros((2, 8, 8))\nimg = np.zeros((8, 8, 3))\nfor i in range(2):\n    batch[i] = img",
     "batch[i]", "(8, 8)", "(8, 8, 3)"),
    ("a = np.zeros((160, 400))\nb = np.zeros((400, 160))\na[:] = b", "(160, 400)", "(400, 160)",
     "-> a[:] = b.T"),
    ("a = np.zeros(5)\nb = np.zeros((5, 1))\na[:] = b", "(5,)", "(5, 1)", "-> a[:] = b[:, 0]"),
    ("obs = np.zeros(7)\nobs[:] = np.zeros(0)", "(7,)", "(0,)"),
    ("a = np.zeros((3, 2))\na[0] = np.zeros(3)", "a[0]", "(2,)", "(3,)"),
    ("a = np.zeros((4, 4))\nblock = np.ones((2, 2))\ni, j = 3, 1\na[i:i + 2, j:j + 2] = block",
     "(1, 2)", "(2, 2)"),
    ("a = np.zeros(3)\nnp.copyto(a, np.zeros(2))", "(3,)", "(2,)"),
    ("a = torch.zeros(2, 3)\na[0].copy_(torch.zeros(2))", "(3,)", "(2,)"),
    ("lin = nn.Linear(3, 2)\nlin.weight.data.copy_(torch.zeros(3, 2))", "(2, 3)", "(3, 2)",
     "-> lin.weight.data.copy_(torch.zeros(3, 2).T)"),
    ("x = torch.zeros(4, 2)\nmask = torch.tensor([True, False, True, False])\nx[mask] = torch.zeros(3, 2)",
     "(2, 2)", "(3, 2)"),
    ("x = torch.zeros(4)\nv = torch.ones(4)\nmask = torch.tensor([True, False, True, False])\n"
     "x[mask] = v", "(2,)", "(4,)", "-> x[mask] = v[mask]"),
    ("x = np.zeros(4)\nv = np.ones(4)\nmask = np.array([True, False, True, False])\nx[mask] = v",
     "(2,)", "(4,)", "-> x[mask] = v[mask]"),
    ("x = np.zeros((4, 2))\nidx = [0, 2]\nx[idx] = np.ones(3)", "(2, 2)", "(3,)"),
    ("x = torch.zeros(4, 3)\nidx = torch.tensor([0, 2])\nx[idx] = torch.ones(3, 3)", "(2, 3)", "(3, 3)"),
    ("x = torch.zeros(5, 5)\nd = x.diagonal()\nd[:] = torch.zeros(4)", "(5,)", "(4,)"),
    ("h = torch.zeros(2, 3)\nh[:, -1] = torch.zeros(2, 1)", "(2,)", "(2, 1)",
     "-> h[:, -1] = torch.zeros(2, 1)[:, 0]"),
]  # fmt: skip

PRODUCTS: list[Row] = [
    ("x = torch.zeros(2, 3)\nw = torch.zeros(2, 3)\nx @ w", "last dim", "3", "2", "-> x @ w.T"),
    ("q = torch.zeros(2, 4, 8)\nk = torch.zeros(2, 4, 8)\ntorch.bmm(q, k)", "8", "4",
     "-> torch.bmm(q, k.mT)"),
    ("q = torch.zeros(2, 4, 5, 8)\nk = torch.zeros(2, 4, 5, 8)\nattn = q @ k / 8 ** 0.5", "8", "5",
     "-> q @ k.mT"),
    ("torch.mm(torch.zeros(2, 3), torch.zeros(4, 3))", "3", "4",
     "-> torch.mm(torch.zeros(2, 3), torch.zeros(4, 3).T)"),
    ("torch.mm(torch.zeros(2, 3), torch.zeros(3))", "2 and 2 dims", "(3,)",
     "-> torch.matmul(torch.zeros(2, 3), torch.zeros(3))"),
    ("A = torch.zeros(2, 3)\nA.mv(torch.zeros(2))", "3", "2"),
    ("torch.dot(torch.zeros(3), torch.zeros(4))", "3", "4"),
    ("torch.matmul(torch.zeros(5, 3), torch.zeros(5))", "3", "5"),
    ("torch.zeros(2, 3, 4) @ torch.zeros(3, 4, 5)", "all dims but the last two"),
    ("torch.bmm(torch.zeros(2, 3, 4), torch.zeros(3, 4, 5))", "one matrix after another: 2 is not 3"),
    ("torch.bmm(torch.zeros(3, 4), torch.zeros(4, 5))", "3 and 3", "(3, 4)",
     "-> torch.matmul(torch.zeros(3, 4), torch.zeros(4, 5))"),
    ("torch.addmm(torch.zeros(3), torch.zeros(2, 4), torch.zeros(4, 2))", "(3,)", "(2, 2)"),
    ("torch.einsum('bi,ij->bj', torch.zeros(2, 3), torch.zeros(4, 5))", "i", "3", "4"),
    ("x = torch.zeros(2, 3, 1)\ntorch.einsum('bi,ij->bj', x, torch.zeros(3, 5))", "bi", "(2, 3, 1)"),
    ("torch.tensordot(torch.zeros(2, 3), torch.zeros(2, 4), dims=1)", "3", "2"),
    ("torch.linalg.solve(torch.zeros(3, 3), torch.zeros(4))", "(3, 3)", "(4,)"),
    ("torch.linalg.inv(torch.zeros(2, 3))", "(2, 3)", "square"),
    ("fc = nn.Linear(400, 10)\nx = torch.zeros(4, 16, 6, 6)\nfc(x.view(4, -1))", "400", "576",
     "fc.weight"),
    ("model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(100, 10))\n"
     "images = torch.zeros(2, 1, 8, 8)\nmodel(images)", "144", "100", "model.3.weight"),
    ("class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
     "        self.fc1 = nn.Linear(6, 4)\n        self.fc2 = nn.Linear(5, 2)\n"
     "    def forward(self, x):\n        x = F.relu(self.fc1(x))\n        return self.fc2(x)\n"
     "Net()(torch.zeros(3, 6))", "self.fc2.weight", "5", "4"),
    ("fc = nn.Linear(8, 2)\nx = torch.zeros(8, 3)\nfc(x)", "8", "3", "-> fc(x.T)"),
    ("fc = nn.Linear(3, 2)\nfc(torch.zeros(2, 3, 4))", "3", "4"),
    ("F.linear(torch.zeros(2, 4), torch.zeros(3, 5))", "4", "5"),
    ("nn.Bilinear(2, 3, 4)(torch.zeros(5, 2), torch.zeros(5, 2))", "2", "3"),
    ("a = np.zeros((2, 3))\nb = np.zeros((2, 3))\nnp.dot(a, b)", "3", "2", "-> np.dot(a, b.T)"),
    ("X = np.zeros((5, 3))\ntheta = np.zeros(5)\nX.dot(theta)", "3", "5", "-> X.T.dot(theta)"),
    ("X = np.zeros((5, 3))\nw = np.zeros((5, 1))\nX @ w", "3", "5", "-> X.T @ w"),
    ("np.matmul(np.zeros((2, 3)), np.zeros(2))", "3", "2"),
    ("np.zeros((2, 3, 4)) @ np.zeros((3, 4, 5))", "all dims but the last two"),
    ("np.dot(np.zeros(3), np.zeros(4))", "3", "4"),
    ("np.einsum('ij,jk->ik', np.zeros((2, 3)), np.zeros((2, 4)))", "j", "3", "2"),
    ("np.linalg.solve(np.eye(3), np.zeros(4))", "(3, 3)", "(4,)"),
    ("np.linalg.inv(np.zeros((2, 3)))", "(2, 3)", "square"),
    ("np.tensordot(np.zeros((2, 3)), np.zeros((2, 4)), axes=1)", "3", "2"),
]  # fmt: skip

JOINING: list[Row] = [
    ("e4 = torch.zeros(1, 8, 61, 61)\nd5 = torch.zeros(1, 8, 60, 60)\ntorch.cat((e4, d5), dim=1)",
     "e4", "d5", "dim 2", "61", "60"),
    ("a, b = torch.zeros(2, 3), torch.zeros(2, 4)\ntorch.cat([a, b])", "(2, 3)", "(2, 4)",
     "-> torch.cat([a, b], dim=1)"),
    ("x = torch.zeros(4, 8)\ncls = torch.zeros(8)\ntorch.cat([cls, x])", "(8,)", "(4, 8)",
     "-> torch.cat([cls[None], x])"),
    ("torch.cat([torch.zeros(2, 3), torch.zeros(2, 3, 1)], dim=-1)", "(2, 3)", "(2, 3, 1)"),
    ("losses = [torch.tensor(1.0), torch.tensor(2.0)]\ntorch.cat(losses)", "()",
     "-> torch.stack(losses)"),
    ("torch.stack([torch.zeros(3), torch.zeros(4)])", "(3,)", "(4,)"),
    ("seqs = [torch.zeros(5, 2), torch.zeros(3, 2)]\ntorch.stack(seqs)", "seqs[0]", "seqs[1]",
     "-> torch.nn.utils.rnn.pad_sequence(seqs, batch_first=True)"),
    ("rows = [[1, 2, 3], [4, 5]]\nbatch = torch.stack([torch.tensor(r) for r in rows])",
     "(3,)", "(2,)"),
    ("torch.hstack([torch.zeros(2, 3), torch.zeros(3, 3)])", "(2, 3)", "(3, 3)"),
    ("torch.vstack([torch.zeros(2, 3), torch.zeros(2, 4)])", "(2, 3)", "(2, 4)"),
    ("data = [torch.zeros(3, 4, 4), torch.zeros(3, 5, 4)]\nfor batch in DataLoader(data, batch_size=2):\n"
     "    pass", "(3, 4, 4)", "(3, 5, 4)"),
    ("data = [(torch.zeros(3), 0), (torch.zeros(4), 1)]\nx, y = next(iter(DataLoader(data, batch_size=2)))",
     "(3,)", "(4,)"),
    ("data = [{'ids': torch.zeros(3)}, {'ids': torch.zeros(2)}]\nnext(iter(DataLoader(data, batch_size=2)))",
     "(3,)", "(2,)"),
    ("def collate(items):\n    return torch.stack(items)\n"
     "data = [torch.zeros(3), torch.zeros(4)]\nnext(iter(DataLoader(data, 2, collate_fn=collate)))",
     "items[0]", "(3,)", "(4,)"),
    ("np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])", "(2, 3)", "(2, 4)",
     "-> np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))], axis=1)"),
    ("X = np.zeros((5, 3))\nones = np.ones(5)\nnp.concatenate([ones, X], axis=1)", "(5,)", "(5, 3)",
     "-> np.concatenate([ones[:, None], X], axis=1)"),
    ("X = np.zeros((5, 3))\nnp.hstack([np.ones(5), X])", "(5,)", "(5, 3)",
     "-> np.hstack([np.ones(5)[:, None], X])"),
    ("np.vstack([np.zeros(3), np.zeros(4)])", "(3,)", "(4,)"),
    ("np.stack([np.zeros(3), np.zeros(4)])", "(3,)", "(4,)"),
    ("np.column_stack([np.zeros(3), np.zeros(4)])", "(3,)", "(4,)"),
    ("a = np.zeros((2, 3))\nnp.append(a, np.zeros(3), axis=0)", "(2, 3)", "(3,)",
     "-> np.append(a, np.zeros(3)[None], axis=0)"),
    ("imgs = [np.zeros((4, 4, 3)), np.zeros((4, 4))]\nnp.stack(imgs)", "imgs[0]", "(4, 4, 3)", "(4, 4)"),
    ("total = np.float64(1.0)\nnp.concatenate([np.zeros(3), total])", "(3,)", "()"),
]  # fmt: skip

PICKING: list[Row] = [
    ("x = torch.zeros(4)\nm = torch.zeros(3) > 0\nx[m]", "(3,)", "(4,)"),
    ("old = torch.zeros(5, 10)\nmask = torch.zeros(10) > 0\nold[mask]", "(10,)", "(5, 10)",
     "-> old[:, mask]"),
    ("feat = torch.zeros(6, 4)\nfg = torch.zeros(6) > 0\nfeat[:, fg]", "(6,)", "(6, 4)",
     "-> feat[fg]"),
    ("conf = torch.zeros(5, 3, 3)\nious = torch.zeros(45)\nconf[ious > 0.5] = 0", "(45,)", "(5, 3, 3)"),
    ("hidden = torch.zeros(1, 7, 9)\nhidden[torch.zeros(1, 6) > 0]", "(1, 6)", "(1, 7, 9)"),
    ("x = torch.zeros(4, 5)\nx[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]", "[2], [3]"),
    ("x = torch.zeros(3)\nx[torch.tensor([0.0, 1.0])]", "float32", "-> x[torch.tensor([0.0, 1.0]).long()]"),
    ("x = torch.zeros(3, 4)\nx.index_select(0, torch.zeros(2, 2).long())", "(2, 2)"),
    ("x = torch.zeros(3, 2)\nx.gather(1, torch.zeros(3).long())", "(3, 2)", "(3,)",
     "-> x.gather(1, torch.zeros(3).long()[:, None])"),
    ("x = torch.zeros(3, 2)\nx.gather(1, torch.zeros(4, 1).long())", "(3, 2)", "(4, 1)"),
    ("x = torch.zeros(3, 2)\nx.scatter_(1, torch.zeros(3).long(), 1.0)", "(3, 2)", "(3,)",
     "-> x.scatter_(1, torch.zeros(3).long()[:, None], 1.0)"),
    ("x = torch.zeros(3, 2)\nx.masked_select(torch.zeros(2, 3) > 0)", "(3, 2)", "(2, 3)"),
    ("a = np.zeros((3, 2))\nkeep = np.zeros(2) > 0\na[keep]", "(2,)", "(3, 2)", "-> a[:, keep]"),
    ("a = np.zeros(4)\na[np.zeros(5) > 0] = 1", "(5,)", "(4,)"),
    ("a = np.zeros((4, 2))\na[[0, 1], [0, 1, 1]]", "(2,)", "(3,)"),
    ("a = np.zeros(3)\nidx = np.zeros(2)\na[idx]", "float64", "-> a[idx.astype(int)]"),
]  # fmt: skip

LAYERS: list[Row] = [
    ("conv = nn.Conv2d(3, 8, 3)\nx = torch.zeros(2, 28, 28, 3)\nconv(x)", "28", "3",
     "-> conv(x.permute(0, 3, 1, 2))"),
    ("conv = nn.Conv2d(3, 8, 3)\nimg = torch.zeros(28, 28, 3)\nconv(img)", "28", "3",
     "-> conv(img.permute(2, 0, 1))"),
    ("conv = nn.Conv2d(3, 8, 3)\nconv(torch.zeros(1, 1, 28, 28))", "1", "3"),
    ("conv = nn.Conv2d(1, 8, 3)\nx = torch.zeros(16, 28, 28)\nconv(x)", "16", "1",
     "-> conv(x[:, None])"),
    ("conv = nn.Conv1d(8, 4, 3)\nx = torch.zeros(2, 10, 8)\nconv(x)", "10", "8",
     "-> conv(x.mT)"),
    ("nn.Conv2d(3, 8, 3)(torch.zeros(3, 28))", "(3, 28)"),
    ("net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Conv2d(16, 8, 3))\nnet(torch.zeros(1, 3, 8, 8))",
     "net.1", "8", "16"),
    ("nn.ConvTranspose2d(8, 4, 2)(torch.zeros(1, 4, 8, 8))", "4", "8"),
    ("nn.Conv2d(3, 8, 5)(torch.zeros(1, 3, 4, 4))", "4", "5"),
    ("bn = nn.BatchNorm1d(4)\nbn(torch.zeros(2, 5))", "5", "4"),
    ("nn.BatchNorm2d(4)(torch.zeros(2, 4))", "(2, 4)"),
    ("ln = nn.LayerNorm(8)\nx = torch.zeros(2, 8, 5)\nln(x)", "5", "8", "-> ln(x.mT)"),
    ("lstm = nn.LSTM(4, 8)\nx = torch.zeros(5, 2, 3)\nlstm(x)", "3", "4"),
    ("gru = nn.GRU(4, 8, batch_first=True)\ngru(torch.zeros(5, 2, 4), torch.zeros(1, 2, 8))",
     "(1, 5, 8)", "(1, 2, 8)"),
    ("mha = nn.MultiheadAttention(8, 2)\nx = torch.zeros(3, 2, 6)\nmha(x, x, x)", "8", "6"),
    ("q = torch.zeros(2, 4, 5, 8)\nk = torch.zeros(2, 4, 6, 8)\nmask = torch.zeros(5, 5) > 0\n"
     "F.scaled_dot_product_attention(q, k, k, attn_mask=mask)", "(5, 5)", "(2, 4, 5, 6)"),
    ("q = torch.zeros(2, 4, 5, 8)\nmask = torch.zeros(2, 5, 5) > 0\n"
     "F.scaled_dot_product_attention(q, q, q, attn_mask=mask)", "(2, 5, 5)", "(2, 4, 5, 5)",
     "-> F.scaled_dot_product_attention(q, q, q, attn_mask=mask[:, None])"),
    ("loss = nn.CrossEntropyLoss()\nlogits = torch.zeros(4, 3)\ny = torch.zeros(5).long()\nloss(logits, y)",
     "(4, 3)", "(5,)"),
    ("logits = torch.zeros(4, 3)\ny = torch.zeros(4, 1).long()\nF.cross_entropy(logits, y)",
     "(4, 3)", "(4, 1)", "-> F.cross_entropy(logits, y[:, 0])"),
    ("logits = torch.zeros(2, 7, 5)\ny = torch.zeros(2, 7).long()\nF.cross_entropy(logits, y)",
     "(2, 7, 5)", "(2, 7)", "-> F.cross_entropy(logits.mT, y)"),
    ("logits = torch.zeros(4, 3)\nF.cross_entropy(logits, torch.zeros(4))", "float32",
     "-> F.cross_entropy(logits, torch.zeros(4).long())"),
    ("crit = nn.BCEWithLogitsLoss()\nout = torch.zeros(4, 1)\ny = torch.zeros(4)\ncrit(out, y)",
     "(4, 1)", "(4,)", "-> crit(out, y[:, None])"),
    ("F.binary_cross_entropy(torch.zeros(4), torch.zeros(4, 1))", "(4,)", "(4, 1)"),
    ("big, small = nn.Linear(4, 2), nn.Linear(3, 2)\nsmall.load_state_dict(big.state_dict())",
     "weight", "(2, 4)", "(2, 3)"),
    ("fig, ax = plt.subplots()\nimg = torch.zeros(3, 8, 8)\nax.imshow(img)", "(3, 8, 8)",
     "-> ax.imshow(img.permute(1, 2, 0))"),
    ("img = np.zeros((1, 8, 8))\nplt.imshow(img)", "(1, 8, 8)", "-> plt.imshow(img[0])"),
    ("x = np.zeros(10)\ny = np.zeros(9)\nplt.plot(x, y)", "(10,)", "(9,)"),
]  # fmt: skip

MEMORY: list[Row] = [
    ("b = torch.zeros(1, 3).expand(2, 3)\nb[:] = torch.ones(2, 3)", "stride (0, 1)", "-> b = b.clone()"),
    ("a = torch.zeros(3).expand(2, 3)\na.add_(1)", "stride (0, 1)", "-> a = a.clone()"),
    ("a = torch.zeros(3).expand(2, 3)\na += 1", "the stride is 0", "-> a = a.clone()"),
    ("p = torch.ones(4, 4) / 16\nk = 4\npi = p.sum(dim=1).view(k, 1).expand(k, k)\n"
     "pi.clamp_(min=0.1)", "stride (1, 0)", "-> pi = pi.clone()"),
    ("running = torch.eye(2).expand(3, 2, 2)\nrunning.mul_(0.9)", "stride (0, 2, 1)",
     "-> running = running.clone()"),
    ("torch.zeros(1).expand(3).add_(2)", "stride (0,)", "-> torch.zeros(1).expand(3).clone().add_(2)"),
    ("x = torch.arange(5)\nx[1:] += x[:-1]", "share", "-> x[1:] += x[:-1].clone()"),
    ("x = torch.zeros(5)\nx[1:].add_(x[:-1])",
     "share", "-> x[1:].add_(x[:-1].clone())"),
    ("a = np.broadcast_to(np.zeros(3), (2, 3))\na[0, 0] = 1", "stride of 0", "-> a = a.copy()"),
    ("a = np.frombuffer(b'abcd', np.uint8)\na += 1", "read-only", "-> a = a.copy()"),
    ("d = np.eye(3).diagonal()\nd[0] = 5", "writeable", "-> d = d.copy()"),
    ("a = np.zeros(3)\na.flags.writeable = False\na[0] = 1", "writeable", "-> a = a.copy()"),
    ("a = np.arange(3)[::-1]\na.setflags(write=False)\na.sort()", "writeable", "-> a = a.copy()"),
    ("samples = np.frombuffer(bytes(16), np.float32).reshape(2, 2)\nsamples[:, 0] *= 2", "read-only",
     "-> samples = samples.copy()"),
    ("a = np.arange(5)\na.flags.writeable = False\nnp.clip(a, 2, 3, out=a)", "writeable", "-> a = a.copy()"),
    ("from PIL import Image\nimg = np.asarray(Image.new('L', (4, 4)))\nimg[0, 0] = 255", "read-only",
     "-> img = img.copy()"),
    ("x = torch.zeros(3, requires_grad=True)\nx.numpy()", "requires grad", "-> x.detach().numpy()"),
    ("y = torch.zeros(3, requires_grad=True) * 2\nplt.plot(y)", "y requires grad", "-> plt.plot(y.detach())"),
    ("w = nn.Linear(2, 2).weight\nnp.asarray(w)", "requires grad", "-> np.asarray(w.detach())"),
    ("out = nn.Linear(2, 1)(torch.zeros(3, 2))\nplt.scatter(range(3), out)", "out requires grad",
     "-> plt.scatter(range(3), out.detach())"),
    ("x = torch.zeros(3, dtype=torch.bfloat16)\nx.numpy()", "bfloat16", "-> x.float().numpy()"),
    ("x = torch.zeros(3, dtype=torch.cfloat).conj()\nx.numpy()", "conjugate", "-> x.resolve_conj().numpy()"),
    ("torch.zeros(3, device='meta').numpy()", "without memory"),
    ("img = np.zeros((4, 4, 3))[:, :, ::-1]\ntorch.from_numpy(img)", "dim 2", "backwards",
     "-> torch.from_numpy(img.copy())"),
    ("torch.from_numpy(np.flip(np.zeros((3, 4)), axis=1))", "dim 1", "backwards",
     "-> torch.from_numpy(np.flip(np.zeros((3, 4)), axis=1).copy())"),
    ("x = np.arange(4)[::-1]\nt = torch.tensor(x)", "backwards", "-> torch.tensor(x.copy())"),
    ("a = np.rot90(np.zeros((3, 3)))\ntorch.as_tensor(a)", "backwards", "-> torch.as_tensor(a.copy())"),
    ("a = np.arange(4, dtype='>f4')\ntorch.from_numpy(a)", "another machine",
     "-> torch.from_numpy(a.astype('f4'))"),
    ("torch.from_numpy(np.array([1, 'a'], dtype=object))", "object"),
    ("r = np.zeros(3, dtype='i1,f4')['f1']\ntorch.from_numpy(r)", "(5,)", "-> torch.from_numpy(r.copy())"),
    ("x = torch.zeros(3, requires_grad=True)\nx.resize_(5)", "autograd"),
    ("x = torch.from_numpy(np.zeros(3))\nx.resize_(40)", "3 elements", "not torch's to grow"),
    ("a = np.zeros(6)[:3]\na.resize(5)", "another array", "-> np.resize(a, 5)"),
    ("a = np.zeros(3)\nb = a\nview = a[1:]\na.resize(8)", "view", "-> np.resize(a, 8)"),
    ("w = torch.zeros(3, requires_grad=True)\nw += 1", "leaf"),
    ("w = nn.Parameter(torch.zeros(3, 2))\nw[0] = 1", "leaf"),
    ("emb = nn.Embedding(4, 2)\nemb.weight[0].fill_(0)", "leaf"),
    ("a = np.arange(3)\na += 0.5", "int64", "float64", "-> a = a + 0.5"),
    ("img = np.zeros((2, 2), np.uint8)\nimg *= 1.5", "uint8", "float64", "-> img = img * 1.5"),
    ("a = np.arange(4)\na /= 2", "int64", "float64", "-> a = a / 2"),
    ("n = torch.arange(3)\nn.add_(0.5)", "int64", "float32", "-> n.add(0.5)"),
    ("n = torch.arange(3)\nn /= 2", "int64", "float32", "-> n = n / 2"),
    ("x = torch.zeros(3)\nx[torch.tensor([0])] = torch.ones(1, dtype=torch.float64)", "float32", "float64",
     "-> x[torch.tensor([0])] = torch.ones(1, dtype=torch.float64).float()"),
    ("torch.zeros(2, 3) @ torch.zeros(3, 2).double()", "float32", "float64"),
    ("fc = nn.Linear(3, 2)\ndata = torch.from_numpy(np.zeros((4, 3)))\nfc(data)", "float64", "float32",
     "-> fc(data.float())"),
    ("conv = nn.Conv2d(1, 2, 1)\nx = torch.zeros(1, 1, 2, 2, dtype=torch.uint8)\nconv(x)", "uint8", "float32",
     "-> conv(x.float())"),
    ("emb = nn.Embedding(4, 2)\ni = torch.zeros(3)\nemb(i)", "float32", "-> emb(i.long())"),
    ("a = torch.zeros(3)\nb = torch.zeros(3, device='meta')\na + b", "a on cpu", "b on meta"),
    ("torch.zeros(3, device='meta').cpu()", "meta"),
    ("memoryview(np.zeros((3, 4)).T).cast('B')", "stride (1, 4)"),
    ("a = np.zeros((3, 4)).T\nhashlib.sha1(a)", "stride (1, 4)", "-> hashlib.sha1(np.ascontiguousarray(a))"),
    ("a = np.zeros((3, 4))[:, :2]\nnp.frombuffer(a)", "stride (4, 1)",
     "-> np.frombuffer(np.ascontiguousarray(a))"),
    ("np.frombuffer(b'12345', np.int32)", "5", "4"),
    ("np.ndarray((3, 3), buffer=np.zeros(4))", "32 bytes", "9 elements of 8 bytes"),
]  # fmt: skip

FAMILIES = {
    "views": VIEWS, "dims": DIMS, "broadcasting": BROADCASTING, "expanding": EXPANDING,
    "writing": WRITING, "products": PRODUCTS, "joining": JOINING, "picking": PICKING,
    "layers": LAYERS, "memory": MEMORY,
}  # fmt: skip
