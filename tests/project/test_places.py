"""Ready-made places and workflows: what they run exists here, and is allowed to do no more."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from stridekit import __version__
from stridekit.command import main
from tests import ROOT
from tools.release import VERSIONS, problem

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# Some systems call Python python3, and nothing python; its environments do.
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
DOCKERFILES = [ROOT / ".devcontainer" / "Dockerfile", ROOT / "hub" / "Dockerfile"]


def steps(path):
    """The instructions of a Dockerfile, with what they say."""
    lines = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    whole = lines.replace("\\\n", " ").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in whole if line.strip()]


def load(path):
    """A workflow; its `on` is a word that YAML takes for true."""
    said = yaml.safe_load(path.read_text("utf-8"))
    return {("on" if key is True else key): value for key, value in said.items()}


def make_targets():
    """What make can be asked for."""
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def assert_commands_exist(script):
    """Each line begins with something that is here, or that the lines before it bring."""
    brought = {"stridekit", "jupyterhub-singleuser", "start-stridekit", "tini", "twine"}
    brought |= {
        "check-wheel-contents",
        "useradd",
        "apt-get",
        "set",
        "exec",
        "export",
        "if",
        "fi",
        "[",
        "cd",
        "pip",
    }
    code = re.sub(r"^ *#.*$", "", script, flags=re.MULTILINE)
    for line in re.split(r"&&|\|\||;|\n|\bthen\b", code):
        words = line.strip().split()
        if not words or "=" in words[0]:
            continue
        name = words[0]
        if name.startswith((".", "/")):
            assert name.startswith(".venv/") or (ROOT / name).exists(), line
        else:
            assert name in brought or shutil.which(name, path=PATH), line
        if name == "make":
            assert words[1] in make_targets(), line
        if name == "python" and words[1].endswith(".py"):
            assert (ROOT / words[1]).is_file(), line
        if "stridekit" in (name, *words[1:3]) and name in ("stridekit", "python"):
            parsed = words[words.index("stridekit") + 1 :]
            with pytest.raises(SystemExit) as end:
                main([parsed[0], "--help"])
            assert end.value.code == 0, line


def test_the_devcontainer_sets_up_with_make():
    """What it runs is there, and so is the user it runs as."""
    folder = ROOT / ".devcontainer"
    said = json.loads((folder / "devcontainer.json").read_text("utf-8"))
    assert (folder / said["build"]["dockerfile"]).is_file()
    assert_commands_exist(said["onCreateCommand"])
    assert_commands_exist(said["postAttachCommand"])
    assert f" {said['remoteUser']}" in steps(folder / "Dockerfile")[-1][1]


def test_binder_s_environment_is_what_the_package_asks_for():
    """conda-forge alone, PyTorch in the same range, and a postBuild that can be run."""
    from tests.project.test_setup import COURSE

    said = yaml.safe_load((ROOT / ".binder" / "environment.yml").read_text("utf-8"))
    assert said["channels"] == ["conda-forge", "nodefaults"]
    (torch,) = [each for each in COURSE["dependencies"] if each.startswith("torch")]
    assert "pytorch-cpu " + torch.removeprefix("torch") in said["dependencies"]
    script = ROOT / ".binder" / "postBuild"
    assert os.access(script, os.X_OK)
    assert_commands_exist(script.read_text("utf-8"))


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.parent.name)
def test_images_are_made_of_what_is_there(path):
    """From a base with a version; what is copied and run exists."""
    said = steps(path)
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", dict(said)["FROM"])
    for instruction, rest in said:
        if instruction == "RUN":
            assert_commands_exist(re.sub(r"-c \S+\s+torch", "", rest))
            for name in re.findall(r"/tmp/stridekit/([\w./]+)", rest):
                assert (ROOT / name).is_file() or (ROOT / name / "pyproject.toml").is_file(), name


def test_the_hub_s_image_runs_as_a_plain_user_with_the_exchange():
    """After the last thing that needs root; and the exchange is the one that it sets."""
    said = steps(ROOT / "hub" / "Dockerfile")
    words = [instruction for instruction, _ in said]
    assert words.index("USER") > max(i for i, word in enumerate(words) if word in ("RUN", "COPY"))
    assert dict(said)["USER"] == "learner"
    (exchange,) = [rest for word, rest in said if word == "ENV"]
    folder = exchange.removeprefix("STRIDEKIT_EXCHANGE=")
    assert any(f"install -d -m 0777 {folder}" in rest for _, rest in said)
    assert os.access(ROOT / "hub" / "start", os.X_OK)
    assert_commands_exist((ROOT / "hub" / "start").read_text("utf-8"))


def test_an_exchange_that_is_shared_is_taken_from_the_environment(tmp_path, monkeypatch):
    """And is left alone by `stridekit lab`; the private one stays for what was fetched."""
    from traitlets.config.loader import PyFileConfigLoader

    course, shared = tmp_path / "course", tmp_path / "shared"
    course.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", course)
    monkeypatch.setenv("STRIDEKIT_EXCHANGE", str(shared))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    assert config.Exchange.root == str(shared)
    assert config.Exchange.cache == str(course / ".exchange" / "cache")


def test_the_start_of_a_hub_s_server_lays_the_course_and_goes_on(tmp_path):
    """Also where it cannot be laid. The first page comes first, unless the hub names another."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "stridekit").write_text('#!/bin/sh\n[ -z "$BROKEN" ] && mkdir -p "$3"\n')
    (tools / "stridekit").chmod(0o755)
    laid, first = tmp_path / "stridekit-course", "/lab/tree/course/index.ipynb"
    for broken, named, place, page in (
        ("", "", laid, first),
        ("", "/lab", laid, "/lab"),
        ("1", "", tmp_path, ""),
    ):
        shutil.rmtree(tmp_path / "stridekit-course", ignore_errors=True)
        done = subprocess.run(
            [ROOT / "hub" / "start", "sh", "-c", 'pwd; echo "$JUPYTERHUB_DEFAULT_URL"'],
            env={
                "PATH": f"{tools}:/usr/bin:/bin",
                "HOME": str(tmp_path),
                "BROKEN": broken,
                # By this, jupyterhub-singleuser hears of c.Spawner.default_url.
                "JUPYTERHUB_DEFAULT_URL": named,
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, f"{place}\n{page}\n")
        assert ("could not be laid" in done.stderr) == bool(broken)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_what_is_there_and_may_only_read(path):
    """No job has more than it needs, none runs for ever, none has a secret."""
    said = load(path)
    assert said["permissions"] == {"contents": "read"}
    text = path.read_text("utf-8")
    assert "secrets." not in text
    assert "pull_request_target" not in text
    # Anybody may name a branch or a title: such text never becomes a part of a command.
    commands = []
    for job in said["jobs"].values():
        assert job["timeout-minutes"] <= 60
        commands += [step["run"] for step in job["steps"] if "run" in step]
        for step in job["steps"]:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", step.get("uses", "a/b@v1"))
    for command in commands:
        assert "${{" not in command
        assert_commands_exist(command)


def test_only_a_tag_publishes_and_without_a_password():
    """After the wheel was built, looked at and tried, on every system."""
    jobs = load(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["if"] == "github.event_name == 'push'"
    assert load(ROOT / ".github" / "workflows" / "release.yml")["on"]["push"] == {"tags": ["v*"]}
    assert set(publish["needs"]) == {"build", "try"}
    assert not [step for step in publish["steps"] if "run" in step]
    assert all(name == "publish" or "permissions" not in job for name, job in jobs.items())


@pytest.mark.parametrize(
    ("tag", "changes", "against"),
    [
        ("v1.2.0", "## 1.2.0 - 2026-12-01\n", ""),
        ("v1.2.0", "## [1.2.0]\n", ""),
        ("v1.2.1", "## 1.2.1\n", "stridekit/__init__.py says 1.2.0, and the tag is v1.2.1"),
        ("1.2.0", "## 1.2.0\n", "the tag 1.2.0 does not begin with v"),
        ("v1.2.0", "## Unreleased\n", "CHANGELOG.md has no part"),
        ("v1.2.0", "## 1.2.0 (unreleased)\n", "CHANGELOG.md says that 1.2.0 is unreleased"),
    ],
)
def test_a_release_is_its_version_and_its_changelog(tmp_path, tag, changes, against):
    """Before anything is built."""
    for package in ("stridekit", "stridekit_course", "stridekit_grading"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "pyproject.toml").write_text('"stridekit-library[figures,notebook]==1.2.0"\n')
    (tmp_path / "stridekit_grading" / "pyproject.toml").write_text('"stridekit-course==1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changes}")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\n")
    assert problem(tag, tmp_path).startswith(against)
    assert bool(problem(tag, tmp_path)) == bool(against)
    (tmp_path / "CITATION.cff").write_text("version: 1.1.0\n")
    assert problem(tag, tmp_path)


@pytest.mark.parametrize("path", [each for each, _ in VERSIONS], ids=str)
def test_what_is_of_another_version_is_no_release(tmp_path, path):
    """Each of the packages, what each asks for of the others, and the citation."""
    for each, _ in (*VERSIONS, ("CHANGELOG.md", "")):
        (tmp_path / each).parent.mkdir(exist_ok=True)
        text = (ROOT / each).read_text("utf-8").replace("## Unreleased", f"## {__version__}")
        (tmp_path / each).write_text(text, "utf-8")
    tag = f"v{__version__}"
    assert problem(tag, tmp_path) == ""
    text = (tmp_path / path).read_text("utf-8").replace(__version__, "0.0.9")
    (tmp_path / path).write_text(text, "utf-8")
    assert problem(tag, tmp_path).startswith(f"{path} says 0.0.9")


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")))
def test_issue_forms_are_whole(path):
    """What GitHub asks of a form: each field has an id of its own and a label."""
    said = yaml.safe_load(path.read_text("utf-8"))
    assert said["name"]
    assert said["description"]
    ids = [field["id"] for field in said["body"]]
    assert len(ids) == len({*ids})
    assert all(field["attributes"]["label"] for field in said["body"])
    assert {field["type"] for field in said["body"]} <= {"textarea", "input", "dropdown"}
