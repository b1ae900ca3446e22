"""The face that ships: its headers, and that nothing in it is even."""

import numpy as np
import pytest

import stridekit as sk
from stridekit.errors import ArgumentError

RGB = np.array(sk.face().tolist(), dtype=np.int64)


@pytest.mark.parametrize(
    ("dims", "size"),
    [
        ("HWC", (64, 96, 3)),
        ("CHW", (3, 64, 96)),
        ("HW", (64, 96)),
        ("WH", (96, 64)),
        ("WCH", (96, 3, 64)),
        ("hwc", (64, 96, 3)),
    ],
)
def test_the_dims_that_were_asked_for(dims, size):
    """In their order, contiguous, with the same pixels in each."""
    x = sk.face(dims)
    assert x.shape == size
    assert x.is_contiguous()
    assert x.dtype is sk.uint8
    letters = dims.upper()
    values = np.array(x.tolist())
    if "C" in letters:
        assert (values.transpose([letters.index(letter) for letter in "HWC"]) == RGB).all()
    else:
        grey = values if letters == "HW" else values.T
        assert np.abs(grey - RGB @ (0.299, 0.587, 0.114)).max() <= 0.5 + 1e-9


def test_each_face_is_a_new_one():
    """A write to one is not seen by the next."""
    sk.face().fill_(0)
    sk.face("HW").fill_(0)
    assert sk.face().untyped_storage().data_ptr() != sk.face().untyped_storage().data_ptr()
    assert max(sk.face().view(-1).tolist()) > 200
    assert max(sk.face("HW").view(-1).tolist()) > 200


@pytest.mark.parametrize("dims", ["", "H", "HWCN", "HHW", "HCC", None, 3, ("H", "W")])
def test_other_dims_are_refused(dims):
    """With what may be said."""
    with pytest.raises(ArgumentError, match=r'face: dims are the letters.*Give "HWC", "CHW"'):
        sk.face(dims)


@pytest.mark.parametrize("picture", [RGB, np.array(sk.face("HW").tolist())], ids=["colour", "grey"])
def test_every_flip_turn_and_exchange_is_seen(picture):
    """A tenth of the pixels at least are quite another shade."""
    others = [picture[::-1], picture[:, ::-1], picture[::-1, ::-1]]
    if picture.ndim == 3:
        others += [picture[:, :, ::-1], picture[:, :, [1, 0, 2]], picture[:, :, [0, 2, 1]]]
    for other in others:
        far = np.abs(picture - other).reshape(64, 96, -1).max(axis=2) > 40
        assert far.mean() > 0.1


def test_light_dark_and_colours_are_all_there():
    """It is a picture that can be seen, in grey too."""
    grey = np.array(sk.face("HW").tolist())
    assert np.percentile(grey, 5) < 60
    assert np.percentile(grey, 95) > 215
    assert (RGB[:, :, 0] - RGB[:, :, 2]).max() > 150
    assert (RGB[:, :, 2] - RGB[:, :, 0]).max() > 60
