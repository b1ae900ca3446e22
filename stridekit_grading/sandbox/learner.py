"""What a learner's process does: it runs cells, and calls what they define when it is asked to.

All that it says is a stranger's word: a cell may have changed anything in here.
"""

import base64
import operator
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stridekit_course.checks import wire
from stridekit_course.checks.calling import Local
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_grading.sandbox.channel import Channel, ChannelError
from stridekit_grading.sandbox.crossing import Border, CannotCrossError, Sent
from stridekit_grading.sandbox.shell import Shell

_KEPT = ("LANG", "PATH", "USER", "OMP_NUM_THREADS", "MPLBACKEND", "STRIDEKIT_LANDLOCK")


class LearnerProcess:
    """One learner's process, from the first cell to the last test."""

    def __init__(self, shell: Shell, channel: Channel, scratch: str) -> None:
        self._shell, self._channel, self._scratch = shell, channel, Path(scratch)
        self._border = Border(self._stand_in, _number_of)
        self._checked: dict[int, Local] = {}
        # What was read of each since the last cell. Without one, no source changes.
        self._read: dict[int, Any] = {}

    def serve(self) -> None:
        """Do what the referee asks for, until it hangs up."""
        while True:
            try:
                asked = self._channel.receive()
            except ChannelError:
                return
            self._channel.send(self._answer(asked))

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        try:
            does: Callable[[dict[str, Any]], dict[str, Any]] = getattr(self, f"_do_{asked['do']}")
            return does(asked)
        except CannotCrossError as error:
            return {"cannot": str(error)}
        except Exception as error:  # noqa: BLE001 - an answer of some odd kind
            return {"cannot": f"what came of it cannot be looked at ({type(error).__name__})"}

    def _do_begin(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Lay out the files of the course, and begin with chances of one's own."""
        for name, content in asked["files"].items():
            path = self._scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(content))
        _clean_environment(str(self._scratch))
        new_chances()
        return {}

    def _do_cell(self, asked: dict[str, Any]) -> dict[str, Any]:
        self._read.clear()
        outputs = self._shell.run(asked["source"])
        return {"outputs": outputs, "quit": self._shell.has_quit}

    def _do_pull(self, asked: dict[str, Any]) -> dict[str, Any]:
        names = self._shell.user_ns
        found = {name: names[name] for name in asked["names"] if name in names}
        return {"graphs": {name: self._border.pack(value) for name, value in found.items()}}

    def _do_push(self, asked: dict[str, Any]) -> dict[str, Any]:
        for name, graph in asked["graphs"].items():
            self._shell.user_ns[name] = self._border.unpack(graph)
        return {}

    def _do_read(self, asked: dict[str, Any]) -> dict[str, Any]:
        number = asked["function"]
        local = self._local(number)
        if number in self._read:
            local.look_anew()
        else:
            self._read[number] = wire.told(tuple(local.read()))
        return {"told": self._read[number]}

    def _do_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        cases = wire.decode_cases(asked["cases"])
        local = self._local(asked["function"])
        with without_full_collections():
            # What came of it is gone again before anybody looks what may go.
            return {"told": wire.told(local.run(cases, asked["watch"], closely=asked["closely"]))}

    def _local(self, number: int) -> Local:
        if number not in self._checked:
            self._checked[number] = Local(self._border.kept(number))
        return self._checked[number]

    def _do_apply(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do something with what lives here, and tell what came of it and of the arguments."""
        sent = Sent()
        arguments, names = self._border.unpack(asked["graph"], sent)
        state = None if asked["chances"] is None else self._border.unpack(asked["chances"])
        if state is not None:
            set_chances(state)
        outputs = self._shell.outputs
        outputs.begin(outputs.count)
        answer: dict[str, Any]
        try:
            result = _OPERATIONS[asked["operation"]](*arguments, **names)
        except (CannotCrossError, ChannelError):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its outcome
            answer = {"raised": self._border.pack((type(error), _parts_of(error)), None, sent)}
        else:
            # In one graph with what was sent, so that what was changed comes back too.
            back = (result, [*sent.nodes.values()])
            answer = {"graph": self._border.pack(back, None, sent)}
        answer["outputs"] = outputs.told()
        return answer

    def _stand_in(self, number: int, sort: str, name: str, _bases: list[str]) -> Any:
        if sort != "function":
            raise CannotCrossError(f"a test gives {name or 'something'} that cannot cross.")
        return _Callback(self._channel, self._border, number)


class _Callback:
    """A function of the test's own, which a learner's function was given."""

    def __init__(self, channel: Channel, border: Border, number: int) -> None:
        self._channel, self._border, self.number = channel, border, number

    def __call__(self, *arguments: Any, **names: Any) -> Any:
        graph = self._border.pack((arguments, names))
        self._channel.send({"callback": self.number, "graph": graph})
        answer = self._channel.receive()
        if "cannot" in answer:
            raise CannotCrossError(answer["cannot"])
        if "raised" in answer:
            kind, parts = self._border.unpack(answer["raised"])
            raise kind(*parts)
        return self._border.unpack(answer["graph"])


def _number_of(thing: Any) -> int | None:
    return thing.number if type(thing) is _Callback else None


def _parts_of(error: BaseException) -> tuple[Any, ...]:
    """What an exception was made from, as far as that is plain."""
    if all(type(each) in (str, int, float, bool, type(None)) for each in error.args):
        return error.args
    try:
        return (str(error),)
    except Exception:  # noqa: BLE001 - somebody's own message
        return ()


def _mirrored(name: str) -> Callable[[Any, Any], Any]:
    does = getattr(operator, name)
    return lambda a, b: does(b, a)


def _next(iterator: Any) -> Any:
    return next(iterator)


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "pow")
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "call": lambda function, /, *arguments, **names: function(*arguments, **names),
    "getattr": getattr,
    "setattr": setattr,
    "iter": iter,
    "next": _next,
    "len": len,
    "bool": bool,
    "str": str,
    "repr": repr,
    "int": int,
    "float": float,
    "getitem": operator.getitem,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "contains": operator.contains,
    "isinstance": isinstance,
    "issubclass": issubclass,
    "enter": lambda thing: thing.__enter__(),
    "exit": lambda thing: thing.__exit__(None, None, None),
    **{name: getattr(operator, name) for name in (*_ARITHMETIC, "neg")},
    **{f"r{name}": _mirrored(name) for name in _ARITHMETIC},
}
OPERATIONS = frozenset(_OPERATIONS)


def chances() -> tuple[Any, ...]:
    """How far the generators of random numbers have got."""
    import numpy as np

    torch = sys.modules.get("torch")
    return random.getstate(), np.random.get_state(), torch.get_rng_state() if torch else None


def set_chances(state: tuple[Any, ...]) -> None:
    """Go on where `chances` was asked."""
    import numpy as np

    random.setstate(state[0])
    np.random.set_state(state[1])
    if state[2] is not None:
        import torch

        torch.set_rng_state(state[2])


def new_chances() -> None:
    """A kernel that starts has its own; what was forked has its parent's."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(random.getrandbits(32))
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(random.getrandbits(62))


def _clean_environment(scratch: str) -> None:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=scratch, TMPDIR=scratch)
    # Files of the course are found, but hide nothing that is installed.
    if scratch not in sys.path:
        sys.path.append(scratch)
