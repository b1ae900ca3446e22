"""The picture that the library ships, and the tool that has painted it."""

import numpy as np
import paint_face

import stridekit as sk


def test_the_file_is_what_the_tool_paints():
    """Pixel by pixel, but for what the sine of another machine rounds."""
    shipped = np.array(sk.face().tolist())
    painted = np.frombuffer(paint_face.painted(), np.uint8).reshape(shipped.shape)
    assert np.abs(painted - shipped).max() <= 1
    head = f"P6 {paint_face.WIDTH} {paint_face.HEIGHT} 255\n".encode()
    assert paint_face.FILE.read_bytes().startswith(head)
