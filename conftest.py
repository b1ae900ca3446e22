"""The examples in docstrings say `sk` for stridekit, as everybody does."""

import pytest

import stridekit
from stridekit import explain


@pytest.fixture(autouse=True, scope="session")
def _names_for_examples(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace.update(sk=stridekit, explain=explain)
