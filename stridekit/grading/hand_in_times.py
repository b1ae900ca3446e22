"""When something was handed in, as rosters write it; nothing is guessed."""

import re
import warnings
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from stridekit.errors import CommandError


def zone_called(name: str | None) -> ZoneInfo | None:
    """A time zone. Raises CommandError."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(
            f"there is no time zone {name!r}. Say it as Europe/Berlin or UTC."
        ) from error


def read_time(text: str) -> datetime | None:
    """A time in English, if it is a whole one."""
    from dateutil import parser

    # 01/12/2026 is another day on the other side of an ocean.
    if not re.search(r"[A-Za-z]{3}|^\d{4}-\d\d-\d\d", text):
        return None
    # What a text does not say is taken from the default, so it differs.
    defaults = (datetime(2001, 1, 1, 0), datetime(2002, 2, 2, 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", parser.UnknownTimezoneWarning)
            time, other = (parser.parse(text, default=each) for each in defaults)
    except (ValueError, OverflowError, TypeError, parser.UnknownTimezoneWarning):
        return None
    # nbgrader misreads years of less than four digits.
    return time if time == other and time.year >= 1000 else None


def in_utc(time: datetime, zone: ZoneInfo | None) -> datetime | None:
    """The same moment, unless it is in a year that there is not."""
    try:
        return time.replace(tzinfo=time.tzinfo or zone).astimezone(UTC)
    except (OverflowError, ValueError):
        return None
