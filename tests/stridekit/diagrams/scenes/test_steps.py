"""Chains of operations: what each row shows is what torch has, and what it says is what it did."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import stridekit as sk
from stridekit.errors import ArgumentError, DimError, IndexRangeError, InteropError

B, T, H, D = 2, 3, 2, 2


def rows_of(picture):
    """Labels and what is told of each row."""
    return [(row.label, row.told) for row in picture.scene.sections]


def shown(row):
    """By index what a row's grid shows."""
    return {cell.index: cell.text for cell in row.grids[0].cells}


def selected(row):
    """The index that is selected in a row's grid."""
    return next(cell.index for cell in row.grids[0].cells if "selected" in cell.marks)


STEPS = st.sampled_from(
    ["t_", "flip(0)", "flatten()", "reshape(-1, 2)", "contiguous()", "clone()", "unsqueeze(0)",
     "movedim(0, -1)", "[1:]", "[..., ::2]", "transpose(0, -1)", "squeeze()", "view(-1)", "mT",
     ".mT"]
).map(lambda step: step.replace("t_", "transpose(-1, 0)"))  # fmt: skip


@settings(max_examples=60)
@given(st.lists(STEPS, min_size=1, max_size=5))
def test_rows_are_what_torch_has(steps):
    """Values, size and stride of each; copied or not; each element with its colour and origin."""
    x = torch.arange(24).view(4, 3, 2)
    picture = sk.draw_steps(x, *steps, color_by="element")
    tensor, colour = x, {}
    first, *rows = picture.scene.sections
    for cell in first.grids[0].cells:
        colour[int(cell.text)] = cell.group
    for step, row in zip(steps, rows, strict=False):
        before = tensor
        try:
            tensor = eval(f"tensor{'' if step[0] in '[.' else '.'}{step}")
        except (RuntimeError, IndexError):
            assert row.told.startswith("Refused: ")
            assert row is rows[-1]
            break
        header = f"size {tuple(tensor.size())} · stride {tensor.stride()} · "
        assert row.grids[0].header.startswith(header.replace(",)", ",)"))
        assert {int(text) for text in shown(row).values()} == {*tensor.flatten().tolist()}
        for cell in row.grids[0].cells:
            assert int(cell.text) == tensor[cell.index].item()
            if "written" not in cell.marks and tensor.numel() == before.numel():
                assert cell.group == colour[int(cell.text)]
        shares = tensor.untyped_storage().data_ptr() == before.untyped_storage().data_ptr()
        assert row.told.startswith("The ") is shares
        if not shares:
            assert f", {tensor.nbytes:,} bytes: " in row.told
        places = {slot.address: int(slot.text) for slot in row.strips[0].slots}
        for byte, origin in row.origins:
            if origin is not None:
                assert origin == 8 * places[byte // 8]
    else:
        assert len(rows) == len(steps)


def test_it_says_why_it_copies():
    """Seams, what is not contiguous, dtypes, and what copies in any case."""
    x = torch.arange(24).view(2, 3, 4)
    steps = "transpose(0, 1)|reshape(6, 4)|t()|contiguous()|contiguous()|clone()|flip(0)"
    told = dict(rows_of(sk.draw_steps(x, *steps.split("|"), "to(torch.int32)", "add(1)")))
    assert told["2 · reshape(6, 4)"] == (
        "Copied, 192 bytes: dims 0 and 1 cannot merge, because stride[0] is 4 and merging needs "
        "size[1] × stride[1] = 2 × 12 = 24."
    )
    assert told["4 · contiguous()"].endswith(": dim 1 has stride 4, and 1 is expected.")
    assert told["5 · contiguous()"] == "The very same tensor: nothing is copied."
    assert told["6 · clone()"] == "Copied, 192 bytes: clone was asked to copy."
    assert told["7 · flip(0)"] == "Copied, 192 bytes: its elements come in another order."
    assert told["8 · to(torch.int32)"] == "New memory, 96 bytes: int64 becomes int32."
    assert told["9 · add(1)"] == ("New memory, 96 bytes: not the same values, element for element.")
    # Nor is a gap why a clone is one.
    asked = ("[..., ::2]", "clone()", "[..., :1]", "to(torch.int64, copy=True)")
    assert [*dict(rows_of(sk.draw_steps(x, *asked))).values()][2::2] == [
        "Copied, 96 bytes: clone was asked to copy.",
        "Copied, 48 bytes: to was asked to copy.",
    ]
    grown = [*rows_of(sk.draw_steps(x.clone(), "resize_(99)"))][-1][1]
    assert grown == "The very same tensor: its storage goes from 24 to 99 elements."
    for y in (torch.arange(4), sk.arange(4)):
        # Elsewhere, too, an element is the one that it was, and what is new was none.
        rows = sk.draw_steps(y, "resize_(3, 2)", "t()", select=(3,)).scene.sections
        assert [*map(selected, rows)] == [(3,), (1, 1), (1, 1)]
        assert [origin for _, origin in rows[-1].origins] == [0, 8, 16, 24, None, None]
    # That the bytes are shown changes nothing that is said.
    assert dict(rows_of(sk.draw_steps(x, *steps.split("|"), bytes=True))).items() <= told.items()


def test_it_says_nothing_of_values_that_it_cannot_know():
    """Some of the values, the same in another order, and values that nobody has."""
    unlike = "not the same values, element for element"
    for x, step, told in (
        (torch.arange(3), "repeat(2)", f"New memory, 48 bytes: {unlike}."),
        (torch.arange(12).view(3, 4), "[[0, 2]]", f"New memory, 64 bytes: {unlike}."),
        (torch.tensor([1, 1, 2]), "flip(0)", f"New memory, 24 bytes: {unlike}."),
        (torch.empty(3, 4, device="meta").t(), "contiguous()", "New memory, 48 bytes."),
    ):
        assert [*rows_of(sk.draw_steps(x, step))][-1][1] == told


@pytest.mark.parametrize("x", [torch.ones(3), np.ones(3), sk.ones(3)])
def test_what_has_written_is_not_called_anew(x):
    """A sum is no method's, and by then the product is there: it would be made twice."""

    def step(x):
        (x.fill_ if hasattr(x, "fill_") else x.fill)(2)
        return x + 1

    with pytest.raises(ArgumentError, match=r"step asks .* would do so twice\. Give its steps as"):
        sk.draw_steps(x, step)
    assert x.tolist() == [2, 2, 2]


def test_what_only_the_values_say_is_not_called_a_copy():
    """A relu of what is not negative looks like a clone, and the rest is not read."""
    x = torch.ones(1000, 1000)
    x[500, 500] = -1
    steps = ("relu()", "[:, :2]", "relu()", "[0, :2]", "relu()")
    told = [told for _, told in rows_of(sk.draw_steps(x, *steps))]
    assert told[1] == "New memory, 4,000,000 bytes: the same values, as far as is shown."
    assert told[3] == "New memory, 8,000 bytes: the same values, as far as is shown."
    assert told[5] == "New memory, 8 bytes: the same values."


def test_repeat_kv_copies_the_whole_cache_so_many_times():
    """The `expand` in it costs nothing, and its last `reshape` all of it."""
    keys = torch.arange(12).view(1, 2, 3, 2)

    def repeat_kv(x):
        batch, heads, time, depth = x.shape
        x = x[:, :, None].expand(batch, heads, 2, time, depth)
        return x.reshape(batch, 2 * heads, time, depth)

    _, new, expanded, copied = rows_of(sk.draw_steps(keys, repeat_kv))
    assert new == ("1 · [:, :, None]", "The same memory: nothing is copied.")
    assert expanded == ("2 · expand(1, 2, 2, 3, 2)", "The same memory: nothing is copied.")
    assert copied[1].startswith(f"Copied, {2 * keys.nbytes} bytes: dims 1 and 2 cannot merge")


def test_a_function_is_a_row_for_each_method_that_it_calls():
    """Of torch, NumPy and stridekit; what a stand-in cannot do is one step."""
    chain = [
        label for label, _ in rows_of(sk.draw_steps(torch.arange(6), lambda x: x.view(2, 3).t()))
    ]
    assert chain == ["before", "1 · view(2, 3)", "2 · t()"]
    array = np.arange(6)
    assert [*rows_of(sk.draw_steps({"a": array}, lambda a: a.reshape(2, 3).T.copy()))] == [
        ("a", ""),
        ("1 · reshape(2, 3)", "The same memory: nothing is copied."),
        ("2 · T", "The same memory: nothing is copied."),
        ("3 · copy()", "Copied, 48 bytes: copy was asked to copy."),
    ]
    ours = sk.draw_steps(sk.arange(6), lambda x: x.view(2, 3).select(1, 0).contiguous())
    assert [told.partition(":")[0] for _, told in rows_of(ours)[1:]] == [
        "The same memory",
        "The same memory",
        "Copied, 16 bytes",
    ]

    def turned(x):
        return torch.flip(x.view(2, 3), (1,)) + 0

    assert [label for label, _ in rows_of(sk.draw_steps(torch.arange(6), turned, "t()"))] == [
        "before",
        "1 · turned",
        "2 · t()",
    ]


def test_an_index_is_written_as_one_writes_it():
    """Slices, with a step or without, numbers, an ellipsis, lists, tensors."""

    def cut(x):
        return x[1:, ..., :2][0][-1][::2][[0]][None, torch.tensor([0])]

    labels = [label for label, _ in rows_of(sk.draw_steps(torch.arange(24).view(2, 3, 4), cut))]
    assert labels[:4] == ["before", "1 · [1:, ..., :2]", "2 · [0]", "3 · [-1]"]
    assert labels[4:] == ["4 · [::2]", "5 · [[0]]", "6 · [None, tensor([0])]"]


def test_a_text_speaks_of_what_is_known_there():
    """Names of the module, and of the function; and of no stand-in of ours."""
    heads = 3
    picture = sk.draw_steps(torch.arange(12), "view(H, heads, D)", "[..., 0]")
    assert [label for label, _ in rows_of(picture)[1:]] == ["1 · view(H, heads, D)", "2 · [..., 0]"]
    assert heads == 3
    two = sk.draw_steps(torch.arange(12), "view(3, 4).t()")
    assert [label for label, _ in rows_of(two)[1:]] == ["1 · view(3, 4)", "2 · t()"]


def test_a_part_of_what_a_step_gives():
    """Such as one of three parts of a packed projection."""
    x = torch.arange(12).view(2, 6)
    picture = sk.draw_steps(x, "chunk(3, -1)[1]", "reshape(4)")
    assert rows_of(picture)[1] == ("1 · chunk(3, -1)[1]", "The same memory: nothing is copied.")
    assert [*shown(picture.scene.sections[2]).values()] == ["2", "3", "8", "9"]


def test_a_step_that_fails_ends_the_chain():
    """An impossible view with its seam, as draw_view has it; others with what was said."""
    x = torch.arange(12).view(3, 4)
    last = sk.draw_steps(x, "t()", "view(12)", "t()").scene.sections[-1]
    assert last.label == "2 · view(12)"
    assert last.told.startswith("Refused: dims 0 and 1 cannot merge, because stride[0] is 1 and")
    assert [label.seam for label in last.grids[0].dims] == [True, True]
    assert [hop.kind for hop in last.hops] == ["actual", "needed"]
    last = sk.draw_steps(x, "view(5)").scene.sections[-1]
    assert last.told == "Refused: shape '[5]' is invalid for input of size 12"
    assert "Refused" in sk.draw_steps(np.arange(4), "reshape(3)").scene.sections[-1].told
    assert "view(5)" in sk.draw_steps(sk.arange(4), "view(5)").scene.sections[-1].told


def test_what_is_written_in_place():
    """The same memory: each row shows it as it was then."""
    x = torch.arange(4)
    first, second, third = sk.draw_steps(x, "view(2, 2)", "add_(1)").scene.sections
    assert [*shown(first).values()] == [*shown(second).values()] == ["0", "1", "2", "3"]
    assert [*shown(third).values()] == ["1", "2", "3", "4"]
    assert third.told == "The very same tensor, written in place."
    array = np.array([3, 1, 2])
    assert (
        rows_of(sk.draw_steps(array, "sort()"))[1][1] == "The very same tensor, written in place."
    )


def test_selected_in_every_row():
    """One element, followed through views and copies to where it lies."""
    x = torch.arange(24).view(B, T, H, D)
    picture = sk.draw_steps(x, "transpose(1, 2)", "reshape(B, H, T * D)", "mT", select=(1, 2, 0, 1))
    value = str(x[1, 2, 0, 1].item())
    for row in picture.scene.sections:
        assert [c.text for c in row.grids[0].cells if "selected" in c.marks] == [value]
        slots = row.strips[0].slots
        assert [slot.text for slot in slots if "selected" in slot.marks] == [value]


def test_storages_have_letters_and_dims_keep_their_names():
    """So that one sees at once where memory is another one."""
    x = torch.arange(24).view(1, 4, 2, 3)
    picture = sk.draw_steps(x, "transpose(1, 2)", "contiguous()", dims="batch time heads depth")
    assert [row.storage for row in picture.scene.sections] == ["A", "A", "B"]
    names = [[label.name for label in row.grids[0].dims] for row in picture.scene.sections]
    assert names[0] == ["batch", "time", "heads", "depth"]
    assert names[1] == names[2] == ["batch", "heads", "time", "depth"]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_all_ways_to_look_at_it(theme):
    """No page is wider than the others; the text and the words for who cannot see it say all."""
    picture = sk.draw_steps(
        torch.arange(24).view(4, 6), "t()", "reshape(24)", "view(2, 12)", title="a chain"
    )
    assert picture.svg(theme).startswith("<svg")
    assert picture._page.width <= 900
    for row in picture.scene.sections[1:]:
        for said in (picture.text(), picture.alt):
            assert row.label in said
            assert row.told in said
    assert picture.text().startswith("a chain\n")
    data = json.loads(picture._touch_data())
    grids = [part for part in data["parts"] if "i" in part]
    assert [part["l"] for part in grids] == [row.label for row in picture.scene.sections]
    for part in grids:
        assert part["f"] == [8 * int(text) for text in part["t"]]


def test_a_tensor_without_values_is_drawn_as_well():
    """Positions stand for them, and what is copied cannot be followed."""
    told = rows_of(sk.draw_steps(torch.empty(2, 3, device="meta"), "t()", "contiguous()"))
    assert told[1][1] == "The same memory: nothing is copied."
    assert told[2][1].startswith("New memory, 24 bytes")
    big = torch.zeros(300, 400)
    assert rows_of(sk.draw_steps(big, "t()", "reshape(-1)", select=(3, 4)))[2][1].startswith(
        "Copied"
    )


def test_a_dozen_steps_and_no_more():
    """A thirteenth is refused, in texts and in a function."""
    x = torch.arange(4)
    assert len(sk.draw_steps(x, *["view(4)"] * 12).scene.sections) == 13
    for steps in (["view(4)"] * 13, ["view(4)" + ".view(4)" * 12]):
        with pytest.raises(ArgumentError, match="holds 12 steps, and view\\(4\\) is one more"):
            sk.draw_steps(x, *steps)


@pytest.mark.parametrize(
    ("x", "steps", "named", "error", "said"),
    [
        (torch.zeros(3), [], {}, ArgumentError, "no step is given. Write one as text, such as"),
        (torch.zeros(3), ["transpoze(0, 1)"], {}, ArgumentError, "has no attribute 'transpoze'"),
        (np.zeros(3), ["transpoze(0, 1)"], {}, ArgumentError, "names no method of an ndarray"),
        (sk.zeros(3), ["softmax(0)"], {}, ArgumentError, "same memory. Write what stands"),
        (torch.zeros(3), [""], {}, ArgumentError, "Write what stands behind the dot"),
        (torch.zeros(3), ["view(3"], {}, ArgumentError, "was never closed. Write what stands"),
        (torch.zeros(3), ["..t()"], {}, ArgumentError, "Tensor: invalid syntax. Write what"),
        (torch.zeros(3), ["view(nobody)"], {}, ArgumentError, "name 'nobody' is not defined"),
        (torch.zeros(3), ["size()"], {}, ArgumentError, "size() gives torch.Size([3]), of type"),
        (torch.zeros(3), ["view"], {}, ArgumentError, "a chain goes on with one tensor"),
        (torch.zeros(3), ["chunk(3)"], {}, ArgumentError, "of type tuple, and a chain goes on"),
        (torch.zeros(3), [lambda x: None], {}, ArgumentError, "gives None, of type NoneType"),
        (torch.zeros(3), [lambda x: x], {}, ArgumentError, "lambda gives"),
        (torch.zeros(3), [3], {}, ArgumentError, "and 3 is of type int"),
        (torch.zeros(3), [None], {}, ArgumentError, "and None is of type NoneType"),
        ("abc", ["t()"], {}, ArgumentError, "draw_steps: an object of type str"),
        (
            [torch.zeros(3), torch.zeros(3)],
            ["t()"],
            {},
            ArgumentError,
            "give one tensor, and not 2. draw takes",
        ),
        (torch.zeros(3), ["to_sparse()"], {}, InteropError, "has no stride of its own"),
        (torch.zeros(3), ["t()"], {"select": 3}, IndexRangeError, "leaves the tensor"),
        (torch.zeros(3), ["t()"], {"color_by": 1}, DimError, "is not a dim of the tensor"),
        (torch.zeros(3), ["t()"], {"dims": "ab"}, ArgumentError, "does not give each dim a name"),
        (torch.zeros(3), ["t()"], {"title": 3}, ArgumentError, "title is a text"),
    ],
)
def test_what_is_no_chain(x, steps, named, error, said):
    """One sentence for each."""
    with pytest.raises(error) as raised:
        sk.draw_steps(x, *steps, **named)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_a_function_raises_by_itself_passes_through():
    """It is not a step of the tensor's."""

    def broken(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sk.draw_steps(torch.zeros(3), broken)
