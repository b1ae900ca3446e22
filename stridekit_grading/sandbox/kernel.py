"""Calls into the Linux kernel that Python has no name for: namespaces, mounts, Landlock."""

import ctypes
import os
import platform
import struct
import sys
from functools import cache
from pathlib import Path

# Of <linux/sched.h>.
NEW_USER, NEW_PROCESSES, NEW_MOUNTS = 0x10000000, 0x20000000, 0x00020000
NEW_IPC, NEW_NETWORK = 0x08000000, 0x40000000
# Of <linux/mount.h>.
_NO_SETUID, _NO_DEVICES, _NO_PROGRAMS, _BIND = 2, 4, 8, 1 << 12
_PRIVATE, _RECURSIVE = 1 << 18, 1 << 14
# Of <linux/prctl.h>.
_DIE_WITH_PARENT, _DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_SIGKILL = 9
# Of <linux/capability.h>.
_CAPABILITIES_VERSION = 0x20080522
# Of <linux/landlock.h>; the numbers of its calls are the same on every machine but Alpha.
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
# To execute, and to read files and folders; to write and to read a file.
_READ, _WRITE = 0b1101, 0b0110
# Up to which bit a right over files exists, since which version.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_SCOPES_SINCE, _NETWORK_SINCE = 6, 4
_PATH_BENEATH = 1


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def unshare(namespaces: int) -> None:
    """Leave these namespaces for new ones; users keep their numbers. Raises OSError."""
    user, group = os.geteuid(), os.getegid()
    _checked(_libc().unshare(namespaces))
    if namespaces & NEW_USER:
        for name, line in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            Path(f"/proc/self/{name}").write_bytes(line.encode())


def mount_privately() -> None:
    """What is mounted from now on is seen in this namespace only. Raises OSError."""
    _checked(_libc().mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None))


def mount_memory(folder: str, megabytes: int) -> None:
    """A file system in memory, of bounded size, that is all one's own. Raises OSError."""
    options = f"size={megabytes}m,mode=700,nr_inodes=20000".encode()
    flags = _NO_SETUID | _NO_DEVICES
    _checked(_libc().mount(b"tmpfs", folder.encode(), b"tmpfs", flags, options))


def mount_again(descriptor: int, folder: str) -> None:
    """Have an open folder there too, as it was mounted. Raises OSError."""
    origin = f"/proc/self/fd/{descriptor}".encode()
    _checked(_libc().mount(origin, folder.encode(), None, _BIND | _RECURSIVE, None))


def mount_processes() -> None:
    """/proc, with the processes of this namespace only. Raises OSError."""
    flags = _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS
    _checked(_libc().mount(b"proc", b"/proc", b"proc", flags, None))


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _libc().prctl(_DIE_WITH_PARENT, _SIGKILL, 0, 0, 0)


def no_new_privileges() -> None:
    """Programs that are started gain nothing by their owner or their marks."""
    _checked(_libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def drop_capabilities() -> None:
    """Whoever makes a user namespace is its root; from now on, he is nobody in it."""
    header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    _checked(_libc().capset(header, bytes(24)))


def set_dumpable(*, dumpable: bool) -> None:
    """Whether others of the same user may look into this process's memory."""
    _libc().prctl(_DUMPABLE, int(dumpable), 0, 0, 0)


def landlock_version() -> int:
    """Which Landlock this kernel has; 0 if none."""
    if platform.machine() == "alpha" or not sys.platform.startswith("linux"):
        return 0
    return max(0, int(_libc().syscall(_LANDLOCK_CREATE, None, 0, 1)))


def landlock(writable: list[str]) -> int:
    """From now on, and for ever: read all that is there, write only under `writable`.

    No connection can be made, and no process outside be signalled, where the kernel can see to
    it. Gives the version that was used, 0 where there is none. Raises OSError.
    """
    version = landlock_version()
    if not version:
        return 0
    every = (1 << _FILE_RIGHTS[min(version, max(_FILE_RIGHTS))]) - 1
    network = 0b11 if version >= _NETWORK_SINCE else 0
    scopes = 0b11 if version >= _SCOPES_SINCE else 0
    asked = struct.pack("QQQ", every, network, scopes)
    size = 8 if version < _NETWORK_SINCE else 16 if version < _SCOPES_SINCE else 24
    ruleset = _checked(_libc().syscall(_LANDLOCK_CREATE, asked, size, 0))
    try:
        _allow(ruleset, "/", _READ & every)
        for path in writable:
            if Path(path).exists():
                _allow(ruleset, path, every if Path(path).is_dir() else _WRITE & every)
        no_new_privileges()
        _checked(_libc().syscall(_LANDLOCK_RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, beneath)
        _checked(_libc().syscall(_LANDLOCK_ADD, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(beneath)
