"""What the page of a class and those of feedback have in common: numbers, times, names."""

import re
from datetime import timedelta
from functools import cache
from typing import Any

from markupsafe import Markup

from stridekit_grading.safe_html import clean_html, markdown, shortened


def rendered(template: str, **given: Any) -> str:
    """A page. Whatever is no Markup is text on it."""
    return str(_environment().get_template(template).render(**given))


@cache
def _environment() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("stridekit_grading"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    filters = (number, duration, breakable, capital, clean_html, markdown, shortened)
    environment.filters |= {each.__name__: each for each in filters}
    return environment


def number(points: float) -> str:
    """Points as one writes them.

    >>> number(2.0), number(0.1 + 0.2), number(-0.001), number(1234567.25)
    ('2', '0.3', '-0.001', '1234567.25')
    """
    return f"{round(points, 6) + 0.0:.12g}"


def duration(seconds: float) -> str:
    """A time in the two largest units that say something.

    >>> duration(90), duration(3 * 86400 + 7200 + 60), duration(20)
    ('1 minute', '3 days 2 hours', 'less than a minute')
    """
    left = timedelta(seconds=seconds)
    told = []
    for unit in ("day", "hour", "minute"):
        count, left = divmod(left, timedelta(**{f"{unit}s": 1}))
        if count:
            told.append(f"{count} {unit}{'s' * (count > 1)}")
    return " ".join(told[:2]) or "less than a minute"


def breakable(name: str) -> Markup:
    """A name that may go on in the next line after each of its words."""
    parts = re.split(r"(?<=_)(?=.)|(?<=[a-z_])(?=[A-Z])|(?<=-)", name)
    return Markup("<wbr>").join(parts)


def capital(text: str) -> str:
    """With a capital, unless it begins with what may be a name.

    >>> capital("this is it"), capital("t is it"), capital("is_dense is it")
    ('This is it', 't is it', 'is_dense is it')
    """
    return text[:1].upper() + text[1:] if re.match(r"[a-z]{3,} ", text) else text
