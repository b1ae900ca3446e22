"""Calls into the Linux kernel that Python has no name for: namespaces, mounts, Landlock."""

import ctypes
import os
import platform
import socket
import stat
import struct
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

# Of <linux/sched.h>.
NEW_USER, NEW_PROCESSES, NEW_MOUNTS = 0x10000000, 0x20000000, 0x00020000
NEW_IPC, NEW_NETWORK = 0x08000000, 0x40000000
# Of <linux/mount.h>.
_NO_SETUID, _NO_DEVICES, _NO_PROGRAMS, _BIND = 2, 4, 8, 1 << 12
_PRIVATE, _RECURSIVE = 1 << 18, 1 << 14
_SET_MOUNT, _READ_ONLY, _ALL_BELOW = 442, 1, 0x8000
# Of <linux/prctl.h>.
_DIE_WITH_PARENT, _DUMPABLE, _ADOPT_ORPHANS, _NO_NEW_PRIVILEGES = 1, 4, 36, 38
_SECCOMP, _SIGKILL = 22, 9
# Of <linux/audit.h> and <asm/unistd.h>: what a machine is called, its calls for a socket, for its
# options, for locks on parts of files and on whole ones; setxattr, lsetxattr, fsetxattr, by which a
# file has rights without an end; and those by which the kernel holds memory that no process has, or
# acts for one unseen: setxattrat; shmget, semget, msgget; memfd_create, memfd_secret; sendfile,
# splice, tee, vmsplice, which leave a page in a socket for each byte; inotify_init and _init1,
# fanotify_init, which keep what nobody reads; io_uring_setup; landlock_create_ruleset, for rules
# without an end; bpf, for its maps; epoll_create and _create1, for all learners have one share of
# memory for it; add_key, request_key, keyctl, for all whom one login has started may have one ring
# of keys.
_CALLS = {
    "x86_64": (
        *(0xC000003E, 41, 54, 72, 73, 188, 189, 190),
        *(463, 29, 64, 68, 319, 447, 40, 275, 276, 278, 253, 294, 300, 425, 444, 321, 213, 291),
        *(248, 249, 250),
    ),
    "aarch64": (
        *(0xC00000B7, 198, 208, 25, 32, 5, 6, 7),
        *(463, 194, 190, 186, 279, 447, 71, 76, 77, 75, 26, 262, 425, 444, 280, 20, 217, 218, 219),
    ),
}
# Of <linux/bpf_common.h>.
_LOAD, _EQUAL, _AT_LEAST, _ANSWER = 0x20, 0x15, 0x35, 0x06
# An answer to a call; or a place in what is told of it, answers by what stands there, and another.
_Rule = int | tuple[int, Mapping[int, "_Rule"], int]
# Of <linux/capability.h>.
_CAPABILITIES_VERSION = 0x20080522
# Of <linux/landlock.h>; the numbers of its calls are the same wherever torch runs.
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
# To execute, and to read files and folders; to write and to read a file.
_READ, _READ_FILE, _WRITE = 0b1101, 0b0101, 0b0110
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


def forbid_user_namespaces() -> None:
    """In the present one nobody makes another, to be root in it. Raises OSError."""
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def mount_privately() -> None:
    """What is mounted from now on is seen in this namespace only. Raises OSError."""
    _checked(_libc().mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None))


def mount_memory(folder: str, megabytes: int) -> None:
    """A file system in memory, of bounded size, that is all one's own. Raises OSError."""
    options = f"size={megabytes}m,mode=700,nr_inodes=20000".encode()
    flags = _NO_SETUID | _NO_DEVICES
    _checked(_libc().mount(b"tmpfs", folder.encode(), b"tmpfs", flags, options))


def mount_again(descriptor: int, folder: str) -> None:
    """Have an open folder there too, for reading alone. Raises OSError."""
    origin, there = f"/proc/self/fd/{descriptor}".encode(), folder.encode()
    _checked(_libc().mount(origin, there, None, _BIND | _RECURSIVE, None))
    make_read_only(folder)


def make_read_only(folder: str) -> None:
    """What is mounted there and below it is for reading alone from now on. Raises OSError."""
    changes, there = struct.pack("QQQQ", _READ_ONLY, 0, 0, 0), folder.encode()
    _checked(_libc().syscall(_SET_MOUNT, -1, there, _ALL_BELOW, changes, len(changes)))


def mount_processes() -> None:
    """/proc, with the processes of this namespace only. Raises OSError."""
    flags = _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS
    _checked(_libc().mount(b"proc", b"/proc", b"proc", flags, None))


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _libc().prctl(_DIE_WITH_PARENT, _SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Be the parent of all that descends from this process and has lost its own."""
    _libc().prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def no_new_privileges() -> None:
    """Programs that are started gain nothing by their owner or their marks."""
    _checked(_libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def refuse_calls() -> None:
    """Sockets are for this machine alone from now on, and nothing is held that is not counted.

    Landlock knows of connections, and not of what is sent without one. Who asks for a larger socket
    keeps the one there was, as where it is the largest. On unusual machines it does nothing. Raises
    OSError.
    """
    known = _CALLS.get(platform.machine())
    if known is None or sys.byteorder != "little":
        return
    architecture, socket_call, option_call, part_lock_call, lock_call, *refused = known
    refuse, not_here, ignore, allow = 0x0005_0001, 0x0005_005F, 0x0005_0000, 0x7FFF_0000
    buffers = dict.fromkeys((socket.SO_SNDBUF, socket.SO_RCVBUF), ignore)
    # Who asks for a lock on a file is told that it was given. Of its parts each byte may have one,
    # and one on a file that all may read is seen by whoever runs at the same time: F_SETLK and
    # F_SETLKW, and the same of open files. F_NOTIFY tells who reads.
    # Who asks for a larger pipe keeps the one there was, too: F_SETPIPE_SZ.
    options_of_files = {1026: refuse, **dict.fromkeys((6, 7, 37, 38, 1031), ignore)}
    calls: Mapping[int, _Rule] = {
        **dict.fromkeys(refused[3:], refuse),
        # As on a disk that notes nothing, where `cp -p` is content.
        **dict.fromkeys(refused[:3], not_here),
        lock_call: ignore,
        part_lock_call: (24, options_of_files, allow),
        socket_call: (16, dict.fromkeys((socket.AF_UNIX, socket.AF_NETLINK), allow), refuse),
        option_call: (24, {socket.SOL_SOCKET: (32, buffers, allow)}, allow),
    }
    # Calls of another kind of the same machine have large numbers.
    code = [(_LOAD, 0, 0, 0), (_AT_LEAST, 0, 1, 0x4000_0000), (_ANSWER, 0, 0, refuse)]
    of_machine: _Rule = (0, calls, allow)
    code += _compiled((4, {architecture: of_machine}, refuse))
    held = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
    program = struct.pack("HP", len(code), ctypes.addressof(held))
    _checked(_libc().prctl(_SECCOMP, 2, ctypes.c_char_p(program), 0, 0))


def _compiled(rule: "_Rule") -> list[tuple[int, int, int, int]]:
    """A rule in the kernel's code: what is done, how far to go on if so and if not, with what."""
    if isinstance(rule, int):
        return [(_ANSWER, 0, 0, rule)]
    place, answers, otherwise = rule
    code = [(_LOAD, 0, 0, place)]
    for number, answer in answers.items():
        then = _compiled(answer)
        code += [(_EQUAL, 0, len(then), number), *then]
    return code + _compiled(otherwise)


def drop_capabilities() -> None:
    """Whoever makes a user namespace is its root; from now on, nobody in it."""
    header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    _checked(_libc().capset(header, bytes(24)))


def set_dumpable(*, dumpable: bool) -> None:
    """Whether others of the same user may look into this process's memory."""
    _libc().prctl(_DUMPABLE, int(dumpable), 0, 0, 0)


def landlock(readable: Iterable[str], writable: Iterable[str]) -> int:
    """From now on, and for ever: read only what is under these paths, write only under those.

    No connection can be made, and no process outside be signalled, where the kernel can see to
    it. Gives the version that was used, 0 where there is none. Raises OSError.
    """
    version = int(_libc().syscall(_LANDLOCK_CREATE, None, 0, 1))
    if version <= 0:
        return 0
    every = (1 << _FILE_RIGHTS[min(version, max(_FILE_RIGHTS))]) - 1
    network = 0b11 if version >= _NETWORK_SINCE else 0
    scopes = 0b11 if version >= _SCOPES_SINCE else 0
    asked = struct.pack("QQQ", every, network, scopes)
    size = 8 if version < _NETWORK_SINCE else 16 if version < _SCOPES_SINCE else 24
    ruleset = _checked(_libc().syscall(_LANDLOCK_CREATE, asked, size, 0))
    try:
        for path in readable:
            _allow(ruleset, path, _READ, _READ_FILE)
        for path in writable:
            _allow(ruleset, path, every, every & _WRITE)
        _checked(_libc().syscall(_LANDLOCK_RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str, of_folders: int, of_files: int) -> None:
    """Give these rights over what is under a path, if there is anything."""
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(beneath).st_mode)
        rule = struct.pack("=Qi", of_folders if is_folder else of_files, beneath)
        _checked(_libc().syscall(_LANDLOCK_ADD, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(beneath)
