"""The command `stridekit`: its words are those of the packages that are installed."""

from typing import ClassVar

import pytest

from stridekit import command
from stridekit.errors import CommandError


class Word:
    """What an entry point gives."""

    loaded: ClassVar[list[str]] = []

    def __init__(self, name, run):
        self.name = name
        self._run = run

    def load(self):
        """Note it, and give what adds the word."""
        self.loaded.append(self.name)
        return self._add

    def _add(self, commands):
        parser = commands.add_parser(self.name, help=f"what {self.name} does")
        parser.add_argument("--status", type=int, default=0)
        parser.set_defaults(run=self._run)


@pytest.fixture
def there(monkeypatch):
    """Sets the words that there are: what each does, by its name."""

    def put(**words):
        Word.loaded.clear()
        found = [Word(name, run) for name, run in words.items()]
        monkeypatch.setattr(command, "entry_points", lambda group: found)

    return put


def test_a_word_runs_and_gives_its_status(there):
    """And no other is loaded for it."""
    there(lab=lambda given: given.status, grade=lambda given: 1 / 0)
    assert command.main(["lab", "--status", "7"]) == 7
    assert Word.loaded == ["lab"]


def test_help_tells_all_words_the_course_s_first(there, capsys):
    """Whatever order they were found in; and words that nobody here knows, at the end."""
    there(own=None, grade=None, lab=None)
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert said.index("what lab does") < said.index("what grade does") < said.index("what own does")


@pytest.mark.parametrize(
    ("words", "package"),
    [("lab", "course"), ("update", "course"), ("doctor", "course"), ("grade", "grading"),
     ("collect", "grading"), ("feedback", "grading"), ("report", "grading")],
)  # fmt: skip
def test_a_word_of_a_package_that_is_missing_says_what_to_install(there, capsys, words, package):
    """One sentence, whatever else is asked of it."""
    there(own=None)
    assert command.main([words, "--anything", "ps3"]) == 1
    said = capsys.readouterr()
    assert said.err == (
        f"stridekit: `stridekit {words}` comes with another package. Install it: "
        f"pip install stridekit-{package}\n"
    )
    assert said.out == ""


def test_an_unknown_word_is_refused_with_those_that_there_are(there, capsys):
    """By exit status 2, as argparse has it."""
    there(lab=None)
    with pytest.raises(SystemExit) as stop:
        command.main(["lob"])
    assert stop.value.code == 2
    assert "lab" in capsys.readouterr().err


def test_without_any_word_the_course_is_named(there, capsys):
    """The library has none of its own."""
    there()
    assert command.main([]) == 1
    assert "pip install stridekit-course" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        command.main(["--version"])
    assert stop.value.code == 0


def _refuse(given):
    raise CommandError("this cannot be. Do that")


def _interrupted(given):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("run", "status", "said"),
    [
        (_refuse, 1, "stridekit: this cannot be. Do that\n"),
        (_interrupted, 130, "stridekit: stopped. Run the same command again to go on.\n"),
    ],
)
def test_what_a_word_cannot_do_is_a_sentence(there, capsys, run, status, said):
    """Without a traceback."""
    there(lab=run)
    assert command.main(["lab"]) == status
    assert capsys.readouterr().err == said
