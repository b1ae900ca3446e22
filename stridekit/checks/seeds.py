"""Where a class is graded, hidden checks take seeds that only the course knows.

Who calls a hidden check in a process of his own learns nothing then: its cases are others.
"""

import hashlib
import hmac

_secret = b""


def keep_secret(secret: bytes) -> None:
    """From now on, in this process and its forks, seeds of hidden checks come from this secret."""
    global _secret
    _secret = secret


def is_graded() -> bool:
    """Whether this process judges for a course, and says little of hidden cases."""
    return bool(_secret)


def hidden_seed(name: str, seed: int) -> int:
    """The seed that a hidden check takes where its test says `seed`.

    >>> hidden_seed("isContiguous", 3)
    3
    """
    if not _secret:
        return seed
    text = f"{name} {seed}".encode()
    return int.from_bytes(hmac.digest(_secret, text, hashlib.sha256)[:7], "big")
