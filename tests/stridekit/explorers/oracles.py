"""What torch and NumPy say about a state: the lines of Copy code are run, and compared.

`agree(controller)` holds what a controller shows against what comes out.
"""

import contextlib
import io
import re
from itertools import pairwise
from math import prod

import numpy as np
import torch

from stridekit import face
from stridekit.explorers.sharing import NAMES


def run(code):
    """The lines of Copy code: the names that they make, and what they print."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return names, printed.getvalue()


def header(tensor):
    """Size, stride and offset."""
    return tuple(tensor.size()), tensor.stride(), tensor.storage_offset()


def agree(controller):
    """What is shown of the state is what torch and NumPy make of it."""
    shown, state = controller.shown, controller.state
    names, printed = run(state.code())
    assert shown.summary.endswith(".")
    assert shown.diagram.alt
    assert shown.diagram.svg().startswith("<svg")
    ORACLES[controller.explorer.name](state, shown, names, printed)


def fact(shown, pattern):
    """What a pattern finds in the facts, all of it together; None without."""
    return re.search(pattern, "\n".join(shown.facts), re.MULTILINE)


def _given(state, names):
    x = names["x"]
    assert header(x) == (state.size, state.stride, state.storage_offset)
    assert x.flatten().tolist() == [*state.layout.positions()]
    return x


def _index(state, shown, names, printed):
    x = _given(state, names)
    # The storage counts, so an element is its own position.
    position = x[state.index].item()
    assert shown.truth == str(position)
    gone = len(state.index) - state.to_go
    reached = x[(*state.index[:gone], *(0 for _ in range(state.to_go)))].item()
    assert f"at position {reached}: " in shown.summary
    # An index from the end is told as it is from the beginning, too.
    inside = [i % n for i, n in zip(state.index, state.size, strict=True)]
    if inside != [*state.index] and not state.to_go:
        assert shown.summary.startswith(f"[{', '.join(map(str, state.index))}] = {inside} lies")
    assert len(shown.facts) == 1 + gone
    if gone:
        assert shown.facts[-1].endswith(f"to position {reached}")
    assert names["y"].storage_offset() == position


def _strides(state, shown, names, printed):
    wanted = (state.size, state.stride, state.storage_offset)
    needed = int(shown.truth)
    if needed <= 10**6:
        assert header(torch.arange(needed).as_strided(*wanted)) == wanted
    if printed:
        # The number of bytes that torch itself asks for.
        assert f"requiring a storage size of {8 * needed} are out of bounds" in printed
    inside = "inside the storage" in shown.summary
    overlaps = "overlap" in shown.summary
    assert overlaps == bool(fact(shown, "Overlap"))
    assert inside == ("y" in names) == (not printed)
    assert inside == (needed <= state.storage_length)
    if inside:
        y = names["y"]
        assert header(y) == wanted
        assert bool(fact(shown, "^Contiguous")) == y.is_contiguous()
        if y.numel() <= 5000:
            assert bool(fact(shown, "Overlap")) == (len(set(y.flatten().tolist())) < y.numel())


def _reshape(state, shown, names, printed):
    x, y = _given(state, names), names["y"]
    is_view = shown.truth == "yes"
    try:
        viewed = x.view(state.new_size)
    except RuntimeError as error:
        assert not is_view
        assert str(error) == printed.strip()
        assert "impossible" in shown.summary
        assert y.data_ptr() != x.data_ptr()
        copied = f"{y.untyped_storage().nbytes():,} bytes"
        assert fact(shown, f"reshape copies all {x.numel()} elements: {copied}")
    else:
        assert is_view
        assert header(viewed) == header(y)
        assert f"size {tuple(viewed.size())}, stride {viewed.stride()}" in shown.summary
        assert x.reshape(state.new_size).data_ptr() == x.data_ptr()
        assert fact(shown, "reshape gives the same view")
    packed = x.contiguous()
    if packed is x:
        assert fact(shown, r"contiguous\(\) gives x itself")
    else:
        nbytes = packed.untyped_storage().nbytes()
        assert fact(shown, rf"contiguous\(\) copies {nbytes:,} bytes")
        packed.view(state.new_size)


def _permute(state, shown, names, printed):
    x, y = _given(state, names), names["y"]
    assert header(y) == header(x.permute(state.dims))
    assert shown.truth == str(y.stride())
    assert shown.table[1][1:] == (str(tuple(x.size())), str(x.stride()))
    assert shown.table[2][1:] == (str(tuple(y.size())), str(y.stride()))
    assert ("It is contiguous." in shown.summary) == y.is_contiguous()
    # The trace: dims from the right, up to the first that is not as expected.
    told = [line for line in shown.facts if line.startswith("dim ")]
    expected, walked = 1, []
    for dim in reversed(range(y.dim())) if y.numel() else ():
        walked.append(f"dim {dim}: size {y.size(dim)}, stride {y.stride(dim)}, expected {expected}")
        if y.size(dim) != 1:
            if y.stride(dim) != expected:
                break
            expected *= y.size(dim)
    assert [line.split(" - ")[0] for line in told] == walked


def _slicing(state, shown, names, printed):
    x = _given(state, names)
    array = x.numpy()
    numpy = eval(f"array[{state.key or '()'}]", {"array": array, "None": None})
    is_array = isinstance(numpy, np.ndarray)
    assert bool(fact(shown, "is a number and no view")) == (not is_array)
    rows = {row[0].split(":")[0]: row[1:] for row in shown.table}
    assert shown.truth == str(numpy.shape)
    if not x.numel():
        assert rows["NumPy"][:2] == (str(numpy.shape), "its own")
        assert fact(shown, "x has no elements")
    elif is_array:
        start = array.__array_interface__["data"][0] - 8 * state.storage_offset
        offset = numpy.__array_interface__["data"][0] - start
        strides = tuple(step // 8 for step in numpy.strides)
        assert rows["NumPy"] == (str(numpy.shape), str(strides), str(offset // 8))
        assert rows["NumPy, in bytes"] == (str(numpy.shape), str(numpy.strides), str(offset))
    else:
        assert int(rows["NumPy"][2]) == numpy.item()
    try:
        torch_ = eval(f"x[{state.key or '()'}]", {"x": x})
    except ValueError as error:
        assert rows["torch"] == ("refused", "", "")
        assert str(error) == printed.strip()
        assert shown.summary.startswith("torch refuses")
    else:
        assert rows["torch"] == tuple(map(str, header(torch_)))
        assert header(names["y"]) == header(torch_)
        assert torch_.tolist() == numpy.tolist()
        if x.numel():
            assert bool(fact(shown, r"agree\.$")) == (rows["torch"] == rows["NumPy"])


def _broadcast(state, shown, names, printed):
    tensors = {name: names[name] for name in state.sizes}
    assert {name: tuple(x.size()) for name, x in tensors.items()} == state.sizes
    result = torch.broadcast_shapes(*state.sizes.values())
    assert tuple(names["result"].size()) == tuple(result)
    assert shown.truth == str(tuple(result))
    rows = {row[0]: row[1:] for row in shown.lead}
    asked = {row[0]: row[1:] for row in shown.asked}
    grid = next(
        section.grids[0]
        for section in shown.diagram.scene.sections
        if section.grids[0].name == " + ".join(state.sizes)
    )
    for cell in grid.cells:
        assert cell.text == str(names["result"][cell.index].item())
    assert rows["result"] == tuple(map(str, result))
    assert asked["result"] == ("?",) * len(result)
    headers = {each.grids[0].name: each.grids[0].header for each in shown.diagram.scene.sections}
    expanded = dict(zip(tensors, torch.broadcast_tensors(*tensors.values()), strict=True))
    for name, x in tensors.items():
        title = f"{name}.expand({', '.join(map(str, result)) or '()'})"
        assert f"stride {expanded[name].stride()}" in headers[title]
        own = (None,) * (len(result) - x.dim()) + tuple(x.size())
        for text, there, n, wanted in zip(rows[name], asked[name], own, result, strict=True):
            # What is missing counts as 1.
            assert there == ("–" if n is None else str(n))
            stays = (1 if n is None else n) == wanted
            assert text == (there if stays else f"{there} → {wanted}")
        saved = 8 * (prod(result) - x.numel())
        told = fact(shown, rf"{name}: stride 0 in .* Saved: ([\d,]+) of the ([\d,]+) bytes")
        assert bool(told) == (saved > 0)
        if told:
            copied = expanded[name].contiguous().untyped_storage().nbytes()
            assert told.groups() == (f"{saved:,}", f"{copied:,}")


def _sharing(state, shown, names, printed):
    seen = {name: value for name, value in names.items() if name in NAMES}
    tensors = {
        name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        for name, value in seen.items()
    }
    world = state.world
    assert [row[0] for row in shown.table[1:]] == [*tensors]
    for name, value in seen.items():
        assert isinstance(value, np.ndarray) == (name in world.arrays)
    # An array has its own address, which lies in some storage of torch.
    ends = [
        (each.untyped_storage().data_ptr(), each.untyped_storage().nbytes())
        for each in seen.values()
        if isinstance(each, torch.Tensor)
    ]
    storages = {}
    for name, tensor in tensors.items():
        if isinstance(seen[name], torch.Tensor):
            storages[name] = tensor.untyped_storage().data_ptr()
        else:
            owner = seen[name]
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            here = owner.__array_interface__["data"][0]
            storages[name] = next((at for at, n in ends if at <= here < at + n), here)
    offsets = {name: (each.data_ptr() - storages[name]) // 8 for name, each in tensors.items()}
    for row in shown.table[1:]:
        tensor, offset = tensors[row[0]], offsets[row[0]]
        if row[0] in world.arrays:
            array = seen[row[0]]
            assert row[1] == f"shape {array.shape}"
            own = f"strides {array.strides} bytes" if array.size else "strides of its own"
            assert row[2:4] == (own, f"{8 * offset} bytes" if array.size else "")
        else:
            assert row[1:3] == (str(tuple(tensor.size())), str(tensor.stride()))
            if tensor.numel():
                assert row[3] == str(offset)
    if tensors["x"].numel() and all(each.numel() for each in tensors.values()):
        groups = {}
        for name, address in storages.items():
            groups.setdefault(address, []).append(name)
        assert world.groups() == [*groups.values()]
        assert [row[4] for row in shown.table[1:]] == [
            "ABCDEF"[[*groups].index(storages[name])] for name in tensors
        ]
    if "resize_" not in str(state.deeds):
        for name, tensor in tensors.items():
            assert world.tensors[name].tolist() == tensor.tolist()
    if shown.truth:
        # Write another number, and look where one has changed. New memory may hold anything.
        before = {name: tensor.clone() for name, tensor in tensors.items()}
        seen[state.tensor][state.index] = int(seen[state.tensor][state.index]) ^ 1
        noticed = [name for name in tensors if not torch.equal(tensors[name], before[name])]
        assert shown.truth == ", ".join(noticed)


def _traversal(state, shown, names, printed):
    x, visited = names["x"], names["visited"].tolist()
    assert tuple(x.size()) == state.size
    assert header(x) == (state.layout.size, state.layout.stride, state.layout.storage_offset)
    if state.memory == "row-major":
        assert x.is_contiguous()
    elif state.memory == "column-major":
        assert x.permute([*range(x.dim())][::-1]).is_contiguous()
    elif state.memory == "channels_last":
        assert x.is_contiguous(memory_format=torch.channels_last)
    # The loops, as one would write them.
    ndim = len(state.size)
    order = {"r": range(ndim), "col": range(ndim)[::-1], "ch": (0, 2, 3, 1)}
    dims = next(each for word, each in order.items() if state.loops.startswith(word))
    ways = np.ndindex(*(state.size[dim] for dim in dims))
    indices = [tuple(way[[*dims].index(dim)] for dim in range(ndim)) for way in ways]
    assert visited == [x[index].item() for index in indices]
    # The loops that are shown, run.
    letters, seen = "ijklmn"[:ndim], []
    body = f"seen.append(({''.join(f'{letter}, ' for letter in letters)}))"
    *loops, inner = shown.lead.split("\n")
    assert inner.strip() == f"x[{', '.join(letters) or '()'}]"
    exec("\n".join([*loops, f"{'    ' * len(loops)}{body}"]), {"seen": seen})
    assert seen == indices
    lines = [position * 8 // int(state.line) for position in visited]
    switches = 1 + sum(before != after for before, after in pairwise(lines))
    assert shown.truth == str(switches) == str(names["switches"])
    so_far = 1 + sum(before != after for before, after in pairwise(lines[: state.visit + 1]))
    at = [*map(int, indices[state.visit])]
    assert f"{at} at position {visited[state.visit]}, line {lines[state.visit]}," in shown.summary
    assert f"{so_far} of {switches} line switches so far" in shown.summary
    assert fact(shown, rf"^{len(set(lines))} lines? of {state.line} bytes")


def _pixels(state, shown, names, printed):
    meant, read = shown.diagram.scene.pictures
    # Whatever lies in memory is a face, if it is read as it is meant.
    assert meant.pixels == bytes(face().untyped_storage().memory)
    assert shown.truth == str(state.layout.needed)
    memory = names["memory"]
    assert bool(printed) == (state.layout.needed > memory.numel())
    if printed:
        assert f"requiring a storage size of {state.layout.needed} are out of bounds" in printed
    else:
        x = names["x"]
        assert header(x) == (state.size, state.stride, state.storage_offset)
        order = [state.order.index(letter) for letter in "HWC" if letter in state.order]
        image = x.permute(order)
        if max(image.shape[:2]) <= 256:
            assert read.pixels == image.contiguous().numpy().tobytes()
    assert names["picture"].scene.pictures[0].pixels == read.pixels
    assert ("first" in names) == (state.pixel is not None)
    if state.pixel is not None:
        _pixel(state, shown, memory, read)
    hidden = sum(rows * columns for _, _, rows, columns in read.hidden)
    outside = "outside the storage" in shown.summary
    assert ("there are no pixels" in shown.summary) == (0 in state.size)
    assert bool(hidden) == outside
    if printed and read.pixels and max(read.rows, read.columns) < 256:
        assert outside


def _pixel(state, shown, memory, read):
    """The memory of a pixel of the face, and which pixels read some of it."""
    image = memory if memory.shape[-1] == 3 else memory.movedim(0, -1)
    row, column = state.pixel
    start = image[row, column]
    mine = {start.storage_offset() + n * start.stride(0) for n in range(3)}
    if max(read.rows, read.columns) >= 256 or not read.pixels:
        return
    grid = np.indices(state.size).reshape(len(state.size), -1)
    positions = state.storage_offset + np.array(state.stride, int) @ grid
    hit = grid[:, np.isin(positions, [*mine])]
    order = [state.order.index(letter) for letter in "HW"]
    wanted = {tuple(place) for place in hit[order].T.tolist()}
    told = re.search(
        r"is read in (no|[\d,]+) pixels?( or more)?(?:, first in (.*))?\.$", shown.summary
    )
    if not wanted:
        assert told[1] == "no"
    elif not told[2]:
        assert int(told[1]) == len(wanted)
        assert told[3] == str([*min(wanted)])


ORACLES = {
    "index": _index,
    "strides": _strides,
    "reshape": _reshape,
    "permute": _permute,
    "slicing": _slicing,
    "broadcast": _broadcast,
    "sharing": _sharing,
    "traversal": _traversal,
    "pixels": _pixels,
}
