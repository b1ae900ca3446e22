"""Messages between two processes, over a socket: JSON with its length in front, never pickle.

Whatever comes from a learner's process was written by a stranger. So lengths have a cap, what is
no JSON is an error of its own, and what a message says is looked at by whoever asked for it.
"""

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

_HEADER = struct.Struct(">I")
# The longest message that is read: what a check of thousands of tensors takes, and some more.
LONGEST = 48 * 1024 * 1024


class ChannelError(Exception):
    """The other end is gone, or speaks another language."""


class ClosedError(ChannelError):
    """The other end is gone."""


class Channel:
    """One end of a connection. Messages arrive whole, and in order."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection

    @classmethod
    def of_descriptor(cls, descriptor: int) -> "Channel":
        """The channel over an open socket."""
        return cls(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self.socket.fileno()

    def send(self, message: Any) -> None:
        """Send anything that JSON can say. Raises ClosedError."""
        self.send_text(json.dumps(message, separators=(",", ":")))

    def send_text(self, text: str) -> None:
        """Send what is JSON already. Raises ClosedError."""
        body = text.encode("utf-8")
        if len(body) > LONGEST:
            raise ChannelError(f"a message of {len(body):,} bytes; at most {LONGEST:,} are sent.")
        try:
            self.socket.sendall(_HEADER.pack(len(body)) + body)
        except OSError as error:
            raise ClosedError(f"the other end is gone: {error}.") from error

    def receive(self) -> Any:
        """The next message. Raises ChannelError."""
        return _parsed(self.receive_text())

    def receive_text(self) -> str:
        """The next message, as JSON. Raises ChannelError."""
        return self._body(self._exactly(_HEADER.size))

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _body(self, header: bytes) -> str:
        if not header:
            raise ClosedError("the other end is gone.")
        (length,) = _HEADER.unpack(header)
        if length > LONGEST:
            raise ChannelError(f"a message of {length:,} bytes; at most {LONGEST:,} are read.")
        try:
            return self._exactly(length).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ChannelError("a message that is no text.") from error

    def _exactly(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            try:
                part = self.socket.recv(min(length - len(parts), 1 << 20))
            except OSError as error:
                raise ClosedError(f"the other end is gone: {error}.") from error
            if not part:
                raise ClosedError("the other end is gone.")
            parts += part
        return bytes(parts)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChannelError(f"a message that is no JSON: {error}.") from error


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends that are connected to each other."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


def requests() -> tuple[socket.socket, socket.socket]:
    """Two connected ends for `send_descriptors`: what several processes send does not mix."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send_descriptors(connection: socket.socket, descriptors: Sequence[int]) -> None:
    """Hand open descriptors over, and nothing else. Raises ClosedError."""
    try:
        socket.send_fds(connection, [b"."], [*descriptors])
    except OSError as error:
        raise ClosedError(f"the other end is gone: {error}.") from error


def receive_descriptors(connection: socket.socket, count: int) -> list[int] | None:
    """The next descriptors, or None when nobody sends any more."""
    while True:
        try:
            body, descriptors, _, _ = socket.recv_fds(connection, 1, count)
        except OSError:
            return None
        if not body:
            return None
        if len(descriptors) == count:
            return descriptors
