"""How wide texts are, in parts of the font size, without a font library.

The widths are those of DejaVu Sans and DejaVu Sans Mono, which matplotlib brings along. The
SVG renderer fits other fonts to them.
"""

from functools import lru_cache

# The printable ASCII characters from the space on, in thousandths.
_SANS = tuple(
    int(width)
    for width in """
318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636
636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787
603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635
634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838
""".split()  # noqa: SIM905 - a list of 95 strings reads worse
)
_BOLD = tuple(
    int(width)
    for width in """
348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696
696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850
733 850 770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716
712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 712 838
""".split()  # noqa: SIM905 - a list of 95 strings reads worse
)
_OTHERS = {"·": 318, "×": 838, "≠": 838, "→": 838, "⋯": 1000, "…": 1000}
_MONO = 602


@lru_cache(maxsize=8192)
def text_width(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """The width of a text, in the units of the font size.

    >>> round(text_width("0000", 10, mono=True), 2)
    24.08
    """
    if mono:
        return len(text) * _MONO * size / 1000
    table = _BOLD if bold else _SANS
    return sum(_advance(character, table) for character in text) * size / 1000


def _advance(character: str, table: tuple[int, ...]) -> int:
    code = ord(character) - 32
    return table[code] if 0 <= code < len(table) else _OTHERS.get(character, 1000)
