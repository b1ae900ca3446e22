"""What asks a warm Python for a fork: a Python itself, whose start each of them waits for.

So it imports little. See `tests/warm.py`.
"""

import marshal
import os
import signal
import socket
import sys


def ask(path: str, numbers: str, *arguments: str) -> int:
    """Have it run there, with what this process has; gives its exit status.

    Of descriptors that are handed on beside the usual three, `numbers` are said. It ends with this
    process, which an interrupt ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    handed = map(int, numbers.split())
    message = marshal.dumps((arguments, os.getcwd(), {**os.environ}))  # noqa: PTH109 - see above
    with socket.socket(socket.AF_UNIX) as far:
        far.connect(path)
        socket.send_fds(far, [len(message).to_bytes(8, "big")], [0, 1, 2, *handed])
        far.sendall(message)
        return int(far.recv(16) or b"1")


if __name__ == "__main__":
    sys.exit(ask(*sys.argv[1:]))
