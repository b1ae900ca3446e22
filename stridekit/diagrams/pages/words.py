"""Words on a page: sentences in lines that fit, and the letter of a storage."""

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.page import Font, Page

LETTER = Font(11, "middle", bold=True, ink=palette.CARD)
LETTER_BOX = 16
# With the air behind it.
LETTER_WIDTH = LETTER_BOX + 8


def wrapped(text: str, font: Font, room: float) -> list[str]:
    """The text in lines that are no wider than the room, broken between words if it can be.

    >>> wrapped("one two three", Font(10), 45)
    ['one two', 'three']
    """
    lines: list[str] = []
    line = ""
    words = [piece for word in text.split(" ") for piece in _pieces(word, font, room)]
    for word in words:
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, font.size, bold=font.bold) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def _pieces(word: str, font: Font, room: float) -> list[str]:
    """A word, or what fits of it line by line."""
    pieces = []
    while text_width(word, font.size, bold=font.bold) > room and len(word) > 1:
        most = len(word) - 1
        while most > 1 and text_width(word[:most], font.size, bold=font.bold) > room:
            most -= 1
        pieces.append(word[:most])
        word = word[most:]
    return [*pieces, word]


def cut(text: str, most: int) -> str:
    """The text, or as much of it as so many characters hold.

    >>> cut("long", 4), cut("longer", 4), cut("longer", 1)
    ('long', 'lon…', '…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def fitted(text: str, font: Font, room: float) -> str:
    """The text, or as much of it as the room has place for.

    >>> fitted("a word", Font(10), 25)
    'a …'
    """
    if text_width(text, font.size, bold=font.bold) <= room:
        return text
    most = len(text)
    while most > 1 and text_width(cut(text, most), font.size, bold=font.bold) > room:
        most -= 1
    return cut(text, most)


def paint_letter(page: Page, x: float, y: float, letter: str) -> None:
    """A storage's letter on a dark square, in a line of text that begins at `y`."""
    page.over[palette.PILL].add(x, y, LETTER_BOX, LETTER_BOX)
    middle = LETTER_BOX / 2
    page.write(LETTER, x + middle, y + middle, letter, fill=palette.PILL.fill)
