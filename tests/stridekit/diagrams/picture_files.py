"""What stands in an SVG and in a PNG, and what a text tells."""

import struct
import xml.etree.ElementTree as ET
import zlib
from math import isfinite

from stridekit.diagrams.pages.page import text_width
from stridekit.diagrams.scenes.captions import value_text

SVG = "{http://www.w3.org/2000/svg}"


def tells(text: str, value: object) -> bool:
    """Whether a text tells a value: a float to a digit at least, how many more its section says."""
    if type(value) is not float:
        return text == value_text(value)
    if not isfinite(value):
        return text == str(value)
    places = len(text.split("e")[0].partition(".")[2])
    unit = 10.0 ** (int(text.partition("e")[2] or 0) - places)
    return abs(float(text) - value) <= 0.51 * unit and (float(text) != 0 or value == 0)


def svg_texts(svg: str) -> list[tuple[str, float, float]]:
    """All texts of an SVG, each with its place: digits that stand side by side are a number."""
    texts = []
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        beside = text_width("0", float(group.get("font-size")), mono=True)
        for element in group.iter(f"{SVG}text"):
            places = [float(place) for place in element.get("x").split()]
            y = float(element.get("y"))
            if len(places) == 1:
                texts.append((element.text, places[0], y))
                continue
            assert len(places) == len(element.text)
            before = None
            for character, x in zip(element.text, places, strict=True):
                if before is not None and abs(x - before - beside) < 0.2:
                    word, first, _ = texts[-1]
                    texts[-1] = word + character, first, y
                else:
                    texts.append((character, x, y))
                before = x
    return texts


def png_rows(png: bytes) -> bytes:
    """What a PNG holds, unpacked: its header, and its rows, each after the number of its filter."""
    parts, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        parts.setdefault(png[at + 4 : at + 8], png[at + 8 : at + 8 + length])
        at += length + 12
    return parts[b"IHDR"] + zlib.decompress(parts[b"IDAT"])
