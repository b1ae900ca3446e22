"""`import stridekit` needs the standard library only."""

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

import stridekit as sk
from stridekit.errors import MissingPackageError

THIRD_PARTY = ("numpy", "torch", "matplotlib", "ipywidgets", "IPython", "pure_eval")


def loaded_after(statement: str) -> set[str]:
    """Which of the packages a fresh Python has loaded after a statement."""
    code = f"import sys; {statement}; print(*({set(THIRD_PARTY)} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import stridekit",
        "from stridekit import draw; import stridekit; draw(stridekit.arange(4).view(2, 2)).svg()",
        "import stridekit as sk; d = sk.draw_pixels(sk.face()); d.svg(); d.text(); d._repr_html_()",
        "import stridekit as sk; sk.draw_change(sk.arange(4).view(2, 2), "
        "lambda t: t.t().clone(), motion=True).svg()",
        "import stridekit; repr(stridekit.explain.contiguity(stridekit.arange(4)))",
        "import stridekit as sk; sk.diagrams.set_live(False), sk.explorers.EXPLORERS",
        "import stridekit; stridekit.load_ipython_extension, dir(stridekit)",
    ],
)
def test_stridekit_loads_no_third_party_package(statement):
    """Nor does drawing to SVG or explaining."""
    assert loaded_after(statement) == set()


@pytest.mark.parametrize("package", [*filter(find_spec, THIRD_PARTY)])
def test_the_test_above_can_fail(package, tmp_path):
    """It sees each of the packages when it is there; an empty one of that name is there sooner."""
    (tmp_path / f"{package}.py").touch()
    before = f"sys.path.insert(0, {str(tmp_path)!r})"
    assert loaded_after(f"{before}; import stridekit, {package}") == {package}


def test_the_extension_says_what_is_not_installed(monkeypatch):
    """In one sentence, where it is loaded, and nothing is registered."""
    monkeypatch.setattr(
        "stridekit.own_code.extension.find_spec", lambda name: None if name == "pure_eval" else name
    )
    sentence = (
        "%load_ext stridekit needs pure_eval, which is not installed. To have it: "
        'pip install "stridekit-library[notebook]"'
    )
    with pytest.raises(MissingPackageError, match=re.escape(sentence)):
        sk.load_ipython_extension(None)


def test_every_public_name_is_there():
    """What `__all__` promises, and dir() shows."""
    for name in sk.__all__:
        assert getattr(sk, name) is not None
        assert name in dir(sk)


def test_an_unknown_name_says_so():
    """As an AttributeError, as Python does."""
    with pytest.raises(AttributeError, match="stridekit has no 'drow'"):
        sk.drow  # noqa: B018
