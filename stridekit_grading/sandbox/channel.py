"""Messages between two processes, over a socket: JSON with its length in front.

Whatever comes from a learner's process was written by a stranger, and is never unpickled. So
lengths have a cap, what is not JSON is an error of its own, and what a message says is looked at by
whoever asked for it.
"""

import json
import random
import socket
import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

_HEADER = struct.Struct(">I")
# The longest message that is read: what a check of thousands of tensors takes, and some more.
LONGEST = 48 * 1024 * 1024
# How long somebody waits who has other things to do meanwhile, in seconds; at most twice as long,
# by chance, so that nobody keeps in step with the one who looks.
PAUSE = 0.2


class ChannelError(Exception):
    """The other end is gone, or speaks another language."""


class GoneError(ChannelError):
    """The other end is gone."""


class TooLongError(ChannelError):
    """A message that would not be read, and was not sent."""


class Channel:
    """One end of a connection. Messages arrive whole, and in order."""

    def __init__(
        self, connection: socket.socket, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """`meanwhile` is called again and again while a message is sent or waited for."""
        self.socket, self._meanwhile = connection, meanwhile
        connection.settimeout(None)

    @classmethod
    def of_descriptor(cls, descriptor: int) -> "Channel":
        """The channel over an open socket."""
        return cls(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self.socket.fileno()

    def send(self, message: Any) -> None:
        """Send anything that JSON can say. Raises ChannelError."""
        body = json.dumps(message, separators=(",", ":")).encode()
        if len(body) > LONGEST:
            raise TooLongError(f"a message of {len(body):,} bytes; at most {LONGEST:,} are sent.")
        left = memoryview(_HEADER.pack(len(body)) + body)
        while left:
            left = left[self._patiently(partial(self.socket.send, left)) :]

    def receive(self) -> Any:
        """The next message. Raises ChannelError."""
        (length,) = _HEADER.unpack(self._exactly(_HEADER.size))
        if length > LONGEST:
            raise ChannelError(f"a message of {length:,} bytes; at most {LONGEST:,} are read.")
        try:
            return json.loads(self._exactly(length))
        except (ValueError, RecursionError) as error:
            raise ChannelError(f"a message that is not JSON: {error}.") from error

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _exactly(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            most = min(length - len(parts), 1 << 20)
            part = self._patiently(partial(self.socket.recv, most))
            if not part:
                raise GoneError("the other end is gone.")
            parts += part
        return bytes(parts)

    def _patiently(self, does: Callable[[], T]) -> T:
        while True:
            # Not in pauses alone: somebody may leave none.
            if self._meanwhile is not None:
                self._meanwhile()
                self.socket.settimeout(random.uniform(PAUSE, 2 * PAUSE))
            try:
                return does()
            except TimeoutError as error:
                if self._meanwhile is None:
                    raise ChannelError("nothing came in time.") from error
            except OSError as error:
                raise GoneError(f"the other end is gone: {error}.") from error


def requests() -> tuple[socket.socket, socket.socket]:
    """Two connected ends for `send_descriptors`: what several processes send does not mix."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send_descriptors(connection: socket.socket, descriptors: Sequence[int]) -> None:
    """Hand open descriptors over, and nothing else. Raises ChannelError."""
    try:
        socket.send_fds(connection, [b"."], [*descriptors])
    except OSError as error:
        raise GoneError(f"the other end is gone: {error}.") from error


def receive_descriptors(connection: socket.socket) -> list[int] | None:
    """The next descriptors, or None when nobody sends any more."""
    try:
        body, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    except OSError:
        return None
    return descriptors if body else None
