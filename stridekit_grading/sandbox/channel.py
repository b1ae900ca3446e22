"""Messages between two processes, over a socket: JSON with its length in front.

Whatever comes from a learner's process was written by a stranger, and is never unpickled. So
lengths have a cap, what is no JSON is an error of its own, and what a message says is looked at by
whoever asked for it.
"""

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

HEADER = struct.Struct(">I")
# The longest message that is read: what a check of thousands of tensors takes, and some more.
LONGEST = 48 * 1024 * 1024
# So many descriptors Linux hands over at once.
DESCRIPTORS_MOST = 250


class ChannelError(Exception):
    """The other end is gone, or speaks another language."""


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
        """Send anything that JSON can say. Raises ChannelError."""
        try:
            self.socket.sendall(framed(message))
        except OSError as error:
            raise ChannelError(f"the other end is gone: {error}.") from error

    def receive(self) -> Any:
        """The next message. Raises ChannelError."""
        (length,) = HEADER.unpack(self._exactly(HEADER.size))
        if length > LONGEST:
            raise ChannelError(f"a message of {length:,} bytes; at most {LONGEST:,} are read.")
        return parsed(self._exactly(length))

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _exactly(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            try:
                part = self.socket.recv(min(length - len(parts), 1 << 20))
            except OSError as error:
                raise ChannelError(f"the other end is gone: {error}.") from error
            if not part:
                raise ChannelError("the other end is gone.")
            parts += part
        return bytes(parts)


def framed(message: Any) -> bytes:
    """A message as it is sent. Raises ChannelError where it is too long."""
    body = json.dumps(message, separators=(",", ":")).encode()
    if len(body) > LONGEST:
        raise ChannelError(f"a message of {len(body):,} bytes; at most {LONGEST:,} are sent.")
    return HEADER.pack(len(body)) + body


def parsed(body: bytes | bytearray) -> Any:
    """What a message says. Raises ChannelError."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ChannelError(f"a message that is no JSON: {error}.") from error


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends that are connected to each other."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)


def requests() -> tuple[socket.socket, socket.socket]:
    """Two connected ends for `send_descriptors`: what several processes send does not mix."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send_descriptors(connection: socket.socket, descriptors: Sequence[int]) -> None:
    """Hand open descriptors over, and nothing else. Raises ChannelError."""
    try:
        socket.send_fds(connection, [b"."], [*descriptors])
    except OSError as error:
        raise ChannelError(f"the other end is gone: {error}.") from error


def receive_descriptors(connection: socket.socket) -> list[int] | None:
    """The next descriptors, or None when nobody sends any more."""
    try:
        body, descriptors, _, _ = socket.recv_fds(connection, 1, DESCRIPTORS_MOST)
    except OSError:
        return None
    return descriptors if body else None
