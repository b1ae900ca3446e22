"""Messages between the processes of the grader, one end of which a learner may have."""

import socket

import pytest

from stridekit_grading.sandbox.channel import LONGEST, Channel, ChannelError, TooLongError

HEADER = 4


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON"),
        (b"not json", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" + b"1" * 5000 + b"]", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_message_is_refused(body, said):
    mine, theirs = socket.socketpair()
    with mine, theirs:
        theirs.sendall(len(body).to_bytes(HEADER, "big") + body)
        with pytest.raises(ChannelError, match=said):
            Channel(mine).receive()


def test_a_flood_is_refused_before_it_is_read():
    """What is sent after its length waits where it is."""
    mine, theirs = socket.socketpair()
    with mine, theirs:
        theirs.sendall((LONGEST + 1).to_bytes(HEADER, "big") + b"0")
        with pytest.raises(ChannelError, match="at most"):
            Channel(mine).receive()
        assert mine.recv(2) == b"0"
        with pytest.raises(TooLongError, match="at most"):
            Channel(mine).send("0" * LONGEST)
