"""`stridekit collect` on made-up archives of Moodle, Canvas and nobody; the recipes of its page."""

import json
import os
import shutil
import sqlite3
import stat
import sys
import zipfile
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from stridekit.command import main
from stridekit_grading import archives
from stridekit_grading.archives import Archive
from stridekit_grading.plugins import StartedDays
from stridekit_grading.rosters import (
    CANVAS,
    MOODLE,
    Roster,
    names_of,
    read_roster,
    read_time,
)
from tests.course.notebooks.notebooks import ROOT
from tests.grading.pages_of_docs import blocks, shell
from tests.grading.small_courses import check, make_course, nbgrader, solution
from tests.grading.test_command import as_nobody

CELLS = [
    solution("double", "def double(x):\n    return 2 * x"),
    check("test-double", "assert double(2) == 4", 10),
]
PS3 = "contiguity"
PAGE = ROOT / "docs" / "collecting.md"
CLASS = {
    "ada": ("Ada", "Lovelace", "101"),
    "bert": ("Bert", "O'Brien", "102"),
    "cleo": ("Cleo", "Müller", "103"),
    "dora_z": ("Dora", "Zhang", "104"),
    "dora": ("Dora", "Stein", "105"),
}
BEFORE, AFTER = (2026, 12, 1, 20, 0, 0), (2026, 12, 2, 20, 0, 0)


def make_zip(path, members):
    """An archive; contents by name, or pairs of a ZipInfo and its content."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items() if isinstance(members, dict) else members:
            info = name
            if isinstance(name, str):
                info = zipfile.ZipInfo(name, BEFORE)
                info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, content)
    return path


def moodle(name, number=1, file="hw.ipynb"):
    """A member's name as Moodle writes it."""
    return f"{name}_{number}_assignsubmission_file/{file}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A course with assignments of one notebook and of two, and nobody in it."""
    root = tmp_path_factory.mktemp("collecting") / "course"
    for assignment, notebooks in {"hw": ["hw"], "pair": ["one", "two"], "ps3": [PS3]}.items():
        make_course(root, assignment, dict.fromkeys(notebooks, CELLS))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    nbgrader(root, "generate_assignment", "ps3")
    return root


@contextmanager
def gradebook(root):
    """Its tables."""
    base = sqlite3.connect(root / "gradebook.db")
    with base:
        yield base
    base.close()


@pytest.fixture
def course(made, tmp_path, monkeypatch):
    """A copy of it with a class, where one stands."""
    root = tmp_path / "course"
    shutil.copytree(made, root)
    rows = [(name, *rest) for name, rest in CLASS.items()]
    with gradebook(root) as base:
        base.executemany(
            "INSERT INTO student (id, first_name, last_name, lms_user_id) VALUES (?, ?, ?, ?)",
            rows,
        )
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def collect(course, capsys):
    """`stridekit collect`, with its exit status and what it said."""

    def run(assignment, platform, members, *options):
        given = members
        if not isinstance(members, Path):
            given = make_zip(course / "download.zip", members)
        status = main(["collect", assignment, "--from", platform, str(given), *map(str, options)])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


def submitted(course):
    """What was collected, by its path."""
    folder = course / "submitted"
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def refused(status, said, *fragments):
    """One clear sentence, and a status that says so."""
    assert status == 1
    assert "Traceback" not in said
    lines = said.splitlines()
    assert len(lines) == 1, said
    assert lines[0].startswith("stridekit: ")
    assert lines[0].endswith(".")
    for fragment in fragments:
        assert fragment in lines[0]


# Names, as the platforms write them.


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (
            "Ada Lovelace_1234567_assignsubmission_file/hw.ipynb",
            ("Ada Lovelace", "1234567", "hw.ipynb"),
        ),
        ("O'Brien Bert_12_assignsubmission_file_/a/hw.ipynb", ("O'Brien Bert", "12", "a/hw.ipynb")),
        ("Cleo Müller_12_assignsubmission_file_hw.ipynb", ("Cleo Müller", "12", "hw.ipynb")),
        ("Toni___Marie_Noel_65_assignsubmission_file_/x", ("Toni___Marie_Noel", "65", "x")),
        ("Participant_7_assignsubmission_file/hw.ipynb", ("Participant", "7", "hw.ipynb")),
        ("Default group_assignsubmission_file/hw.ipynb", ("Default group", None, "hw.ipynb")),
        ("all/of it/Ada_7_assignsubmission_file_hw.ipynb", ("Ada", "7", "hw.ipynb")),
    ],
)
def test_names_of_moodle(name, parts):
    """With folders and without, of all versions, and packed again by somebody."""
    assert MOODLE.fullmatch(name).group("name", "number", "file_id") == parts


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("lovelaceada_101_678_hw.ipynb", ("lovelaceada", None, "101", "678", "hw.ipynb")),
        ("müllercleo_LATE_103_9_hw-2.ipynb", ("müllercleo", "_LATE", "103", "9", "hw-2.ipynb")),
        ("lovelaceada_101_678_3_4_hw.ipynb", ("lovelaceada", None, "101", "678", "3_4_hw.ipynb")),
        ("all/lovelaceada_1_2_a/hw.ipynb", ("lovelaceada", None, "1", "2", "a/hw.ipynb")),
    ],
)
def test_names_of_canvas(name, parts):
    """LATE stands behind the name."""
    found = CANVAS.fullmatch(name).group("name", "late", "number", "order", "file_id")
    assert found == parts


# Each platform, as a whole.


def test_moodle(course, collect):
    """Names in any order, with and without folders; umlauts, apostrophes that Moodle takes out."""
    status, said = collect(
        "hw",
        "moodle",
        {
            moodle("Ada Lovelace", 1): "a",
            "OBrien Bert_2_assignsubmission_file_hw.ipynb": "b",
            moodle("Cleo Mu\u0308ller", 3, "my homework.ipynb"): "c",
            moodle("Cleo Mu\u0308ller", 3, "notes.txt"): "no notebook",
            "__MACOSX/._hw.ipynb": "a system's",
        },
    )
    assert status == 0, said
    assert submitted(course) == {
        "ada/hw/hw.ipynb": "a",
        "bert/hw/hw.ipynb": "b",
        "cleo/hw/hw.ipynb": "c",
    }
    assert "hw: 3 notebooks of 3 learners collected." in said
    assert "- cleo: my homework.ipynb for hw.ipynb" in said
    assert "1 file (Cleo Mu\u0308ller_3_assignsubmission_file/notes.txt)" in said


WORKSHEET = """\ufeffIdentifier,Full name,Email address,Status,Last modified (submission)
Participant 11,Somebody Renamed,ada,x,"Tuesday, 1 December 2026, 10:15 PM"
Participant 12,Bert O'Brien,bert,x,"Friday, 3 July 2026, 8:05 AM"
Participant 13,Cleo Müller,cleo,x,03/07/2026 08:05
Participant 14,Emil Post,emil,No submission,-
"""


def test_a_worksheet_of_moodle(course, collect):
    """Numbers count before names; times are those of a zone, in winter and in summer."""
    (course / "worksheet.csv").write_text(WORKSHEET, "utf-8")
    members = {
        moodle("Ada Lovelace", 11): "a",
        moodle("Bert O'Brien", 12): "b",
        moodle("Cleo Müller", 13): "c",
        moodle("Emil Post", 14): "e",
    }
    options = ["--roster", "worksheet.csv"]
    status, said = collect("hw", "moodle", members, *options)
    assert status == 0, said
    assert "of which time zone: say it with --timezone" in said
    assert not [*course.glob("submitted/*/*/timestamp.txt")]
    shutil.rmtree(course / "submitted")
    status, said = collect("hw", "moodle", members, *options, "--timezone", "Europe/Berlin")
    assert status == 0, said
    there = submitted(course)
    assert there["ada/hw/timestamp.txt"] == "2026-12-01 21:15:00"
    assert there["bert/hw/timestamp.txt"] == "2026-07-03 06:05:00"
    assert there["emil/hw/hw.ipynb"] == "e"
    assert "cleo/hw/timestamp.txt" not in there
    assert "- cleo: '03/07/2026 08:05' in the roster is not a time in English" in said
    assert "known of 2 learners" in said


def test_canvas(course, collect):
    """Numbers from the gradebook; the last upload wins; LATE is told, and no time made up."""
    status, said = collect(
        "hw",
        "canvas",
        {
            "lovelaceada_101_500_hw.ipynb": "old",
            "lovelaceada_101_502_hw-1.ipynb": "newest",
            "lovelaceada_101_501_hw-2.ipynb": "older",
            "mullercleo_LATE_103_600_hw.ipynb": "c",
        },
    )
    assert status == 0, said
    assert submitted(course) == {"ada/hw/hw.ipynb": "newest", "cleo/hw/hw.ipynb": "c"}
    assert "Late, says Canvas, and not by how much: cleo." in said
    assert "- ada: lovelaceada_101_502_hw-1.ipynb, not lovelaceada_101_500_hw.ipynb" in said


def test_an_export_of_canvas(course, collect):
    """Its rows of points and of the test student are nobody; ID is a number, not an id."""
    (course / "grades.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,hw (1)\n"
        '    Points Possible,,,,,10\n"Post, Emil",900,S9,emil,A,\n"Student, Test",901,,,A,\n',
        "utf-8",
    )
    members = {"whoever_900_1_hw.ipynb": "e", "studenttest_901_2_hw.ipynb": "t"}
    status, said = collect("hw", "canvas", members, "--roster", "grades.csv")
    assert status == 1
    assert submitted(course) == {"emil/hw/hw.ipynb": "e"}
    assert "- studenttest_901_2_hw.ipynb: nobody of the course has this name or number" in said


def test_a_plain_zip(course, collect):
    """A folder, or the beginning of a name; of two ids the longer."""
    status, said = collect(
        "hw",
        "plain",
        {
            "class/ada/hw/hw.ipynb": "a",
            "class/Bert O'Brien/hw.ipynb": "b",
            "class/dora_z_hw.ipynb": "z",
            "class/dora_hw.ipynb": "d",
        },
    )
    assert status == 0, said
    assert submitted(course) == {
        "ada/hw/hw.ipynb": "a",
        "bert/hw/hw.ipynb": "b",
        "dora/hw/hw.ipynb": "d",
        "dora_z/hw/hw.ipynb": "z",
    }


def test_a_folder_and_a_zip_within(course, collect, tmp_path):
    """Some browsers unpack what they download, and some learners pack what they hand in."""
    folder = tmp_path / "unpacked.d"
    (folder / "ada").mkdir(parents=True)
    (folder / "bert").mkdir()
    make_zip(folder / "ada" / "work.zip", {"work/hw.ipynb": "a"})
    (folder / "bert" / "work.zip").write_bytes(b"no zip")
    (folder / "bert" / "away").symlink_to("/etc")
    (folder / "bert" / "hw.ipynb").symlink_to(__file__)
    (folder / "cleo\\hw.ipynb").write_text("c")
    status, said = collect("hw", "plain", folder)
    assert status == 1
    assert submitted(course) == {"ada/hw/hw.ipynb": "a", "cleo/hw/hw.ipynb": "c"}
    assert "- bert/work.zip: it is not a zip archive, or a damaged one" in said


def test_times_of_an_archive(course, collect):
    """Only where somebody says that they are meant, and of which zone."""
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "a"}, "--archive-times")
    refused(status, said, "--timezone Europe/Berlin")
    options = ["--archive-times", "--timezone", "Europe/Berlin"]
    assert collect("hw", "plain", {"ada/hw.ipynb": "a"}, *options)[0] == 0
    assert submitted(course)["ada/hw/timestamp.txt"] == "2026-12-01 19:00:00"


# What is not clear.


def test_strangers(course, collect):
    """They are named, and stay where they are; nobody new comes into being."""
    status, said = collect(
        "hw",
        "moodle",
        {
            moodle("Ada Lovelace"): "a",
            moodle("Zoe Strange"): "z",
            moodle("Participant", 9): "p",
            "readme.ipynb": "r",
        },
    )
    assert status == 1
    assert submitted(course) == {"ada/hw/hw.ipynb": "a"}
    name = moodle("Zoe Strange")
    assert f"- {name}: nobody of the course has this name or number" in said
    assert "- readme.ipynb: Moodle does not name files so" in said
    status, said = collect("hw", "canvas", {"LATE_anon_x1_5_hw.ipynb": "?"})
    assert "Canvas has made it anonymous" in said
    status, said = collect("hw", "canvas", {f"lovelaceada_101_{'7' * 5000}_hw.ipynb": "?"})
    assert "7_hw.ipynb: its name is too long" in said


def test_two_of_one_name(course, collect):
    """Nobody guesses."""
    (course / "roster.csv").write_text("student_id,name\neve1,Eve Ng\neve2,Eve Ng\n", "utf-8")
    status, said = collect("hw", "moodle", {moodle("Eve Ng"): "e"}, "--roster", "roster.csv")
    assert status == 1
    assert "eve1 and eve2 have this name" in said
    assert submitted(course) == {}


def test_another_number_than_the_name(tmp_path):
    """A name alone does not count where numbers are known; a title may have commas in it."""
    roster = tmp_path / "roster.csv"
    row = "Teilnehmer/in12;Ada;ada\nTeilnehmer/in14;Emoji;a\u202eb👩\u200d💻\n"
    roster.write_text(f'Identifier;Full name;Username;"A, B, C, D"\n{row}', "utf-8")
    known = Roster(read_roster(roster, "moodle"))
    assert known.find("x", "14")[0].id == "a\u202eb👩\u200d💻"
    assert known.find("x", "12")[0].id == "ada"
    assert known.find("Ada", "13") == (None, "ada has this name, but the number 12")
    assert known.find("ADA", "")[0].id == "ada"


def test_duplicates_by_time(course, collect):
    """The newer is taken, as the archive says."""

    def at(name, time):
        return zipfile.ZipInfo(name, time)

    status, said = collect(
        "hw",
        "plain",
        [
            (at("ada/hw.ipynb", AFTER), "newer"),
            (at("ada/hw (1).ipynb", BEFORE), "older"),
            (at("bert/hw.ipynb", BEFORE), "the same"),
            (at("bert/Hw.ipynb", BEFORE), "the same"),
        ],
    )
    assert status == 0, said
    assert submitted(course) == {"ada/hw/hw.ipynb": "newer", "bert/hw/hw.ipynb": "the same"}
    assert "- ada: ada/hw.ipynb, not ada/hw (1).ipynb" in said


def test_duplicates_of_one_time(course, collect):
    """One is taken, and somebody is to look."""
    members = [("ada/hw.ipynb", "1"), ("ada/HW.ipynb", "2"), ("x/ada/hw (3).ipynb", "3")]
    status, said = collect("hw", "plain", members)
    assert status == 1
    assert submitted(course) == {"ada/hw/hw.ipynb": "3"}
    assert "nothing says which is newer" in said
    assert "- ada: x/ada/hw (3).ipynb was taken, not ada/hw.ipynb" in said
    assert "- ada: x/ada/hw (3).ipynb was taken, not ada/HW.ipynb" in said


def test_duplicates_on_moodle(course, collect):
    """What the archive says is when it was downloaded."""
    names = (moodle("Ada Lovelace"), moodle("Ada Lovelace", 1, "hw (1).ipynb"))
    members = [(zipfile.ZipInfo(names[0], AFTER), "1"), (zipfile.ZipInfo(names[1], BEFORE), "2")]
    status, said = collect("hw", "moodle", members)
    assert status == 1
    assert f"- ada: {names[1]} was taken, not {names[0]}" in said


def test_names_of_notebooks(course, collect):
    """Of two, a strange name may be either; a notebook of another assignment is neither."""
    status, said = collect(
        "pair",
        "plain",
        {
            "ada/one.ipynb": "1",
            "ada/two-Copy1.ipynb": "2",
            "bert/solution.ipynb": "?",
            "cleo/HW (2).ipynb": "hw",
        },
    )
    assert status == 1
    assert submitted(course) == {"ada/pair/one.ipynb": "1", "ada/pair/two.ipynb": "2"}
    assert "- bert/solution.ipynb: its name does not say which it is: one, two" in said
    assert "- cleo/HW (2).ipynb: it is a notebook of hw" in said


def test_what_was_handed_in_before(course, collect):
    """The same changes nothing; something else is held back; --force keeps what was there."""
    assert collect("hw", "plain", {"ada/hw.ipynb": "first"})[0] == 0
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "first"})
    assert status == 0
    assert "unchanged: ada." in said
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "second", "bert/hw.ipynb": "b"})
    assert status == 1
    assert "--force takes the new one:\n- ada" in said
    assert submitted(course) == {"ada/hw/hw.ipynb": "first", "bert/hw/hw.ipynb": "b"}
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "second"}, "--force")
    assert status == 0, said
    assert submitted(course)["ada/hw/hw.ipynb"] == "second"
    replaced = course / "downloaded" / "hw" / "replaced" / "ada"
    assert (replaced / "hw.ipynb").read_text() == "first"
    assert f"- ada: {replaced.relative_to(course)}" in said
    assert collect("hw", "plain", {"ada/hw.ipynb": "third"}, "--force")[0] == 0
    assert (replaced.with_name("ada-2") / "hw.ipynb").read_text() == "second"


# What strangers may pack.


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    "name",
    [
        "bert/../../../../hw.ipynb",
        "bert\\..\\..\\..\\..\\hw.ipynb",
        "/bert/hw.ipynb",
        "C:/bert/hw.ipynb",
        "bert/h\x1b[2J\n- w.ipynb",
        link("bert/hw.ipynb"),
    ],
)
def test_hostile_names(course, collect, name):
    """They lead nowhere, and stand in one line: a file is called as the notebook is."""

    def all_files():
        return {each: each.stat().st_mtime for each in course.parent.rglob("*") if each.is_file()}

    before = all_files()
    status, said = collect("hw", "plain", [("ada/hw.ipynb", "a"), (name, "/etc/passwd")])
    assert status == 0
    assert "\x1b" not in said
    assert "\n- w.ipynb" not in said
    assert submitted(course) == {"ada/hw/hw.ipynb": "a", "bert/hw/hw.ipynb": "/etc/passwd"}
    shutil.rmtree(course / "submitted")
    (course / "download.zip").unlink()
    assert all_files() == before


def test_bombs(course, collect, monkeypatch):
    """Measured before anything is unpacked."""
    members = {f"ada/{n}.ipynb": "0" * 10_000 for n in range(20)}
    monkeypatch.setattr(archives, "TOTAL_MOST", 100_000)
    refused(*collect("hw", "plain", members), "would unpack to more than", "MiB of notebooks")
    monkeypatch.setattr(archives, "MEMBERS_MOST", 19)
    refused(*collect("hw", "plain", members), "holds 20 files, and 19 are the most")
    monkeypatch.setattr(archives, "BYTES_MOST", 1024**2)
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "0" * (1024**2 + 1)})
    assert status == 1
    assert "- ada/hw.ipynb: it has more than 1 MiB" in said
    assert not (course / "submitted").exists()


def test_a_bomb_within(course, collect, tmp_path, monkeypatch):
    """One learner's stops nobody else."""
    monkeypatch.setattr(archives, "INNER_MOST", 50_000)
    inner = make_zip(tmp_path / "inner.zip", {"hw.ipynb": "0" * 60_000}).read_bytes()
    members = {"ada/a.zip": inner, "bert/hw.ipynb": "b"}
    status, said = collect("hw", "plain", members)
    assert status == 1
    assert submitted(course) == {"bert/hw/hw.ipynb": "b"}
    assert "- ada/a.zip: it would unpack to more than" in said


def test_a_zip_without_a_name(course, collect, tmp_path):
    """What it holds is unpacked beside all else, and not where its own names lead."""
    away = tmp_path / "away" / "hw.ipynb"
    inner = make_zip(tmp_path / "inner.zip", {str(away)[1:]: "x"}).read_bytes()
    status, said = collect("hw", "plain", {".zip": inner, "ada/.zip": inner})
    assert status == 1
    assert "no folder of it" in said
    assert not away.exists()
    assert submitted(course) == {"ada/hw/hw.ipynb": "x"}


def test_broken_archives(course, collect, tmp_path):
    """Half of one is none; what is damaged in a notebook, or in its name, stops nobody else."""
    whole = make_zip(tmp_path / "whole.zip", {"ada/hw.ipynb": "a" * 500, "bert/hw.ipynb": "b"})
    content = whole.read_bytes()
    half = tmp_path / "half.zip"
    half.write_bytes(content[: len(content) // 2])
    refused(*collect("hw", "plain", half), "half.zip is not a zip archive, or only a part of one")
    refused(*collect("hw", "plain", tmp_path / "none.zip"), "there is no file")
    with zipfile.ZipFile(whole, "w") as packed:
        packed.writestr("ada/hw.ipynb", "a" * 500)
        packed.writestr("bert/hw.ipynb", "b")
        packed.writestr("cleo/é.ipynb", "c")
        packed.writestr("dora/hw.ipynb", "d", zipfile.ZIP_LZMA)
    damaged, content = tmp_path / "damaged.zip", whole.read_bytes()
    for part, other in (
        (b"aaaa", b"abaa"),
        ("é".encode(), b"\xff\xff"),
        (b"\5\0\x5d", b"\5\0\xff"),
    ):
        content = content.replace(part, other, 1)
    damaged.write_bytes(content)
    status, said = collect("hw", "plain", damaged)
    assert status == 1
    assert submitted(course) == {"bert/hw/hw.ipynb": "b"}
    for name in ("ada/hw", "cleo/é", "dora/hw"):
        assert f"- {name}.ipynb: it cannot be read: it is damaged, or locked" in said


def test_a_locked_notebook(course, collect):
    """It is said why, and all others are collected."""
    path = make_zip(course / "locked.zip", {"ada/hw.ipynb": "a", "bert/hw.ipynb": "b"})
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    path.write_bytes(content)
    status, said = collect("hw", "plain", path)
    assert status == 1
    assert "- ada/hw.ipynb: it cannot be read: it is damaged, or locked" in said
    assert submitted(course) == {"bert/hw/hw.ipynb": "b"}


def test_names_that_disks_do_not_take(course, collect):
    """Too long, or with characters that Windows keeps to itself: they are collected."""
    long = "é" * 120
    status, said = collect("hw", "moodle", {moodle("Ada Lovelace", 1, f"{long}: why?.ipynb"): "a"})
    assert status == 0, said
    assert submitted(course) == {"ada/hw/hw.ipynb": "a"}


def test_utf8_that_does_not_say_so(tmp_path):
    """As many zip programs write it."""
    path = make_zip(tmp_path / "a.zip", {"MXXller_1_assignsubmission_file_hw.ipynb": "a"})
    path.write_bytes(path.read_bytes().replace(b"MXXller", "Müller".encode()))
    (unpacked,) = Archive(path).unpack(tmp_path)
    assert unpacked.name.startswith("Müller")


def test_letters_in_two_parts(course, collect):
    """As some systems pack them: ö is an o, and two dots."""
    two = course / "source" / "pair" / "two.ipynb"
    two.rename(two.with_name("zwölf.ipynb"))
    members = {"ada/one.ipynb": "1", "ada/zwo\u0308lf.ipynb": "12"}
    assert collect("pair", "plain", members)[0] == 0
    assert submitted(course) == {"ada/pair/one.ipynb": "1", "ada/pair/zwölf.ipynb": "12"}


def test_a_file_and_a_folder_of_one_name(course, collect):
    """All of them are looked at."""
    members = [("ada/hw.ipynb", "a"), ("ada/hw.ipynb/hw.ipynb", "b"), ("ada/hw.ipynb", "c")]
    with pytest.warns(UserWarning, match="Duplicate name"):
        make_zip(course / "download.zip", members)
    said = collect("hw", "plain", course / "download.zip")[1]
    assert "ada: download/ada/hw.ipynb was taken, not download/ada/hw.ipynb" in said
    assert "ada: ada/hw.ipynb was taken, not ada/hw.ipynb/hw.ipynb" in said
    assert submitted(course) == {"ada/hw/hw.ipynb": "c"}


# What learners may try, and what may go wrong.


def packed(tmp_path, members):
    """A zip of a learner's own, as bytes."""
    return make_zip(tmp_path / "inner.zip", members).read_bytes()


def test_nobody_hands_in_for_somebody_else(course, collect, tmp_path):
    """Of what lies in a learner's zip, names and times are the learner's; whose it is, is not."""
    future = zipfile.ZipInfo("bert_hw.ipynb", (2099, 1, 1, 0, 0, 0))
    members = {
        "bert_hw.ipynb": "b",
        "ada_sub.zip": packed(tmp_path, [(future, "forged")]),
        "cleo.zip": packed(tmp_path, {"bert/hw.ipynb": "c"}),
        "dora/bert.zip": packed(tmp_path, {"hw.ipynb": "d"}),
        "all.zip": packed(tmp_path, {"bert/hw.ipynb": "nobody's"}),
    }
    status, said = collect("hw", "plain", members)
    assert status == 1
    there = submitted(course)
    assert there == {f"{name}/hw/hw.ipynb": name[0] for name in ("bert", "cleo", "dora")} | {
        "ada/hw/hw.ipynb": "forged"
    }
    assert "- all/bert/hw.ipynb: no folder of it" in said
    inner = packed(tmp_path, {moodle("Bert O'Brien"): "x"})
    assert "all/Bert O'Brien_1" in collect("hw", "moodle", {"all.zip": inner})[1]


@pytest.mark.parametrize("deep", ["y/" * 1500 + "hw.ipynb", ("z" * 150 + "/") * 30 + "hw.ipynb"])
def test_names_that_are_too_long(course, collect, tmp_path, deep):
    """One learner's stop nobody else, in a zip or out of it."""
    members = {"ada/s.zip": packed(tmp_path, {deep: "a"}), f"cleo/{deep}": "c", "bert_hw.ipynb": ""}
    status, said = collect("hw", "plain", members)
    assert status == 1
    assert said.count("its name is too long") == 2
    assert "no notebook" not in said
    assert submitted(course) == {"bert/hw/hw.ipynb": ""}


def test_nobody_sets_his_own_time(course, collect, tmp_path):
    """The time is that of the zip which was handed in; 1980 is none, nor is a month of 0."""
    early = zipfile.ZipInfo("hw.ipynb", (2000, 1, 1, 0, 0, 0))
    members = [
        ("ada/s.zip", packed(tmp_path, [(early, "a")])),
        (zipfile.ZipInfo("bert/hw.ipynb"), "b"),
        (zipfile.ZipInfo("cleo/hw.ipynb", (1980, 0, 0, 0, 0, 0)), "c"),
    ]
    status, said = collect("hw", "plain", members, "--archive-times", "--timezone", "UTC")
    assert status == 0, said
    there = submitted(course)
    assert there["ada/hw/timestamp.txt"] == "2026-12-01 20:00:00"
    for name in ("bert", "cleo"):
        assert f"{name}/hw/timestamp.txt" not in there
        assert f"- {name}: the archive has no time of it" in said


def test_times_in_a_zip_of_a_learners_own(course, collect, tmp_path):
    """They do not say which of two files in it is newer."""
    work = [
        (zipfile.ZipInfo("hw.ipynb", AFTER), "1"),
        (zipfile.ZipInfo("hw (1).ipynb", BEFORE), "2"),
    ]
    status, said = collect("hw", "plain", {"ada/s.zip": packed(tmp_path, work)})
    assert status == 1
    assert "look at both:\n- ada: ada/s/hw (1).ipynb was taken, not ada/s/hw.ipynb" in said


def test_a_suffix_in_capitals(course, collect):
    """Grading looks for .ipynb; collecting again changes nothing."""
    members = {"ada/HW.IPYNB": "a", "bert/.IPYNB": "b"}
    assert collect("hw", "plain", members)[0] == 0
    assert submitted(course) == {"ada/hw/hw.ipynb": "a", "bert/hw/hw.ipynb": "b"}
    status, said = collect("hw", "plain", members)
    assert status == 0
    assert "unchanged: ada, bert." in said


def test_an_error_in_the_middle(course, collect, monkeypatch):
    """What was handed in before is in its place again, and the same command goes on."""
    first = {"ada/hw.ipynb": "a1", "bert/hw.ipynb": "b1"}
    second = {"ada/hw.ipynb": "a2", "bert/hw.ipynb": "b2", "cleo/hw.ipynb": "c2"}
    assert collect("hw", "plain", first)[0] == 0
    before = submitted(course)
    copy = shutil.copyfile

    def fail(source, target, **given):
        if "bert" in str(target):
            raise OSError(28, "No space left on device", str(target))
        return copy(source, target, **given)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copyfile", fail)
        status, said = collect("hw", "plain", second, "--force")
    refused(status, said, "No space left", "What was handed in before is in its place")
    assert submitted(course) == {**before, "ada/hw/hw.ipynb": "a2"}
    # With the earlier work moved aside, nothing takes its place.
    rename = Path.rename
    for error, ends in ((OSError(28, "No space left on device"), 1), (KeyboardInterrupt(), 130)):

        def fail_last(path, target, error=error):
            if path.name == ".hw.new":
                raise error
            return rename(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", fail_last)
            assert collect("hw", "plain", second, "--force")[0] == ends
        assert submitted(course) == {**before, "ada/hw/hw.ipynb": "a2"}
    status, said = collect("hw", "plain", second, "--force")
    assert status == 0, said
    assert sorted(submitted(course).values()) == ["a2", "b2", "c2"]


def test_a_file_where_a_folder_is_to_be(course, collect):
    """It is named, and all others are collected."""
    (course / "submitted").mkdir()
    (course / "submitted" / "ada").write_text("mine")
    status, said = collect("hw", "plain", {"ada/hw.ipynb": "a", "bert/hw.ipynb": "b"}, "--force")
    assert status == 1
    assert f"- ada: {course / 'submitted' / 'ada'} is not a folder" in said
    assert submitted(course) == {"ada": "mine", "bert/hw/hw.ipynb": "b"}


def test_one_notebook_of_two(course, collect):
    """The other one stays; the same again changes nothing."""
    assert collect("pair", "plain", {"ada/one.ipynb": "1", "ada/two.ipynb": "2"})[0] == 0
    status, said = collect("pair", "plain", {"ada/one.ipynb": "new"}, "--force")
    assert status == 0, said
    assert "kept from before:\n- ada: two.ipynb" in said
    assert submitted(course) == {"ada/pair/one.ipynb": "new", "ada/pair/two.ipynb": "2"}
    assert "unchanged: ada." in collect("pair", "plain", {"ada/one.ipynb": "new"})[1]


def test_no_notebook_at_all(course, collect, tmp_path):
    """Who handed in something else is named."""
    inner = packed(tmp_path, {"again.zip": "x"})
    members = {"ada/o.zip": inner, "bert/my.tar.gz": "x", "cleo_hw.py": "x", "dora/hw.ipynb": "d"}
    status, said = collect("hw", "plain", {**members, "dora/notes.txt": "x"})
    assert status == 1
    assert "no notebook:\n- ada: o.zip\n- bert: my.tar.gz\n- cleo: hw.py\nNo" in said
    text = "Ada Lovelace_1_assignsubmission_onlinetext/onlinetext.html"
    assert "no notebook:\n- ada: onlinetext.html" in collect("hw", "moodle", {text: "x"})[1]


def test_archives_of_nothing(course, collect, tmp_path):
    """Each in a sentence, and nothing is waited for."""
    refused(*collect("hw", "plain", {}), "download.zip holds no file")
    (tmp_path / "empty").mkdir()
    refused(*collect("hw", "plain", tmp_path / "empty"), "empty holds no file")
    os.mkfifo(tmp_path / "pipe")
    refused(*collect("hw", "plain", tmp_path / "pipe"), "neither a file nor a folder")
    for around in (course, course / "downloaded" / "hw"):
        refused(*collect("hw", "plain", around), "for earlier work, lies in it. Name the zip")
    tar = shutil.make_archive(str(tmp_path / "class"), "gztar", tmp_path / "empty")
    refused(*collect("hw", "plain", Path(tar)), "is not a zip archive", "unpack yourself")
    (tmp_path / "empty" / os.fsdecode(b"h\xffw.ipynb")).write_text("x")
    assert r"- h\udcffw.ipynb: no folder of it" in collect("hw", "plain", tmp_path / "empty")[1]


def test_a_folder_that_may_not_be_read(course):
    """Who handed in what lies there would be forgotten, and nobody told."""
    for name in ("ada", "bert"):
        (course / "class" / name).mkdir(parents=True)
        (course / "class" / name / "hw.ipynb").write_text(name)
    (course / "class" / "bert").chmod(0)
    collects = (sys.executable, "-m", "stridekit", "collect", "hw", "--from", "plain", "class")
    done = as_nobody(course, *collects)
    said = done.stdout + done.stderr
    refused(done.returncode, said, "class/bert cannot be read: Permission denied")
    assert submitted(course) == {}


def test_two_of_one_name_in_a_plain_zip(course, collect):
    """It is said whose it may be, and the name of the file does not decide."""
    (course / "r.csv").write_text("sep=;\nstudent_id;name\nu1;Kim Lee\nu2;Kim Lee\n", "utf-8")
    members = {"Kim Lee/ada_hw.ipynb": "?", "Kim Lee_hw.ipynb": "?", "Kim Lee/u2/hw.ipynb": "2"}
    members |= {"ada/Kim Lee/hw.ipynb": "?", "bert/cleo/hw.ipynb": "?"}
    status, said = collect("hw", "plain", members, "--roster", "r.csv")
    assert status == 1
    assert "- ada/Kim Lee/hw.ipynb: it may be of ada or u1 or u2" in said
    assert "- bert/cleo/hw.ipynb: it may be of bert or cleo" in said
    assert said.count("u1 and u2 have this name") == 2
    assert submitted(course) == {"u2/hw/hw.ipynb": "2"}


def test_one_name_in_two_archives(course, collect, tmp_path):
    """Where they lie tells them apart."""
    other = make_zip(tmp_path / "other.zip", {"ada/hw.ipynb": "2"})
    said = collect("hw", "plain", {"ada/hw.ipynb": "1"}, other)[1]
    assert "- ada: other/ada/hw.ipynb was taken, not download/ada/hw.ipynb" in said


def test_names_that_terminals_would_obey(course, collect):
    """They are printed escaped."""
    said = collect("hw", "plain", {"ada/hw.ipynb": "", "x/\u202egnp.ipynb": "", "y\u2028.txt": ""})[
        1
    ]
    assert r"x/\u202egnp.ipynb" in said
    assert "\u202e" not in said
    assert "\u2028" not in said


@pytest.mark.parametrize(
    "text",
    [
        "Tuesday",
        "1 December",
        "1 December 2026",
        "1 December 2026, 10:15 PM PST",
        "May",
        "10:15 PM x",
    ],
)
def test_times_that_would_be_guessed(text):
    """Half a time is none."""
    assert read_time(text) is None


def test_whole_times():
    """Those that Moodle writes; and one of a year that UTC does not have."""
    time = read_time("Tuesday, 1 December 2026, 10:15 PM")
    assert time == datetime(2026, 12, 1, 22, 15)
    assert read_time("31 December 9999, 11:15 PM") is None


# What is asked for wrongly.


@pytest.mark.parametrize(
    ("roster", "why"),
    [
        ("Full name\nAda\n", "has no column of ids"),
        ("", "It has: nothing. Say which"),
        ("Username,Full name\n,Ada\n", "names nobody"),
        ("Username\n../ada\n", "cannot be the id of a learner"),
        ("Username,Identifier\nx,P 1\ny,P 1\n", "x and y have the same number, 1"),
        ("Username\nJ\udcf6rg\n", "is not text in UTF-8"),
        ("Username,Full name\nada,A\nada,B\n", "rows 2 and 3 both have the id 'ada'"),
        ("Username,Identifier\n\nada,P 1\nada,P 2\n", "rows 3 and 4 both have the id 'ada'"),
        (f"Username\n{'é' * 128}\n", "has 256 bytes"),
        ('Username,Full name\nada,"A\nbert,B\n', "is not CSV in row 2 or after it"),
        ("Username, username \nada,bert\n", "has more than one column 'username', and which"),
        ("Username,Full name,Full name\nada,A,B\n", "has more than one column 'full name'"),
    ],
)
def test_broken_rosters(course, collect, roster, why):
    """Each with what to do."""
    (course / "roster.csv").write_text(roster, "utf-8", errors="surrogateescape")
    refused(*collect("hw", "moodle", {moodle("A"): "a"}, "--roster", "roster.csv"), why)
    assert not (course / "downloaded").exists()


def test_what_is_asked_for_wrongly(course, collect):
    """Each with what to do."""
    members = {"ada/hw.ipynb": "a"}
    (course / "source" / "hx").mkdir()
    refused(*collect("hx", "plain", members), "no assignment 'hx'", "There are: hw, pair, ps3")
    refused(*collect("hw", "plain", members, "--timezone", "Berlin"), "no time zone 'Berlin'")
    refused(*collect("hw", "plain", members, "--roster", "none.csv"), "none.csv cannot be read")
    (course / "roster.csv").write_text("Login\nada\n", "utf-8")
    options = ["--roster", "roster.csv", "--id-column"]
    refused(*collect("hw", "plain", members, *options, "Log"), "no column 'Log'. It has: Login")
    refused(*collect("hw", "plain", members, *options, ""), "no column ''. It has: Login")
    assert collect("hw", "plain", members, *options, "Login")[0] == 0
    with gradebook(course) as base:
        base.execute("DELETE FROM student")
    refused(*collect("hw", "plain", members), "nobody is known here", "nbgrader db student import")


def test_an_archive_where_nothing_can_be_written(course, collect):
    """A sentence, not a traceback, and nothing is changed."""
    assert collect("hw", "plain", {"ada/hw.ipynb": "a"})[0] == 0
    (course / "downloaded").write_text("a file")
    refused(*collect("hw", "plain", {"ada/hw.ipynb": "b"}, "--force"), "cannot be written")
    assert submitted(course) == {"ada/hw/hw.ipynb": "a"}


# Names, and what it costs to be late.


def test_ways_to_write_a_name():
    """Without what platforms take out."""
    assert names_of("", "Bert", "O'Brien") == {"bertobrien", "obrienbert"}
    assert names_of("Müller, Cleo", "", "") == {"müllercleo", "cleomüller"}
    assert names_of("", "", "") == set()


@pytest.mark.parametrize(
    ("late", "score", "penalty"),
    [(0, 10, None), (900, 10, None), (901, 10, 2), (86_400, 10, 2), (86_401, 10, 4),
     (9e9, 10, 6), (86_401, 3, 3), (5e5, 0, 0)],
)  # fmt: skip
def test_started_days(late, score, penalty):
    """Grace only forgives; never more than most, nor than was scored."""
    plugin = StartedDays(points=2, most=6, grace_minutes=15)
    assert plugin.late_submission_penalty("ada", score, late) == penalty


# The page.


def downloads(course):
    """What the page says that one has downloaded."""
    released = json.loads((course / "release" / "ps3" / f"{PS3}.ipynb").read_text("utf-8"))
    for cell in released["cells"]:
        if cell["metadata"]["nbgrader"]["solution"]:
            cell["source"] = "double = (2).__mul__"
    work = json.dumps(released)
    make_zip(
        course / "moodle.zip",
        {
            "Ada Lovelace_1234567_assignsubmission_file/contiguity.ipynb": work,
            "Bert OBrien_1234568_assignsubmission_file/contiguity (1).ipynb": work,
        },
    )
    make_zip(course / "canvas.zip", {"mullercleo_LATE_103_678910_contiguity-2.ipynb": work})
    make_zip(course / "class.zip", {"dora/contiguity.ipynb": work})


def test_the_page(made, tmp_path):
    """Every command of docs/collecting.md, run; files of the page are written first."""
    course = tmp_path / "course"
    shutil.copytree(made, course)
    downloads(course)
    ran = blocks(PAGE)
    commands = [text for language, _, text in ran if language == "sh"]
    for language, name, text in ran:
        if language == "csv":
            (course / name).write_text(text, "utf-8")
        elif language == "python":
            with (course / name).open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
        else:
            assert language == "sh"
    said = "".join(shell(course, command) for command in commands)
    assert "There are 4 students in the database" in said
    assert "ps3 (due: 2026-12-01 22:59:00)" in said
    assert "Late, says Canvas, and not by how much: cleo." in said
    assert penalties(course) == {"ada": None, "bert": 4, "cleo": 2, "dora": None}
    (course / "submitted" / "bert" / "ps3" / "timestamp.txt").unlink()
    shell(course, "stridekit grade ps3")
    assert penalties(course) == {"ada": None, "bert": None, "cleo": 2, "dora": None}


def penalties(course):
    """What each has to pay."""
    asked = (
        "SELECT submitted_assignment.student_id, late_submission_penalty "
        "FROM submitted_notebook JOIN submitted_assignment "
        "ON submitted_assignment.id = submitted_notebook.assignment_id"
    )
    with gradebook(course) as base:
        return dict(base.execute(asked))


def test_what_the_page_says_of_nbgrader():
    """Its three traps."""
    from nbgrader.utils import parse_utc

    assert parse_utc("2026-12-01 23:59 Europe/Berlin") == datetime(2026, 12, 1, 22, 59)
    assert parse_utc("2026-12-01 23:59") == datetime(2026, 12, 1, 23, 59)
    for unknown in ("Berlin", "PST"):
        assert parse_utc(f"2026-12-01 23:59 {unknown}") == datetime(2026, 12, 1, 23, 59)
    assert parse_utc("2026-12-01 23:59+01:00") == datetime(2026, 12, 1, 22, 59)
    assert parse_utc("2026-12-01 23:59 +0100") == datetime(2026, 12, 1, 23, 57, 20)


def test_the_config_names_the_penalty():
    """The lines to put in are there, and the class that they name."""
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    assert "stridekit_grading.plugins.StartedDays" in config
