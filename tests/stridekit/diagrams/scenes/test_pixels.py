"""Pictures of pixels: each shows what its header makes of the storage, and reads nothing else."""

import re
from math import nan

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw_pixels
from stridekit.diagrams.scenes.pixel_values import read_elements
from stridekit.diagrams.scenes.pixel_words import pixel_dims
from stridekit.errors import (
    ArgumentError,
    DTypeError,
    IndexRangeError,
    InteropError,
    LayoutError,
    SizeError,
    StridekitError,
)
from stridekit.layouts.layout import Layout
from stridekit.tensors.subjects import subject_of

HEADER = ("size", "stride", "storage_offset")
FACE = np.array(sk.face().tolist(), dtype=np.uint8)


def shown(diagram, number=0):
    """The pixels of a picture as an array of rows, columns and channels."""
    picture = diagram.scene.pictures[number]
    flat = np.frombuffer(picture.pixels, np.uint8)
    return flat.reshape(picture.rows, picture.columns, picture.channels)


def hidden(diagram, number=0):
    """Which pixels of a picture are hidden."""
    picture = diagram.scene.pictures[number]
    flags = np.zeros((picture.rows, picture.columns), bool)
    for row, column, rows, columns in picture.hidden:
        area = flags[row : row + rows, column : column + columns]
        assert area.shape == (rows, columns)
        assert not area.any(), "areas do not meet"
        flags[row : row + rows, column : column + columns] = True
    return flags


class TestTruth:
    """Pixels are the elements that the header leads to."""

    @given(
        size=st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([1, 3, 4])),
        stride=st.tuples(*[st.integers(-7, 40)] * 3),
        offset=st.integers(-30, 120),
        length=st.integers(0, 150),
    )
    @example(size=(2, 3, 1), stride=(0, 0, 0), offset=0, length=1)
    @example(size=(2, 3, 1), stride=(-3, -1, 0), offset=5, length=6)
    @example(size=(1, 1, 1), stride=(10**15, -(10**15), 7), offset=0, length=1)
    def test_any_header_over_any_storage(self, size, stride, offset, length):
        """Inside the storage the element, outside nothing: position by position."""
        values = [(37 * position + 11) % 256 for position in range(length)]
        x = sk.tensor(values, dtype="uint8") if values else sk.zeros(0, dtype="uint8")
        d = draw_pixels(x, size=size, stride=stride, storage_offset=offset, dims="HWC")
        pixels, gone = shown(d), hidden(d)
        layout = Layout(size, stride, offset)
        for row in range(size[0]):
            for column in range(size[1]):
                positions = [layout.position((row, column, c)) for c in range(size[2])]
                assert gone[row, column] == any(not 0 <= p < length for p in positions)
                if not gone[row, column]:
                    assert [*pixels[row, column]] == [values[p] for p in positions]

    @given(
        size=st.tuples(*[st.integers(0, 5)] * 3),
        stride=st.tuples(*[st.integers(-90, 90)] * 3),
        offset=st.integers(-200, 400),
        itemsize=st.sampled_from([1, 2, 4, 8]),
        library=st.sampled_from(["stridekit", "torch", "numpy"]),
    )
    def test_elements_are_read_alike_from_all_libraries(
        self, size, stride, offset, itemsize, library
    ):
        """In row-major order; what lies outside is zero, and flagged."""
        kind = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64}[itemsize]
        memory = (np.arange(300) * 7 + 1).astype(kind)
        x = {"stridekit": sk.from_numpy, "torch": torch.from_numpy, "numpy": np.asarray}[library]
        layout = Layout(size, stride, offset)
        elements = read_elements(subject_of("draw", x(memory)), layout)
        found = np.frombuffer(elements.memory, kind)
        positions = [*layout.positions()]
        expected = [memory[p] if 0 <= p < 300 else 0 for p in positions]
        assert found.tolist() == expected
        flags = [0 <= p < 300 for p in positions]
        if elements.readable is None:
            assert all(flags)
        else:
            assert [*map(bool, elements.readable)] == flags
            assert not all(flags)

    def test_views_of_torch_and_numpy(self):
        """Transposed, turned, stepped, repeated, permuted: as the library itself has it."""
        array, x = FACE.copy(), torch.from_numpy(FACE.copy())
        for view in (array[::-1], array[:, ::-1], array[5:50:3, 70:2:-2], array.swapaxes(0, 1)):
            assert (shown(draw_pixels(view)) == view).all()
        for view in (x.transpose(0, 1), x[::2, 1::3], x[:1].expand(40, -1, -1), x.flip(0)):
            assert (shown(draw_pixels(view)) == view.numpy()).all()
        for view in (x.permute(2, 0, 1), x.view(3, 64, 96)):
            assert (shown(draw_pixels(view)) == view.permute(1, 2, 0).numpy()).all()
        windows = torch.arange(200, dtype=torch.uint8).unfold(0, 20, 3)
        assert (shown(draw_pixels(windows))[:, :, 0] == windows.numpy()).all()

    def test_dims_in_every_order(self):
        """A permuted face named by its dims is the face."""
        x = sk.face()
        for dims in ("HWC", "HCW", "WHC", "WCH", "CHW", "CWH"):
            view = x.permute(*("HWC".index(letter) for letter in dims))
            assert (shown(draw_pixels(view, dims=dims)) == FACE).all()

    def test_a_batch_is_several_pictures(self):
        """Each with a header of its own, by its offset."""
        x = torch.arange(2 * 3 * 4 * 5, dtype=torch.uint8).view(2, 3, 4, 5)
        d = draw_pixels({"x": x})
        assert [picture.name for picture in d.scene.pictures] == ["x[0]", "x[1]"]
        assert d.scene.pictures[1].header[:3] == (
            "size (3, 4, 5)",
            "stride (20, 5, 1)",
            "offset 60 · uint8",
        )
        for number in range(2):
            assert (shown(d, number) == x[number].permute(1, 2, 0).numpy()).all()
        many = draw_pixels(torch.zeros(20, 1, 2, 2), dims="NCHW")
        assert len(many.scene.pictures) == 12
        assert many.scene.notes == ("8 images more, which are not drawn.",)

    def test_nothing_outside_and_nothing_left_out_is_read(self):
        """Only bytes inside of the storage, and about as many as are shown."""
        from dataclasses import replace

        x = sk.zeros(4000, 4000, dtype="uint8")
        subject = subject_of("draw", x)
        places = []

        def bytes_at(wanted, width):
            assert 0 <= wanted.start <= wanted.stop <= 16_000_000
            places.append(len(wanted))
            return bytes(len(wanted) * width)

        for layout in (x.layout, Layout((4000, 4000), (-4000, 4001), 3999 * 4000)):
            places.clear()
            watched = replace(subject, bytes_at=bytes_at)
            header = (layout.size, layout.stride, layout.storage_offset)
            d = draw_pixels(watched, **dict(zip(HEADER, header, strict=True)))
            assert (d.scene.pictures[0].rows, d.scene.pictures[0].columns) == (250, 250)
            assert sum(places) <= 64 * 250 * 250

    def test_of_a_large_image_every_so_manieth_row_and_column_is_shown(self):
        """The same step both ways, and a note says so."""
        x = torch.arange(700 * 300).view(700, 300) % 256
        d = draw_pixels(x)
        assert (shown(d)[:, :, 0] == x[::3, ::3].numpy()).all()
        assert d.scene.notes == (
            "The picture: every 3rd row and every 3rd column shown, of 700 rows and 300 columns.",
        )

    def test_a_long_strip_is_not_thinned_the_short_way(self):
        """Ten trillion rows of ten."""
        x = torch.arange(10, dtype=torch.uint8).expand(10_000_000_000_000, 10)
        d = draw_pixels(x)
        assert d.scene.pictures[0].columns == 10
        assert (shown(d)[:, :, 0] == np.arange(10)).all()
        assert len(d.svg()) < 10_000

    def test_memory_that_is_not_initialised_is_hidden(self):
        """resize_ leaves it open."""
        x = sk.zeros(2, 3, dtype="uint8")
        x.resize_(4, 3)
        d = draw_pixels(x)
        assert d.scene.pictures[0].hidden == ((2, 0, 2, 3),)
        assert "6 of 12 pixels not readable" in d.scene.notes[0]


class TestValues:
    """Which shade a value is."""

    @pytest.mark.parametrize(
        "dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
                  "float32", "float64", "uint16", "uint32", "uint64"]
    )  # fmt: skip
    def test_every_dtype(self, dtype):
        """Black, white, and what lies beyond."""
        kind = getattr(sk, dtype)
        one = {"float": 1.0, "bool": True, "int": 1}[kind.kind]
        x = sk.tensor([[0, one, one]], dtype=kind)
        most = 255 if kind.kind == "int" else 1
        assert shown(draw_pixels(x)).ravel().tolist() == [0, round(255 / most), round(255 / most)]
        assert shown(draw_pixels(x, high=2)).ravel().tolist() == [0, 128, 128]
        assert shown(draw_pixels(x, low=-1, high=1)).ravel().tolist() == [128, 255, 255]

    @given(
        values=st.lists(
            st.one_of(st.floats(width=32), st.floats(-0.015625, 1.015625, width=32)), min_size=1
        ),
        low=st.sampled_from([None, 0, -1, 0.25]),
        high=st.sampled_from([None, 1, 5, 0.5]),
    )
    def test_floats(self, values, low, high):
        """Clipped, rounded to the nearest; what is clipped by more than rounding is counted."""
        black, white = 0 if low is None else low, 1 if high is None else high
        d = draw_pixels(torch.tensor([values], dtype=torch.float32), low=low, high=high)
        array = np.array(values, np.float64)
        numbers = ~np.isnan(array)
        # As in float64, lest what lies near the middle of two shades be rounded otherwise.
        levels = (np.where(numbers, array, black) - black) * (255 / (white - black)) + 0.5
        expected = np.where(numbers, np.floor(np.clip(levels, 0, 255.5)), 0)
        assert shown(d).ravel().tolist() == expected.astype(int).tolist()
        beyond = int((numbers & ((levels <= -1) | (levels >= 256))).sum())
        notes = " ".join(d.scene.notes)
        assert (f"{beyond:,} value" in notes) == bool(beyond)
        assert ("nan, shown as black" in notes) == bool((~numbers).sum())

    def test_the_notes_say_what_was_clipped_and_what_to_do(self):
        """And count what is not readable nowhere."""
        d = draw_pixels({"x": torch.full((2, 2), 200.0)})
        assert d.scene.notes == (
            "x: 4 values below 0 or above 1 shown as black or white. If 255 is white, say "
            "high=255.",
        )
        d = draw_pixels(torch.tensor([[nan, 0.5]]))
        assert d.scene.notes == ("The picture: 1 value nan, shown as black.",)
        d = draw_pixels(torch.tensor([-3, 300]), size=(1, 3))
        assert d.scene.notes[1] == (
            "The picture: 2 values below 0 or above 255 shown as black or white."
        )

    @pytest.mark.parametrize(
        ("x", "white"),
        [
            (torch.arange(16).view(4, 4), 255),
            (np.eye(4, dtype=np.uint8), 255),
            (torch.full((3, 5, 5), 0.05), 1),
            # These are seen, are black, or are as somebody has asked for.
            (torch.arange(17).view(1, 17), None),
            (torch.full((3, 5, 5), 0.07), None),
            (torch.zeros(4, 4), None),
            (torch.eye(4, dtype=torch.bool), None),
        ],
    )
    def test_what_is_nearly_black_is_said_to_be(self, x, white):
        """A mask of ones, and numbers of classes: with a white of their own they are seen."""
        said = f"The picture: nearly black, for white is {white}. Say high=x.max()."
        assert draw_pixels(x).scene.notes == ((said,) if white else ())
        assert draw_pixels(x, high=float(x.max()) or 1).scene.notes == ()
        d = draw_pixels(torch.tensor([5, 5], dtype=torch.uint8), size=(1, 3), low=2, high=4)
        assert "2 values below 2" in d.scene.notes[1]

    @pytest.mark.parametrize(
        ("x", "error", "message"),
        [
            (torch.zeros(2, 2, dtype=torch.complex64), DTypeError, r"no brightness.*x\.abs\(\)"),
            (torch.zeros(2, 2, dtype=torch.complex128), DTypeError, r"no brightness.*x\.abs\(\)"),
            (np.zeros((2, 2), complex), DTypeError, r"no brightness.*Draw abs\(x\)"),
            (sk.zeros(2, 2, dtype="complex64"), DTypeError, r"Draw x\.torch\(\)\.abs\(\)"),
            (torch.zeros(2, 2, dtype=torch.float8_e5m2), DTypeError, r"Draw x\.float\(\)"),
            (np.zeros((2, 2), ">i4"), DTypeError, r"not plain numbers. Draw x\.astype\(float\)"),
            (torch.zeros(2, 2, device="meta"), InteropError, "a header and no memory"),
            (np.zeros((2, 2), np.clongdouble), DTypeError, r"no brightness.*Draw abs\(x\)"),
            (np.zeros((2, 2), "u1,f4"), DTypeError, r"Draw x\['name'\], one of its fields"),
        ],
    )
    def test_what_has_no_brightness_is_refused(self, x, error, message):
        """With a way out, in the words of its library."""
        with pytest.raises(error, match=f"draw_pixels: .*{message}"):
            draw_pixels(x)

    @pytest.mark.filterwarnings("ignore")
    def test_of_rare_dtypes_the_way_out_works(self):
        """Quantised ones have no float(), and that of complex ones drops a half."""
        codes = torch.quantize_per_tensor(torch.rand(2, 2), 0.1, 0, torch.quint8)
        with pytest.raises(DTypeError, match=r"Draw x\.dequantize\(\)"):
            draw_pixels(codes)
        half = torch.zeros(2, 2, dtype=torch.complex32)
        with pytest.raises(DTypeError, match=r"no brightness. Draw x\.abs\(\)"):
            draw_pixels(half)
        assert draw_pixels(half.abs()).alt
        assert draw_pixels(codes.dequantize()).alt

    @pytest.mark.parametrize(
        ("low", "high", "message"),
        [
            (1, 1, "low is the lesser"),
            (2, None, "low is the lesser"),
            ("0", 1, "low is a number"),
            (0, True, "high is a number"),
            (0, nan, "high is a number"),
            (0, 10**400, "high is a number"),
            (np.zeros(2), 1, "low is a number"),
            (-1.7e308, 1.7e308, "low is the lesser"),
        ],
    )
    def test_black_and_white_must_be_numbers_in_order(self, low, high, message):
        """Not the same, and no more apart than numbers can be."""
        with pytest.raises(ArgumentError, match=f"draw_pixels: .*{message}"):
            draw_pixels(torch.zeros(2, 2), low=low, high=high)

    @pytest.mark.parametrize("x", [torch.tensor([[2, 5]]), np.array([[2, 5]]), sk.tensor([[2, 5]])])
    def test_black_and_white_may_be_numbers_of_its_library(self, x):
        """As its least and its greatest element are, and one element of it."""
        least, greatest = (x.min(), x.max()) if hasattr(x, "max") else (x[0, 0], x[0, 1])
        assert shown(draw_pixels(x, low=least, high=greatest)).ravel().tolist() == [0, 255]

    def test_opacity(self):
        """A pixel that is not opaque stands on white: in words and as text."""
        x = torch.tensor([[[0, 0, 0, 0]] * 3] * 3, dtype=torch.uint8)
        d = draw_pixels(x, dims="HWC")
        assert "9 9 9 above" in d.alt
        assert d.text().splitlines()[:2] == ["", ""]


def test_elements_that_lie_at_any_byte():
    """A field of records is the picture that a copy of it is; and has the same outside."""
    records = np.zeros((4, 6), [("tag", "u1"), ("level", "i4")])
    records["level"] = np.arange(24).reshape(4, 6) * 10
    field = records["level"]
    assert shown(draw_pixels(field))[..., 0].tolist() == field.tolist()
    (area,) = draw_pixels(field, size=(6, 6), stride=(30, 5)).scene.pictures[0].hidden
    assert area == (4, 0, 2, 6)


class TestDims:
    """Which dim is which."""

    @pytest.mark.parametrize(
        ("size", "letters"),
        [
            ((5, 7), "HW"),
            ((3, 4), "HW"),
            ((5, 7, 3), "HWC"),
            ((5, 7, 1), "HWC"),
            ((4, 5, 7), "CHW"),
            ((1, 5, 7), "CHW"),
            ((2, 5, 7, 3), "NHWC"),
            ((2, 3, 5, 7), "NCHW"),
            ((3, 5, 7, 4), "NHWC"),
        ],
    )
    def test_what_the_size_alone_says(self, size, letters):
        """And the header says that it was guessed."""
        assert pixel_dims(size, None) == (letters, True)
        d = draw_pixels(torch.zeros(size))
        assert "read as " in d.scene.pictures[0].header[3]
        assert "read as " not in draw_pixels(torch.zeros(size), dims=letters).text()

    def test_of_several_one_says_it_by_name(self):
        """What the refusal shows can be pasted: the others keep what their sizes say."""
        several = {"x": torch.zeros(4, 4), "it's": torch.zeros(3, 4, 4)}
        with pytest.raises(ArgumentError) as refused:
            draw_pixels(several)
        ways = re.search(r"Say which: dims=(\{.*?\}) or dims=(\{.*?\})\.$", str(refused.value))
        for way, letters in zip(ways.groups(), ("H, W, C", "C, H, W"), strict=True):
            assert letters in draw_pixels(several, dims=eval(way)).text()

    @pytest.mark.parametrize(
        ("size", "message"),
        [
            ((), r"size \(\) is not that of a picture"),
            ((5,), r"size \(5,\) is not that of a picture.*size=\(8, 12\)"),
            ((1, 1, 1, 1, 1), "not that of a picture"),
            ((3, 5, 3), 'may be HWC or CHW. Say which: dims="HWC" or dims="CHW"'),
            ((1, 5, 4), "may be HWC or CHW"),
            ((2, 5, 7), "not that of a picture.*Draw one image or one channel"),
            ((2, 3, 5, 3), "may be NHWC or NCHW"),
            ((2, 2, 5, 7), "C of 1, 3 or 4 channels"),
        ],
    )
    def test_what_it_does_not_say(self, size, message):
        """Somebody has to."""
        with pytest.raises(ArgumentError, match=message):
            draw_pixels(torch.zeros(size))

    def test_picture_by_picture(self):
        """A dict of names says it for some, and the size for the others."""
        x = torch.arange(36, dtype=torch.uint8)
        both = {"x": x.view(3, 4, 3), "y": x.view(3, 4, 3), "z": x.view(4, 9)}
        d = draw_pixels(both, dims={"x": "HWC", "y": "CHW"})
        sizes = [(p.rows, p.columns, p.channels) for p in d.scene.pictures]
        assert sizes == [(3, 4, 3), (4, 3, 3), (4, 9, 1)]
        with pytest.raises(ArgumentError, match="dims of 'w', and no tensor here is called so"):
            draw_pixels(both, dims={"w": "HWC"})
        with pytest.raises(ArgumentError, match="may be HWC or CHW"):
            draw_pixels(both, dims={"x": "HWC"})

    @pytest.mark.parametrize(
        ("dims", "message"),
        [
            ("HC", "with dims='HC', is not that of a picture"),
            ("HWWC", "name its dims, each once"),
            ("HWX", "each once"),
            (3, "with dims=3, is not"),
            ("HWCN", r"size \(5, 7, 3\), with dims='HWCN', is not"),
            ("CHW", "C of 1, 3 or 4 channels.*one channel of it"),
        ],
    )
    def test_what_cannot_be_said(self, dims, message):
        """With the reason."""
        with pytest.raises(ArgumentError, match=message):
            draw_pixels(torch.zeros(5, 7, 3), dims=dims)


class TestHeaders:
    """Another header over the same storage."""

    def test_what_is_not_given_stays(self):
        """A size alone is row-major; the offset is the tensor's own."""
        x = sk.face("HW")[2:]
        assert draw_pixels(x, stride=(97, 1)).scene.pictures[0].header[:3] == (
            "size (62, 96)",
            "stride (97, 1)",
            "offset 192 · uint8",
        )
        assert draw_pixels(x, size=(10, 20)).scene.pictures[0].header[1] == "stride (20, 1)"
        assert draw_pixels(x, storage_offset=0).scene.pictures[0].header[1] == "stride (96, 1)"

    def test_layouts_among_tensors(self):
        """Are headers over the first one's storage, and stand out by what is other."""
        d = draw_pixels([sk.face("HW"), Layout((64, 96), (97, 1)), sk.face("HW")])
        assert [picture.name for picture in d.scene.pictures] == ["a", "b", "c"]
        assert [picture.emphatic for picture in d.scene.pictures] == [
            frozenset(),
            frozenset({1}),
            frozenset(),
        ]

    @pytest.mark.parametrize(
        ("asked", "error", "message"),
        [
            ({"size": (2, -1)}, SizeError, "is not negative"),
            ({"size": (2, 2), "stride": (1,)}, LayoutError, "has 2 dims and stride"),
            ({"size": 3}, ArgumentError, "a size stands in a tuple"),
            ({"stride": (1.5, 2)}, ArgumentError, "stride is an int"),
            ({"storage_offset": True}, ArgumentError, "storage_offset is an int"),
            ({"select": (64, 0)}, IndexRangeError, "64 is outside dim H, which has size 64"),
            ({"select": (1, 2, 3)}, IndexRangeError, "has 3 coordinates"),
            ({"select": "x"}, ArgumentError, "select is an index"),
            ({"title": 3}, ArgumentError, "title is a text"),
        ],
    )
    def test_what_is_no_header(self, asked, error, message):
        """Refused before anything is read."""
        with pytest.raises(error, match=message):
            draw_pixels(sk.face("HW"), **asked)

    def test_two_of_one_name(self):
        """Are two pictures all the same."""
        d = draw_pixels({"x": torch.zeros(1, 1), "x ": torch.ones(1, 1)})
        assert [picture.pixels for picture in d.scene.pictures] == [b"\0", b"\xff"]

    def test_what_is_no_picture(self):
        """Nothing, numbers, a header without a tensor, a header for two."""
        with pytest.raises(ArgumentError, match="draw_pixels: there is nothing to draw"):
            draw_pixels()
        with pytest.raises(ArgumentError, match="draw_pixels: an object of type int has no size"):
            draw_pixels(3)
        with pytest.raises(ArgumentError, match="there is no tensor whose storage it could read"):
            draw_pixels(Layout((2, 2), (2, 1)))
        with pytest.raises(ArgumentError, match="these are 2"):
            draw_pixels(sk.face(), sk.face(), stride=(1, 1, 1))
        with pytest.raises(StridekitError):
            draw_pixels("face")


class TestMarks:
    """A pixel's memory is outlined wherever it is shown."""

    @given(
        row=st.integers(0, 5),
        column=st.integers(0, 6),
        stride=st.tuples(st.integers(-8, 8), st.integers(-8, 8)),
        offset=st.integers(-10, 50),
    )
    def test_all_pixels_that_show_it_and_no_others(self, row, column, stride, offset):
        """In the picture itself, and under another header."""
        x = sk.zeros(6, 7, dtype="uint8")
        other = Layout((6, 7), stride, offset)
        d = draw_pixels([x, other], select=(row, column))
        assert d.scene.pictures[0].marked == ((row, column),)
        position = 7 * row + column
        expected = [index for index in other.indices() if other.position(index) == position]
        assert [*d.scene.pictures[1].marked] == expected

    def test_a_channel_marks_its_pixel(self):
        """Channels that are read backwards are the same pixel."""
        d = draw_pixels([sk.face(), Layout((64, 96, 3), (288, 3, -1), 2)], select=(8, 55))
        assert [picture.marked for picture in d.scene.pictures] == [((8, 55),)] * 2
        assert "positions 2,469, 2,470 and 2,471" in d.alt

    def test_no_more_than_so_many_are_outlined(self):
        """Stride 0 shows one pixel everywhere."""
        d = draw_pixels(torch.zeros(1, dtype=torch.uint8).expand(50, 50), select=(49, 49))
        assert len(d.scene.pictures[0].marked) == 200
        assert "the first 200 pixels with that memory are outlined" in d.alt

    def test_another_storage_is_another_memory(self):
        """Though its header is the same."""
        d = draw_pixels([sk.face(), sk.face()], select=(0, 0))
        assert d.scene.pictures[1].marked == ()


class TestWords:
    """What is said of a picture."""

    @pytest.mark.parametrize(
        ("stride", "offset", "words"),
        [
            ((97, 1), 0, ["drawn 1 pixel further to the left"]),
            ((94, 1), 0, ["drawn 2 pixels further to the right"]),
            ((1, 96), 0, ["rows and columns are exchanged"]),
            ((96, -1), 95, ["columns run backwards, so the picture is mirrored left to right"]),
            ((-96, 1), 6048, ["rows run backwards, so the picture is upside down"]),
            ((192, 2), 0, ["every 2nd column is shown", "every 2nd row is shown"]),
            ((192, -3), 95, ["columns run backwards, and every 3rd column", "every 2nd row"]),
            ((0, 1), 0, ["one row again and again"]),
            ((96, 0), 0, ["one column again and again"]),
            ((96, 1), 0, ["it is the same picture"]),
        ],
    )
    def test_what_another_header_does(self, stride, offset, words):
        """In sentences that the numbers alone bear out."""
        d = draw_pixels({"x": sk.face("HW"), "y": Layout((64, 96), stride, offset)})
        notes = [note for note in d.scene.notes if "not readable" not in note]
        assert len(notes) == len(words)
        for note, word in zip(notes, words, strict=True):
            assert re.search(f"^y: .*{word}", note)

    def test_rows_of_another_length(self):
        """Nothing leans there, and so nothing is said to."""
        x = {"x": sk.face("HW"), "y": Layout((96, 64), (64, 1))}
        assert draw_pixels(x).scene.notes == ("y: rows of 96 pixels are read as rows of 64.",)
        assert draw_pixels(x, compare=False).scene.notes == ()

    def test_the_alt_text(self):
        """Says what is there, without a look at it."""
        d = draw_pixels({"face": sk.face("HW")})
        assert d.alt == (
            "Picture face, 64 rows of 96 pixels in grey: size (64, 96), stride (96, 1), offset 0 "
            "· uint8, dims read as H, W, over a storage of 6,144 elements. Brightness in "
            "thirds, from 0 for black to 9 for white: 7 4 6 above, 6 6 6 in the middle, 5 5 4 "
            "below."
        )

    def test_the_text_form(self):
        """A character for two pixels one above the other, dense where it is dark."""
        x = torch.tensor([[0, 255], [0, 255], [255, 0]], dtype=torch.uint8)
        lines = draw_pixels(x, size=(4, 2)).text().splitlines()
        assert lines[:2] == ["@", " @"]
        assert "not readable /" not in draw_pixels(x).text()
        below = draw_pixels(x, size=(6, 2)).text()
        assert below.splitlines()[:3] == ["@", " @", "//"]
        assert "not readable /" in below

    def test_no_pixels(self):
        """An image without rows, and a batch without images."""
        d = draw_pixels(torch.zeros(0, 5))
        assert "(0 pixels)" in d.text()
        assert "0 pixels" in d.svg()
        assert draw_pixels(torch.zeros(0, 3, 5, 7)).scene.notes == ("There are no images in it.",)


def test_another_order_in_memory_is_no_step():
    """Columns are left out only where a row is still made of the same columns."""
    rows = sk.face(dims="HW")
    assert (
        draw_pixels({"rows": rows, "columns": rows.as_strided((64, 96), (1, 64))}).scene.notes == ()
    )
    (note,) = draw_pixels({"rows": rows, "fewer": rows[:, ::3]}).scene.notes
    assert note == "fewer: every 3rd column is shown."


def test_rows_that_begin_within_each_other_have_no_steps():
    """A header over a face whose rows overlap: its neighbour shows no "row of every six" of it."""
    face = sk.face("HW")
    wrong, whole = sk.Layout((4, 96), (16, 1)), sk.Layout((4, 96), (96, 1))
    assert not draw_pixels([wrong, whole, face]).scene.notes
    assert draw_pixels([sk.Layout((64, 96), (96, 1)), face[::2]]).scene.notes
