"""Assignments as other courses have them: right work, wrong work, and the tests of each exercise.

How each must end is not written here. It must end as stock nbgrader ends it.
"""

from tests.grading.small_courses import BEGIN, END, Topic

SETUP = """
import math

import numpy as np
import torch

TAU = 6.25


def doubled(x):
    return 2 * x
"""
DATA = "1,2\n3,4\n"

PLAIN = [
    Topic("no-value-yet", "x = 1", "x = 2", "assert _ == '' and x == 1"),
    Topic(
        "arrays",
        "def scaled(x, k):\n    return x * k",
        "def scaled(x, k):\n    return x",
        "found = scaled(np.arange(6).reshape(2, 3), 2)\n"
        "np.testing.assert_array_equal(found, [[0, 2, 4], [6, 8, 10]])\n"
        "assert scaled(np.ones(3, dtype=np.float32), 2).dtype == np.float32\n"
        "assert scaled(np.ones((2, 0)), 3).shape == (2, 0)",
    ),
    Topic(
        "array-order",
        "def turned(x):\n    return x.T",
        "def turned(x):\n    return x",
        "x = np.arange(6).reshape(2, 3)\n"
        "assert turned(x).shape == (3, 2)\nassert turned(x)[2, 0] == 2\n"
        "assert turned(x).flags.f_contiguous",
    ),
    Topic(
        "floats",
        "def mean(xs):\n    return math.fsum(xs) / len(xs)",
        "def mean(xs):\n    return max(xs)",
        "assert abs(mean([0.1] * 10) - 0.1) < 1e-12\nassert math.isclose(mean([1, 2]), 1.5)",
    ),
    Topic(
        "float-order",
        "def total(xs):\n    return sum(reversed(xs))",
        "def total(xs):\n    return 0.0",
        "xs = [0.1 * n for n in range(100)]\nassert abs(total(xs) - sum(xs)) <= 1e-6 * sum(xs)",
    ),
    Topic(
        "strings",
        "def shout(text):\n    return text.upper() + '!'",
        "def shout(text):\n    return text",
        "assert shout('naïve \\u2203 \\0') == 'NAÏVE \\u2203 \\0!'\nassert shout('') == '!'",
    ),
    Topic(
        "odd-strings",
        "def half_a_pair():\n    return '\\ud800'",
        "def half_a_pair():\n    return ''",
        "assert half_a_pair() == '\\ud800'",
    ),
    Topic(
        "dicts",
        "def counted(text):\n    found = {}\n    for c in text:\n"
        "        found[c] = found.get(c, 0) + 1\n    return found",
        "def counted(text):\n    return {}",
        "assert counted('abca') == {'a': 2, 'b': 1, 'c': 1}\n"
        "assert list(counted('ba')) == ['b', 'a']",
    ),
    Topic(
        "nested",
        "def table():\n    return {('a', 1): [{2, 3}, (None, {'x': [1.5, b'z', 2j]})]}",
        "def table():\n    return {('a', 1): [{2, 3}, (None, {'x': [1.5, b'z', 1j]})]}",
        "assert table() == {('a', 1): [{2, 3}, (None, {'x': [1.5, b'z', 2j]})]}",
    ),
    Topic(
        "shared",
        "def twins():\n    inner = []\n    return [inner, inner]",
        "def twins():\n    return [[], []]",
        "a, b = twins()\nassert a is b",
    ),
    Topic(
        "numbers",
        "from fractions import Fraction\ndef numbers():\n"
        "    return 10**400, Fraction(1, 3), True, -0.0, float('inf')",
        "def numbers():\n    return 10**400 + 1, 0, True, -0.0, float('inf')",
        "from fractions import Fraction\n"
        "assert numbers() == (10**400, Fraction(1, 3), True, 0.0, math.inf)\n"
        "assert math.copysign(1, numbers()[3]) == -1",
    ),
    Topic(
        "dates",
        "import datetime\ndef tomorrow(day):\n    return day + datetime.timedelta(days=1)",
        "def tomorrow(day):\n    return day",
        "import datetime\n"
        "assert tomorrow(datetime.date(2024, 2, 28)) == datetime.date(2024, 2, 29)",
    ),
    Topic(
        "generators",
        "def countdown(n):\n    while n:\n        yield n\n        n -= 1",
        "def countdown(n):\n    return iter([])",
        "assert list(countdown(3)) == [3, 2, 1]\nassert next(countdown(9)) == 9\n"
        "assert sum(countdown(4)) == 10",
    ),
    Topic(
        "endless",
        "import itertools\ndef evens():\n    return itertools.count(0, 2)",
        "import itertools\ndef evens():\n    return itertools.count(1, 2)",
        "from itertools import islice\nassert list(islice(evens(), 4)) == [0, 2, 4, 6]",
    ),
    Topic(
        "classes",
        "class Account:\n    rate = 0.5\n    def __init__(self, balance=0):\n"
        "        self.balance = balance\n    def deposit(self, amount):\n"
        "        self.balance += amount\n        return self\n"
        "    @property\n    def is_empty(self):\n        return not self.balance\n"
        "    def __repr__(self):\n        return f'Account({self.balance})'",
        "class Account:\n    rate = 0.5\n    def __init__(self, balance=0):\n"
        "        self.balance = balance\n    def deposit(self, amount):\n        return self",
        "a = Account(10)\na.deposit(5).deposit(1)\nassert a.balance == 16\n"
        "assert Account().is_empty\n"
        "a.balance = 3\nassert repr(a) == 'Account(3)'\nassert isinstance(a, Account)\n"
        "assert Account.rate == 0.5\nassert not hasattr(a, 'owner')",
    ),
    Topic(
        "names-of-our-own",
        "class Robot:\n    def __init__(self):\n        self._name, self._number = 'r2', 2\n"
        "        self.steps = 0\n"
        "    def run(self, steps=1):\n        self.steps += steps\n        return self.steps\n"
        "    def read(self):\n        return [self.steps]",
        "class Robot:\n    def __init__(self):\n        self.steps = 0\n"
        "    def run(self, steps=1):\n        return 0\n    def read(self):\n        return []",
        "r = Robot()\nassert r.run() == 1\nassert r.run(2) == 3\nassert r.run(steps=1) == 4\n"
        "assert r.read() == [4]\nassert (r._name, r._number) == ('r2', 2)",
    ),
    Topic(
        "heirs",
        "class Animal:\n    def speak(self):\n        return '...'\n"
        "class Dog(Animal):\n    def speak(self):\n        return 'woof'",
        "class Animal:\n    pass\nclass Dog:\n    def speak(self):\n        return 'miaow'",
        "assert issubclass(Dog, Animal)\nassert isinstance(Dog(), Animal)\n"
        "assert Dog().speak() == 'woof'",
    ),
    Topic(
        "containers",
        "class Bag:\n    def __init__(self, *items):\n        self.items = list(items)\n"
        "    def __len__(self):\n        return len(self.items)\n"
        "    def __getitem__(self, n):\n        return self.items[n]\n"
        "    def __iter__(self):\n        return iter(self.items)",
        "class Bag(list):\n    def __init__(self, *items):\n        pass",
        "b = Bag(3, 4)\nassert len(b) == 2\nassert b[1] == 4\nassert [*b] == [3, 4]",
    ),
    Topic(
        "sums-of-theirs",
        "class Vec:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
        "    def __add__(self, o):\n        return Vec(self.x + o.x, self.y + o.y)",
        "class Vec:\n    def __init__(self, x, y):\n        self.x, self.y = x, y\n"
        "    def __add__(self, o):\n        return self",
        "v = Vec(1, 2) + Vec(3, 4)\nassert (v.x, v.y) == (4, 6)",
    ),
    Topic(
        "same-one",
        "class Only:\n    _one = None\n    def __new__(cls):\n        if cls._one is None:\n"
        "            cls._one = super().__new__(cls)\n        return cls._one",
        "class Only:\n    pass",
        "assert Only() is Only()",
    ),
    Topic(
        "enums",
        "import enum\nclass Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
        "def colour_of(name):\n    return Colour[name]",
        "import enum\nclass Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
        "def colour_of(name):\n    return Colour.BLUE",
        "assert colour_of('RED') is Colour.RED\nassert colour_of('BLUE').value == 2",
    ),
    Topic(
        "named-tuples",
        "import collections\nPair = collections.namedtuple('Pair', 'left right')\n"
        "def paired(a, b):\n    return Pair(a, b)",
        "def paired(a, b):\n    return (b, a)",
        "assert paired(1, 2) == (1, 2)\nassert paired(1, 2).right == 2",
    ),
    Topic(
        "errors",
        "def root(x):\n    if x < 0:\n        raise ValueError(f'{x} is less than 0')\n"
        "    return math.sqrt(x)",
        "def root(x):\n    return 2.0",
        "assert root(4) == 2\ntry:\n    root(-1)\nexcept ValueError as error:\n"
        "    assert 'less than 0' in str(error)\nelse:\n    raise AssertionError('no error')",
    ),
    Topic(
        "own-errors",
        "class TooLittle(ValueError):\n    pass\n"
        "def take(have, want):\n    if want > have:\n        raise TooLittle(want - have)\n"
        "    return have - want",
        "class TooLittle(ValueError):\n    pass\ndef take(have, want):\n    return have - want",
        "caught = []\nfor kind in (TooLittle, ValueError):\n    try:\n        take(1, 3)\n"
        "    except kind as error:\n        caught.append(error.args)\n"
        "assert caught == [(2,), (2,)]",
    ),
    Topic(
        "errors-with-more",
        "class Missing(Exception):\n    def __init__(self, key):\n"
        "        super().__init__(f'no {key}')\n        self.key = key\n"
        "def look_up(key):\n    raise Missing(key)",
        "class Missing(Exception):\n    pass\ndef look_up(key):\n    return None",
        "try:\n    look_up('a')\nexcept Missing as error:\n    assert error.key == 'a'\n"
        "else:\n    raise AssertionError('no error')",
    ),
    Topic(
        "errors-of-libraries",
        "def inverse(a):\n    return np.linalg.inv(a)",
        "def inverse(a):\n    return a",
        "try:\n    inverse(np.zeros((2, 2)))\nexcept np.linalg.LinAlgError:\n    pass\n"
        "else:\n    raise AssertionError('no error')",
    ),
    Topic(
        "recursion",
        "def factorial(n):\n    return 1 if n < 2 else n * factorial(n - 1)",
        "def factorial(n):\n    return factorial(n)",
        "assert factorial(5) == 120",
    ),
    Topic(
        "functions-of-the-test",
        "def twice(f, x):\n    return f(f(x))",
        "def twice(f, x):\n    return f(x)",
        "calls = []\ndef noted(x):\n    calls.append(x)\n    return x + 3\n"
        "assert twice(noted, 7) == 13\nassert calls == [7, 10]\n"
        "assert twice(lambda s: s + '.', 'a') == 'a..'",
    ),
    Topic(
        "functions-that-fail",
        "def safely(f):\n    try:\n        return f()\n    except ZeroDivisionError:\n"
        "        return None",
        "def safely(f):\n    return f()",
        "assert safely(lambda: 1 / 0) is None\nassert safely(lambda: 5) == 5",
    ),
    Topic(
        "decorators",
        "import functools\ndef remembered(f):\n    known = {}\n    @functools.wraps(f)\n"
        "    def wrapper(x):\n        if x not in known:\n            known[x] = f(x)\n"
        "        return known[x]\n    return wrapper",
        "def remembered(f):\n    return f",
        "asked = []\n@remembered\ndef slow(x):\n    asked.append(x)\n    return x * x\n"
        "assert [slow(3), slow(3), slow(4)] == [9, 9, 16]\nassert asked == [3, 4]",
    ),
    Topic(
        "keys",
        "def by_key(xs, key):\n    return sorted(xs, key=key)",
        "def by_key(xs, key):\n    return xs",
        "assert by_key(['bb', 'a', 'ccc'], len) == ['a', 'bb', 'ccc']\n"
        "assert by_key([1, 2], lambda x: -x) == [2, 1]",
    ),
    Topic(
        "closures",
        "def adder(n):\n    return lambda x: x + n",
        "def adder(n):\n    return lambda x: x",
        "add = adder(3)\nassert add(4) == 7\nassert list(map(adder(1), [1, 2])) == [2, 3]",
    ),
    Topic(
        "mutation",
        "def sort_here(xs):\n    xs.sort()\ndef note(d, k):\n    d.setdefault(k, []).append(1)\n"
        "def clear(x):\n    x[:] = 0",
        "def sort_here(xs):\n    return sorted(xs)\ndef note(d, k):\n    return d\n"
        "def clear(x):\n    return x * 0",
        "xs = alias = [3, 1, 2]\nassert sort_here(xs) is None\nassert alias == [1, 2, 3]\n"
        "d = {}\nnote(d, 'a')\nnote(d, 'a')\nassert d == {'a': [1, 1]}\n"
        "x = np.arange(5)\nclear(x[1:3])\nassert x.tolist() == [0, 0, 0, 3, 4]\n"
        "t = torch.arange(4)\nclear(t[2:])\nassert t.tolist() == [0, 1, 0, 0]",
    ),
    Topic(
        "arguments-left-alone",
        "def without_last(xs):\n    return xs[:-1]",
        "def without_last(xs):\n    xs.pop()\n    return xs",
        "xs = [1, 2]\nassert without_last(xs) == [1]\nassert xs == [1, 2]",
    ),
    Topic(
        "variables",
        "answer = 42\nratio = np.float64(0.5)\nnames = ['a', 'b']",
        "answer = '42'\nratio = 0.25\nnames = []",
        "assert answer == 42\nassert ratio == 0.5\nassert names == ['a', 'b']",
    ),
    Topic(
        "seeds-of-numpy",
        "def dice(n):\n    return np.random.randint(1, 7, size=n)",
        "def dice(n):\n    return np.ones(n, dtype=int)",
        "np.random.seed(0)\nassert dice(4).tolist() == [5, 6, 1, 4]\n"
        "np.random.seed(0)\nexpected = np.random.randint(1, 7, size=9)\n"
        "np.random.seed(0)\nassert (np.concatenate([dice(4), dice(5)]) == expected).all()",
    ),
    Topic(
        "seeds-of-others",
        "import random\ndef noise():\n    return random.random(), torch.rand(2)",
        "def noise():\n    return 0.5, torch.zeros(2)",
        "import random\nrandom.seed(3)\ntorch.manual_seed(3)\n"
        "expected = random.random(), torch.rand(2)\nrandom.seed(3)\ntorch.manual_seed(3)\n"
        "number, tensor = noise()\nassert number == expected[0]\n"
        "assert torch.equal(tensor, expected[1])",
    ),
    Topic(
        "generators-of-numbers",
        "def drawn(rng):\n    return rng.integers(10)",
        "def drawn(rng):\n    return 99",
        "assert drawn(np.random.default_rng(0)) == 8",
    ),
    Topic(
        "tests-of-torch",
        "def plus_one(t):\n    return t + 1",
        "def plus_one(t):\n    return t",
        "torch.testing.assert_close(plus_one(torch.ones(2, 3)), torch.full((2, 3), 2.0))\n"
        "assert plus_one(torch.ones(2)[:0]).shape == (0,)",
    ),
    Topic(
        "tests-of-numpy",
        "def roots(xs):\n    return np.sqrt(xs)",
        "def roots(xs):\n    return xs",
        "np.testing.assert_allclose(roots([1.0, 4.0]), [1, 2], rtol=1e-9)\n"
        "with np.testing.assert_raises(TypeError):\n    roots('a')",
    ),
    Topic(
        "raises",
        "def first(xs):\n    return xs[0]",
        "def first(xs):\n    return xs[0] if xs else None",
        "import contextlib\nfailed = False\nwith contextlib.suppress(IndexError):\n    first([])\n"
        "    failed = True\nassert not failed",
    ),
    Topic(
        "unittest",
        "def third(xs):\n    return xs[2]",
        "def third(xs):\n    return None",
        "import unittest\ncase = unittest.TestCase()\ncase.assertEqual(third('abc'), 'c')\n"
        "with case.assertRaises(IndexError):\n    third('ab')",
    ),
    Topic(
        "partial",
        "def sign(x):\n    return (x > 0) - (x < 0)",
        "def sign(x):\n    return 7",
        "score = 0.0\nscore += 1.5 * (sign(3) == 1)\nscore += 1.5 * (sign(-3) == -1)\n"
        "score += sign(0) == 0\nscore",
        points=4,
    ),
    Topic(
        "hidden",
        "def cube(x):\n    return x**3",
        "def cube(x):\n    return {2: 8}.get(x)",
        f"assert cube(2) == 8\n{BEGIN}\nassert cube(30) == 27000, 'cube(30) is 27000'\n{END}",
    ),
    Topic(
        "printed",
        "def greet(name):\n    print('hello', name)",
        "def greet(name):\n    print('bye')",
        "import contextlib\nimport io\nsaid = io.StringIO()\n"
        "with contextlib.redirect_stdout(said):\n    greet('ada')\n"
        "assert said.getvalue() == 'hello ada\\n'",
    ),
    Topic(
        "printed-otherwise",
        "def report(n):\n    print(n)\n    print(n + 1)",
        "def report(n):\n    print(n)",
        "from contextlib import redirect_stdout\nfrom io import StringIO\n"
        "with redirect_stdout(StringIO()) as told:\n    report(1)\n"
        "assert told.getvalue().split() == ['1', '2']",
    ),
    Topic(
        "name-of-the-test",
        "def is_low(x):\n    return x < 10",
        "def is_low(x):\n    return False",
        "limit = 10\nassert is_low(9)",
    ),
    Topic(
        "name-of-an-earlier-test",
        "def is_under(x):\n    return x < limit",
        "def is_under(x):\n    return x > limit",
        "assert is_under(9) and not is_under(10)",
    ),
    Topic(
        "helpers",
        "def around(r):\n    return doubled(r) * TAU / 2",
        "def around(r):\n    return r",
        "assert around(2) == doubled(2) * TAU / 2 == 12.5",
    ),
    Topic(
        "files",
        "def rows():\n    with open('data.csv') as file:\n"
        "        return [[int(x) for x in line.split(',')] for line in file]",
        "def rows():\n    return []",
        "assert rows() == [[1, 2], [3, 4]]",
    ),
    Topic(
        "files-of-the-test",
        "def lines(path):\n    with open(path) as file:\n        return len(file.readlines())",
        "def lines(path):\n    return 7",
        "with open('data.csv') as file:\n    expected = len(file.readlines())\n"
        "assert lines('data.csv') == expected",
    ),
    Topic(
        "imports-of-the-learner",
        "import statistics\ndef middle(xs):\n    return statistics.median(xs)",
        "import statistics\ndef middle(xs):\n    return 0",
        "assert middle([5, 1, 3]) == statistics.median([5, 1, 3])",
    ),
    Topic(
        "defaults",
        "def greeting(name='you', *, end='!'):\n    return name + end",
        "def greeting(name='me', *, end='?'):\n    return name + end",
        "assert greeting() == 'you!'\nassert greeting('ada', end='.') == 'ada.'\n"
        "try:\n    greeting('a', '.')\nexcept TypeError:\n    pass\nelse:\n"
        "    raise AssertionError",
    ),
    Topic(
        "many-arguments",
        "def joined(*parts, **named):\n    return parts, named",
        "def joined(*parts, **named):\n    return named, parts",
        "assert joined(1, self=2, function=3) == ((1,), {'self': 2, 'function': 3})",
    ),
    Topic(
        "signatures",
        "def area(width, height=1):\n    return width * height",
        "def area(w):\n    return w",
        "import inspect\nassert list(inspect.signature(area).parameters) == ['width', 'height']",
    ),
    Topic(
        "names-and-docs",
        "def stated(x):\n    '''Says so.'''\n    return x",
        "stated = lambda x: x",
        "assert stated.__name__ == 'stated'\nassert stated.__doc__ == 'Says so.'\n"
        "assert callable(stated)",
    ),
    Topic(
        "annotations",
        "def typed(x: int) -> int:\n    return x",
        "def typed(x):\n    return x",
        "assert typed.__annotations__ == {'x': int, 'return': int}",
    ),
    Topic(
        "inner-dict",
        "class Plain:\n    def __init__(self):\n        self.a = 1",
        "class Plain:\n    pass",
        "assert Plain().__dict__ == {'a': 1}",
    ),
    Topic(
        "kind-of-function",
        "def plain_function():\n    return 1",
        "plain_function = 3",
        "import types\nassert isinstance(plain_function, types.FunctionType)",
    ),
    Topic(
        "kind-of-object",
        "class Shape:\n    pass",
        "class Shape:\n    def __new__(cls):\n        return 3",
        "assert type(Shape()) is Shape",
    ),
    Topic(
        "kind-of-data",
        "def three():\n    return 3",
        "def three():\n    return True",
        "assert type(three()) is int\nassert isinstance(three(), int)",
    ),
    Topic(
        "comparisons",
        "class Point:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, other):\n        return self.x == other.x\n"
        "    def __lt__(self, other):\n        return self.x < other.x",
        "class Point:\n    def __init__(self, x):\n        self.x = x",
        "assert Point(1) == Point(1)\nassert Point(1) != Point(2)\nassert Point(1) < Point(2)",
    ),
    Topic(
        "hashes",
        "class Key:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __hash__(self):\n        return self.x",
        "class Key:\n    __hash__ = None\n    def __init__(self, x):\n        pass",
        "assert hash(Key(3)) == 3",
    ),
    Topic(
        "copies",
        "class Box:\n    def __init__(self):\n        self.items = []",
        "class Box:\n    items = None",
        "import copy\nassert copy.deepcopy(Box()).items == []",
    ),
    Topic(
        "copies-of-data",
        "def matrix():\n    return [[0] * 2 for _ in range(2)]",
        "def matrix():\n    return [[0] * 2] * 2",
        "import copy\nm = copy.deepcopy(matrix())\nm[0][0] = 1\nassert m == [[1, 0], [0, 0]]",
    ),
    Topic(
        "contexts",
        "import contextlib\nseen = []\n@contextlib.contextmanager\ndef noting():\n"
        "    seen.append('in')\n    yield len(seen)\n    seen.append('out')",
        "import contextlib\nseen = []\n@contextlib.contextmanager\ndef noting():\n    yield 0",
        "with noting() as n:\n    assert n == 1\nassert noting is not None",
    ),
    Topic(
        "nan",
        "def unknown():\n    return float('nan'), np.array([np.nan, 1.0])",
        "def unknown():\n    return 0.0, np.array([0.0, 1.0])",
        "number, array = unknown()\nassert math.isnan(number)\nassert number != number\n"
        "np.testing.assert_equal(array, [np.nan, 1])",
    ),
    Topic(
        "nan-is-no-number",
        "def two():\n    return 2.0",
        "def two():\n    return float('nan')",
        "assert two() == 2\nassert abs(two() - 2) < 1e-9",
    ),
    Topic(
        "large",
        "def many(n):\n    return np.arange(n)",
        "def many(n):\n    return np.zeros(n, dtype=int)",
        "assert many(1_000_000).sum() == 499999500000",
    ),
    Topic(
        "huge",
        "def too_many():\n    return np.zeros(6_000_000)",
        "def too_many():\n    return np.zeros(3)",
        "assert too_many().size == 6_000_000",
    ),
    Topic(
        "magics",
        "%matplotlib inline\ndef seven():\n    return 7",
        "%matplotlib inline\ndef seven():\n    return 8",
        "%matplotlib inline\nassert seven() == 7",
    ),
    Topic(
        "awaited",
        "import asyncio\nasync def later(x):\n    await asyncio.sleep(0)\n    return x + 1",
        "async def later(x):\n    return x",
        "assert (await later(1)) == 2",
    ),
]

# What only a notebook in a real shell can be asked.
SHELL = [
    Topic(
        "awaits-several",
        "import asyncio\nasync def both(a, b):\n    return await asyncio.gather(a(), b())",
        "async def both(a, b):\n    return [await a()]",
        "async def one():\n    return 1\nasync def two():\n    return 2\n"
        "assert await both(one, two) == [1, 2]",
    ),
    Topic(
        "timed",
        "def quick():\n    return 1",
        "def quick():\n    raise ValueError('no')",
        "%timeit -n 1 -r 1 quick()\ntook = %timeit -n 1 -r 1 -o -q quick()\nassert took.best >= 0",
    ),
    Topic(
        "captured-by-magic",
        "def shown():\n    print('shown')",
        "def shown():\n    raise ValueError('shown')",
        "%%capture kept\nshown()",
    ),
    Topic(
        "captured-earlier",
        "was_captured = True",
        "was_captured = False",
        "assert was_captured and kept.stdout == 'shown\\n'",
    ),
    Topic(
        "picture-captured",
        "%%capture drawn\nimport stridekit\nstridekit.draw(stridekit.arange(6).view(2, 3))",
        "class drawn:\n    outputs = []",
        "### BEGIN HIDDEN TESTS\nassert 'text/html' in drawn.outputs[0].data\n### END HIDDEN TESTS",
    ),
    Topic(
        "of-the-shell",
        "!echo from the shell > said.txt\nfiles = !ls said.txt",
        "files = []",
        "assert files == ['said.txt']\nassert open('said.txt').read() == 'from the shell\\n'",
    ),
    Topic(
        "source",
        "def summed(xs):\n    return sum(xs)",
        "def summed(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total",
        "import inspect\nassert 'for' not in inspect.getsource(summed)\nassert summed([1, 2]) == 3",
    ),
    Topic(
        "source-by-tree",
        "def doubled_all(xs):\n    return [2 * x for x in xs]",
        "def doubled_all(xs):\n    return list(map(lambda x: 2 * x, xs))",
        "import ast, inspect\ntree = ast.parse(inspect.getsource(doubled_all))\n"
        "assert any(isinstance(each, ast.ListComp) for each in ast.walk(tree))",
    ),
    Topic(
        "history",
        "marked = 6 * 7\nmarked",
        "marked = 6 * 7",
        "assert 42 in Out.values()\nassert any('marked' in each for each in In)",
    ),
    Topic(
        "globals",
        "is_set = True",
        "is_set_elsewhere = True",
        "assert globals().get('is_set') is True\nassert 'is_set' in dir()\n"
        "assert get_ipython().user_ns['is_set']",
    ),
    Topic(
        "main",
        "import pickle\nclass Kept:\n    value = 3\nkept_one = pickle.loads(pickle.dumps(Kept()))",
        "class Kept:\n    value = 4\nkept_one = None",
        "import sys\nassert __name__ == '__main__'\nassert sys.modules['__main__'].Kept is Kept\n"
        "assert kept_one.value == 3",
    ),
    Topic(
        "displayed",
        "from IPython.display import HTML\ndef page():\n    return HTML('<b>x</b>')",
        "def page():\n    return '<b>x</b>'",
        "display(page())\nassert page()._repr_html_() == '<b>x</b>'",
    ),
    Topic(
        "warned",
        "import warnings\ndef old():\n    warnings.warn('old', DeprecationWarning)\n    return 1",
        "def old():\n    return 1",
        "import warnings\nwith warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n    assert old() == 1\n"
        "assert [each.category for each in caught] == [DeprecationWarning]",
    ),
    Topic(
        "warns-in-the-test",
        "import warnings\ndef loud():\n    warnings.warn('careful')\n    return 1",
        "def loud():\n    return 2",
        "assert loud() == 1",
        writes_to_stderr=True,
    ),
    Topic(
        "threads",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def squares(n):\n    with ThreadPoolExecutor(2) as pool:\n"
        "        return list(pool.map(lambda x: x * x, range(n)))",
        "def squares(n):\n    return []",
        "assert squares(4) == [0, 1, 4, 9]",
    ),
    Topic(
        "processes",
        "import multiprocessing as mp\ndef of_processes():\n"
        "    with mp.get_context('fork').Pool(2) as pool:\n        return pool.map(abs, [-1, -2])",
        "def of_processes():\n    return [-1, -2]",
        "assert of_processes() == [1, 2]",
    ),
    Topic(
        "processes-of-their-own",
        "import multiprocessing as mp\ndef of_new_processes(kind):\n"
        "    with mp.get_context(kind).Pool(1) as pool:\n        return pool.map(abs, [-1, -2])",
        "def of_new_processes(kind):\n    return [-1, -2]",
        "assert [of_new_processes(kind) for kind in ('spawn', 'forkserver')] == [[1, 2]] * 2",
    ),
    Topic(
        "asks",
        "def named():\n    return 'ada'",
        "def named():\n    return input('Your name? ')",
        "assert named() == 'ada'",
    ),
    Topic(
        "leaves-a-breakpoint",
        "def halved(x):\n    breakpoint()\n    return x / 2",
        "def halved(x):\n    breakpoint()\n    return x",
        "assert halved(3) == 1.5",
    ),
    Topic(
        "in-a-notebook",
        "def is_notebook():\n    shell = get_ipython()\n"
        "    return 'IPKernelApp' in shell.config and type(shell).__name__",
        "def is_notebook():\n    return False",
        "assert is_notebook() == 'ZMQInteractiveShell'",
    ),
    Topic(
        "knows-that-it-is-graded",
        "import os\ndef by_whom():\n    return os.environ.get('NBGRADER_EXECUTION')",
        "def by_whom():\n    return None",
        "assert by_whom() == 'autograde'",
    ),
    Topic(
        "magics-of-a-kernel",
        "%autosave 0\nis_saved = False",
        "%autosave 0\nis_saved = True",
        "%less data.csv\nassert not is_saved",
    ),
    Topic(
        "stored-by-magic",
        "to_keep = 7\n%store to_keep\ndel to_keep\n%store -r to_keep",
        "to_keep = 8",
        "assert to_keep == 7",
    ),
    Topic(
        "changes-its-folder",
        "%mkdir inner\n%cd inner\nplace = %pwd",
        "place = %pwd\n%mkdir inner\n%cd inner",
        "import os\n%cd ..\nassert os.path.basename(place) == 'inner'",
    ),
    Topic(
        "goes-on-until-the-next-cell",
        # One step: how many a kernel finds time for depends on when it is asked for the next cell.
        "import asyncio\nsteps = []\nasync def takes_a_step():\n    steps.append(1)\n"
        "begun = asyncio.create_task(takes_a_step())",
        "steps, begun = [], asyncio.create_task(asyncio.sleep(9))",
        "assert steps == [1] and begun.done()",
    ),
    Topic(
        "exits-the-test",
        "def fine():\n    return True",
        "def fine():\n    raise SystemExit(1)",
        "assert fine()",
    ),
]
# What tests do to the notebook that they judge, and how they give points.
JUDGED = [
    Topic(
        "deleted",
        "def tenfold(n):\n    return 10 * n\ndef tenfold_all(ns):\n"
        "    return [tenfold(n) for n in ns]",
        "def tenfold(n):\n    return 10 * n\ndef tenfold_all(ns):\n    return [10 * n for n in ns]",
        "_kept = tenfold\ndel tenfold\ntry:\n    tenfold_all([1])\nexcept NameError:\n    pass\n"
        "else:\n    raise AssertionError('tenfold_all does not use tenfold')\n"
        "finally:\n    tenfold = _kept",
    ),
    Topic(
        "still-there",
        "def again():\n    return tenfold(1)",
        "def again():\n    return 1",
        "assert again() == 10",
    ),
    Topic(
        "rebound",
        "def price(n):\n    return n * RATE\nRATE = 2",
        "def price(n):\n    return n * 2\nRATE = 2",
        "RATE = 3\nassert price(2) == 6",
    ),
    Topic(
        "seen-later",
        "def rate():\n    return RATE",
        "def rate():\n    return 2",
        "assert rate() == 3",
    ),
    Topic(
        "mocked",
        "import random\ndef throw():\n    return random.randint(1, 6)",
        "def throw():\n    return 4",
        "from unittest.mock import patch\nwith patch('random.randint', return_value=9) as asked:\n"
        "    assert throw() == 9\nasked.assert_called_once_with(1, 6)",
    ),
    Topic(
        "print-patched",
        "def told(x):\n    print('x is', x)",
        "def told(x):\n    print(x)",
        "import builtins\nfrom unittest import mock\nwith mock.patch('builtins.print') as said:\n"
        "    told(3)\nsaid.assert_called_once_with('x is', 3)",
    ),
    Topic(
        "input-patched",
        "def echoed():\n    return input('? ').upper()",
        "def echoed():\n    return '?'",
        "from unittest.mock import patch\nwith patch('builtins.input', lambda _: 'yes'):\n"
        "    assert echoed() == 'YES'",
    ),
    Topic(
        "captured",
        "def table(n):\n    for k in range(n):\n        print(k, k * k)",
        "def table(n):\n    print(n)",
        "import io, sys\nbefore, sys.stdout = sys.stdout, io.StringIO()\ntry:\n    table(2)\n"
        "    said = sys.stdout.getvalue()\nfinally:\n    sys.stdout = before\n"
        "assert said == '0 0\\n1 1\\n'",
    ),
    Topic(
        "recursion-counted",
        "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)",
        "def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n"
        "        a, b = b, a + b\n    return a",
        "_fib, calls = fib, []\ndef fib(n):\n    calls.append(n)\n    return _fib(n)\n"
        "assert fib(5) == 5\nassert len(calls) > 5",
    ),
    Topic(
        "global-changed",
        "count = 0\ndef tick():\n    global count\n    count += 1",
        "count = 0\ndef tick():\n    count = 1",
        "count = 40\ntick()\ntick()\nassert count == 42",
    ),
    Topic(
        "unittest-case",
        "def halved(n):\n    if n % 2:\n        raise ValueError(n)\n    return n // 2",
        "def halved(n):\n    return n // 2",
        "import unittest\nclass TestHalved(unittest.TestCase):\n"
        "    def test_even(self):\n        self.assertEqual(halved(4), 2)\n"
        "    def test_odd(self):\n        self.assertRaises(ValueError, halved, 3)\n"
        "import io\ndone = unittest.TextTestRunner(stream=io.StringIO()).run(\n"
        "    unittest.defaultTestLoader.loadTestsFromTestCase(TestHalved))\n"
        "assert done.wasSuccessful()",
    ),
    Topic(
        "subclassed",
        "class Counter:\n    def __init__(self):\n        self.n = 0\n"
        "    def up(self):\n        self.n += self.step()\n    def step(self):\n        return 1",
        "class Counter:\n    def __init__(self):\n        self.n = 0\n"
        "    def up(self):\n        self.n += 1\n    def step(self):\n        return 1",
        "class ByTwo(Counter):\n    def step(self):\n        return 2\n"
        "c = ByTwo()\nc.up()\nassert c.n == 2 and isinstance(c, Counter)",
    ),
    Topic(
        "partly",
        "def kinds(x):\n    return type(x).__name__",
        "def kinds(x):\n    return 'int'",
        "sum(kinds(x) == name for x, name in ((1, 'int'), ('a', 'str'), (1.5, 'float')))",
        points=3,
    ),
    Topic(
        "partly-hidden",
        "def signs(xs):\n    return [(x > 0) - (x < 0) for x in xs]",
        "def signs(xs):\n    return [1 for x in xs]",
        f"score = float(signs([2]) == [1])\n{BEGIN}\nscore += signs([-7.5, 0]) == [-1, 0]\n{END}\n"
        "score",
        points=2,
    ),
    Topic(
        "first-of-several-values",
        "get_ipython().ast_node_interactivity = 'all'\ndef parts_of(n):\n    return n / 4",
        "def parts_of(n):\n    return n / 4",
        "parts_of(3)\n2 * parts_of(1) if get_ipython().ast_node_interactivity == 'all' else 0",
        points=0.75,
    ),
    Topic(
        "word-before-the-value",
        "_words = 'word'",
        "_words = 0.25",
        "_words\n7 if type(_words) is str else 0",
    ),
    Topic("value-before-a-failure", "_is_first = 1", "_is_first = 2", "1\n1 / 0"),
    Topic(
        "hidden-value-before-a-failure",
        "_thirds = 3",
        "_thirds = 2",
        f"{BEGIN}\n1 / _thirds\n1 / 0\n{END}",
        points=1 / 3,
    ),
    Topic(
        "one-value-again",
        "get_ipython().ast_node_interactivity = 'last_expr'\ndef one_value():\n    return 1",
        "get_ipython().ast_node_interactivity = 'last_expr'\ndef one_value():\n    return 0",
        "one_value()",
    ),
    Topic(
        "value-that-is-no-number",
        "def word():\n    return 'word'",
        "def word():\n    return 1 / 0",
        "word()",
    ),
    Topic(
        "all-hidden",
        "def squared(n):\n    return n * n",
        "def squared(n):\n    return 2 * n",
        f"# Tested on more.\n{BEGIN}\nfor n in (2, 61):\n"
        f"    assert squared(n) == n * n, f'squared({{n}})'\n{END}",
    ),
    Topic(
        "hidden-in-the-middle",
        "def cubed(n):\n    return n**3",
        "def cubed(n):\n    return 8",
        f"assert cubed(2) == 8\n{BEGIN}\nassert cubed(41) == 68921\n{END}\nassert callable(cubed)",
    ),
    Topic(
        "hidden-sets-a-name",
        "def after_hidden():\n    return 5",
        "def after_hidden():\n    return 0",
        f"{BEGIN}\nhidden_value = 5\n{END}\nassert after_hidden()",
    ),
    Topic(
        "name-of-a-hidden-part",
        "def uses():\n    return 5",
        "def uses():\n    return 4",
        f"{BEGIN}\nassert uses() == hidden_value\n{END}",
    ),
    Topic(
        "no-function",
        "def there():\n    return 1",
        "pass",
        f"{BEGIN}\nassert there() == 1\n{END}",
    ),
]
# What lies beside a notebook, what it draws, and how chance is kept out.
FILES_AND_FIGURES = [
    Topic(
        "writes",
        "def save(text):\n    with open('notes.txt', 'w') as file:\n        file.write(text)",
        "def save(text):\n    return text",
        "save('hello')\nwith open('notes.txt') as file:\n    assert file.read() == 'hello'",
    ),
    Topic(
        "written-before",
        "import csv\nwith open('made.csv', 'w', newline='') as file:\n"
        "    csv.writer(file).writerows([[1, 2], [3, 4]])",
        "pass",
        "import os\nassert os.path.exists('made.csv')\n"
        "assert len(open('made.csv').readlines()) == 2",
    ),
    Topic(
        "program-beside",
        "import subprocess\ndef tell():\n"
        "    return subprocess.run(['./tell.sh'], capture_output=True, text=True).stdout",
        "def tell():\n    return open('tell.sh').read()",
        "assert tell() == 'told\\n'",
    ),
    Topic(
        "by-a-whole-path",
        "from pathlib import Path\nPath('/tmp/made-by-a-learner').write_text('made')",
        "from pathlib import Path\nPath('/tmp/made-by-a-learner').write_text('')",
        "assert Path('/tmp/made-by-a-learner').read_text() == 'made'\n"
        "Path('/tmp/made-by-a-learner').unlink()",
    ),
    Topic(
        "helper-beside",
        "import helper\ndef helped(n):\n    return helper.plus_one(n)",
        "def helped(n):\n    return n",
        "from helper import plus_one\nassert helped(3) == plus_one(3)",
    ),
    Topic(
        "plotted",
        "import matplotlib.pyplot as plt\ndef drawn(xs):\n    fig, ax = plt.subplots()\n"
        "    ax.plot(xs, label='mine')\n    ax.set_title('A title')\n    return ax",
        "import matplotlib.pyplot as plt\ndef drawn(xs):\n    return plt.gca()",
        "ax = drawn([1, 4, 9])\nassert ax.get_title() == 'A title'\n"
        "assert ax.lines[0].get_ydata().tolist() == [1, 4, 9]\n"
        "import matplotlib.pyplot as plt\nplt.close('all')",
    ),
    Topic(
        "seeded",
        "def sample(n):\n    return np.random.rand(n)",
        "def sample(n):\n    return np.random.rand(n + 1)[:n]",
        "np.random.seed(5)\nfirst = sample(3)\nnext_one = np.random.rand()\n"
        "np.random.seed(5)\nassert np.allclose(first, np.random.rand(3))\n"
        "assert next_one == np.random.rand()",
    ),
    Topic(
        "tables",
        "def column_sums(rows):\n    return np.array(rows).sum(axis=0)",
        "def column_sums(rows):\n    return np.array(rows).sum(axis=1)",
        "np.testing.assert_array_almost_equal(column_sums([[1, 2], [3, 5]]), [4, 7])",
    ),
]
# What a cell leaves for those after it, and what tests read of a notebook beside its names.
READ = [
    Topic(
        "settings-that-last",
        "import decimal\ndecimal.getcontext().prec = 3\nnp.set_printoptions(precision=2)",
        "pass",
        "import decimal\nassert str(decimal.Decimal(1) / 3) == '0.333'\n"
        "assert str(np.array([1.2345])) == '[1.23]'",
    ),
    Topic(
        "settings-set-back",
        "decimal.getcontext().prec = 28\nnp.set_printoptions(precision=8)",
        "np.set_printoptions(precision=3)",
        "import decimal\nassert decimal.getcontext().prec == 28\n"
        "assert str(np.array([1.2345])) == '[1.2345]'",
    ),
    Topic(
        "magic-of-theirs",
        "from IPython.core.magic import register_line_magic\n@register_line_magic\n"
        "def shout(line):\n    return line.upper()",
        "def shout(line):\n    return line.upper()",
        "said = %shout abc\nassert said == 'ABC'",
    ),
    Topic("value-before", "41 + 1", "40", "assert _ == 42"),
    Topic(
        "folder-gone-back-to",
        "%pushd /tmp\nwas_in = %pwd\n%popd",
        "was_in = '/'",
        "import os\nassert was_in == '/tmp' and os.path.exists('data.csv')",
    ),
    Topic(
        "text-of-cells",
        "squares_in_one = [n * n for n in range(3)]",
        "squares_in_one = [0, 1, 4]",
        "assert 'for n in' in In[-2]\nassert squares_in_one == [0, 1, 4]",
    ),
    Topic(
        "syntax-of-a-function",
        "def summed_up(xs):\n    return xs[0] + summed_up(xs[1:]) if xs else 0",
        "def summed_up(xs):\n    found = 0\n    for x in xs:\n        found += x\n    return found",
        "import ast, inspect\ntree = ast.parse(inspect.getsource(summed_up))\n"
        "assert not any(isinstance(each, ast.For | ast.While) for each in ast.walk(tree))\n"
        "assert summed_up([1, 2]) == 3",
    ),
    Topic(
        "names-in-code",
        "def largest(xs):\n    return max(xs)",
        "def largest(xs):\n    return sorted(xs)[-1]",
        "assert 'max' in largest.__code__.co_names",
    ),
    Topic(
        "doctests",
        "def trebled(n):\n    '''Three times.\n\n    >>> trebled(2)\n    6\n    '''\n"
        "    return 3 * n",
        "def trebled(n):\n    '''Three times.\n\n    >>> trebled(2)\n    5\n    '''\n"
        "    return 3 * n",
        "import doctest\nrunner = doctest.DocTestRunner(verbose=False)\n"
        "for each in doctest.DocTestFinder().find(trebled, globs=globals()):\n"
        "    runner.run(each, out=lambda _: None)\n"
        "assert (runner.failures, runner.tries) == (0, 1)",
    ),
    Topic(
        "hashed",
        "answer_in_words = 'forty-two'",
        "answer_in_words = 'fortytwo'",
        "from hashlib import sha1\nassert sha1(answer_in_words.encode()).hexdigest() == "
        "'1866a538f0ed9254606e5dec32adacb921f3724b'",
    ),
    Topic(
        "abstract",
        "from abc import ABC, abstractmethod\nclass Figure(ABC):\n    @abstractmethod\n"
        "    def area(self):\n        ...\nclass Square(Figure):\n    def area(self):\n"
        "        return 4",
        "class Figure:\n    pass\nclass Square(Figure):\n    def area(self):\n        return 4",
        "try:\n    Figure()\nexcept TypeError:\n    assert Square().area() == 4\nelse:\n"
        "    raise AssertionError('not abstract')",
    ),
    Topic(
        "logged",
        "import logging\ndef logs(n):\n    logging.getLogger('mine').warning('saw %d', n)",
        "def logs(n):\n    pass",
        "import unittest\nwith unittest.TestCase().assertLogs('mine', 'WARNING') as seen:\n"
        "    logs(3)\nassert seen.output == ['WARNING:mine:saw 3']",
    ),
    Topic(
        "alarm",
        "def soon():\n    return 1",
        "import time\ndef soon():\n    while True:\n        time.sleep(1)",
        "import signal\ndef stop(*_):\n    raise TimeoutError\n"
        "_before = signal.signal(signal.SIGALRM, stop)\nsignal.alarm(2)\ntry:\n"
        "    assert soon() == 1\nfinally:\n    signal.alarm(0)\n"
        "    signal.signal(signal.SIGALRM, _before)",
    ),
    Topic(
        "interrupts",
        "def untroubled():\n    return 1",
        "def untroubled():\n    raise KeyboardInterrupt",
        "assert untroubled() == 1",
    ),
    Topic(
        "program",
        "%%writefile program.py\nimport sys\nprint(2 * int(sys.argv[1]))",
        "%%writefile program.py\nprint('nothing')",
        "import sys\nsaid = !\"{sys.executable}\" program.py 21\nassert said == ['42']",
    ),
    Topic(
        "database",
        "import sqlite3\nbase = sqlite3.connect('mine.db')\nbase.execute('create table t (a)')\n"
        "base.execute('insert into t values (7)')\nbase.commit()",
        "import sqlite3\nbase = sqlite3.connect(':memory:')",
        "import sqlite3\n"
        "assert sqlite3.connect('mine.db').execute('select a from t').fetchall() == [(7,)]",
    ),
    Topic(
        "added-to-later",
        "class Grown:\n    def one(self):\n        return 1\nclass Grown(Grown):\n"
        "    def two(self):\n        return 2 * self.one()",
        "class Grown:\n    def one(self):\n        return 1",
        "assert Grown().two() == 2",
    ),
    Topic(
        "credit-in-parts",
        "def near():\n    return 1\ndef far():\n    return 2",
        "def near():\n    return 1\ndef far():\n    return 0",
        "parts = {0.25: near() == 1, 0.75: far() == 2}\nsum(n for n, ok in parts.items() if ok)",
    ),
    Topic(
        "failure-kept-back",
        "def shows_why():\n    return 1",
        "def shows_why():\n    return 0\n"
        "get_ipython().set_custom_exc((AssertionError,), lambda *_, **__: None)",
        "assert shows_why() == 1",
    ),
    Topic(
        "failure-taken-away",
        "get_ipython().set_custom_exc((), None)\ndef stays():\n    return 1",
        "get_ipython().set_custom_exc((), None)\ndef stays():\n    return 0\n"
        "from IPython.display import clear_output\n"
        "_clears = lambda result: clear_output()\n"
        "get_ipython().events.register('post_run_cell', _clears)",
        "assert stays() == 1",
    ),
    Topic(
        "failures-are-back",
        "def back():\n    return 1",
        "get_ipython().events.unregister('post_run_cell', _clears)\ndef back():\n    return 0",
        "assert back() == 1",
    ),
    Topic(
        "credit-behind-all-that-is-shown",
        "def shows_much():\n    for n in range(1001):\n        display(n)\n    return 1",
        "def shows_much():\n    for n in range(1001):\n        display(n)\n    return 0",
        "shows_much()",
    ),
    Topic(
        "credit-printed-and-shown",
        "def shown_credit():\n    return 2",
        "def shown_credit():\n    return 1",
        "display('of 2')\nprint(0)\nshown_credit()",
        points=2,
    ),
]
# What a notebook leaves for the one that is run after it, and what that one finds.
LEFT = [
    Topic(
        "leaves-data",
        "with open('left.csv', 'w') as file:\n    file.write('5,6')",
        "with open('left.csv', 'w') as file:\n    file.write('5,7')",
        "assert open('left.csv').read() == '5,6'",
    ),
    Topic(
        "leaves-a-module",
        "%%writefile left_module.py\nANSWER = 42",
        "%%writefile left_module.py\nANSWER = 41",
        "import left_module\nassert left_module.ANSWER == 42",
    ),
    Topic(
        "leaves-a-pickle",
        "import pickle\nwith open('left.pickle', 'wb') as file:\n"
        "    pickle.dump(np.arange(3), file)",
        "pass",
        "import os\nassert os.path.getsize('left.pickle')",
    ),
    Topic(
        "leaves-a-folder",
        "from pathlib import Path\nPath('left/deep/er').mkdir(parents=True)\n"
        "Path('left/deep/er/a é.txt').write_text('deep')\n"
        "Path('left/link').symlink_to('deep/er')\nPath('left/absolute').symlink_to(Path('left/run').resolve())\n"
        "Path('left/same.txt').hardlink_to('left/deep/er/a é.txt')\n"
        "Path('left/empty.txt').touch()\nPath('left/empty.txt').chmod(0o444)\n"
        "Path('left/run').write_text('#!/bin/sh\\necho ran')\nPath('left/run').chmod(0o755)",
        "from pathlib import Path\nPath('left').mkdir()",
        "assert Path('left/link/a é.txt').read_text() == 'deep'",
    ),
    Topic(
        "leaves-what-waits-in-files",
        "left_open = open('open.txt', 'w')\nleft_open.write('not closed')\n"
        "import atexit\natexit.register(Path('at-exit.txt').absolute().write_text, 'left last')",
        "pass",
        "import os\nassert os.path.getsize('open.txt') == 0",
    ),
    Topic(
        "leaves-by-other-ways",
        "left_stored = 'stored'\n%store left_stored\nPath('/tmp/left-here').write_text('here')",
        "left_stored = Path('/tmp/left-here').write_text('there')",
        "assert left_stored == 'stored'",
    ),
    Topic(
        "leaves-half-a-transaction",
        "base.execute('insert into t values (8)')",
        "1 / 0",
        "assert base.in_transaction",
    ),
    Topic(
        "leaves-other-files-of-the-course",
        "Path('helper.py').write_text('ADDED = 9')\nPath('tell.sh').unlink()",
        "1 / 0",
        "import os\nassert not os.path.exists('tell.sh')",
    ),
    Topic(
        "leaves-by-way-of-its-folder",
        "import os\nPath('../styles/by-name.txt').write_text('its name')\n"
        "Path('../above.txt').write_text('above')\nos.chdir('left')\n"
        "Path('moved.txt').write_text('moved')",
        "1 / 0",
        "import os\nassert os.path.basename(os.getcwd()) == 'left'",
    ),
]
FOUND = [
    Topic("finds-data", "left = open('left.csv').read()", "left = ''", "assert left == '5,6'"),
    Topic(
        "finds-a-module",
        "from left_module import ANSWER",
        "from left_module import ANSWER",
        "assert ANSWER == 42",
    ),
    Topic(
        "finds-a-pickle",
        "import pickle\nleft_array = pickle.load(open('left.pickle', 'rb'))",
        "left_array = []",
        "assert list(left_array) == [0, 1, 2]",
    ),
    Topic(
        "finds-a-folder",
        "import os\nfrom pathlib import Path\n"
        "left_mode = oct(os.stat('left/empty.txt').st_mode & 0o777)\n"
        "left_said = !left/run\nleft_names = sorted(os.listdir('left'))",
        "import os\nfrom pathlib import Path\nleft_mode, left_said = '0o644', []",
        "assert Path('left/link/a é.txt').read_text() == 'deep'\n"
        "assert os.readlink('left/absolute') == os.path.realpath('left/run')\n"
        "assert os.path.samefile('left/same.txt', 'left/deep/er/a é.txt')\n"
        "assert (left_mode, left_said) == ('0o444', ['ran'])\n"
        "assert left_names == ['absolute', 'deep', 'empty.txt', 'link', 'moved.txt', 'run', "
        "'same.txt']",
    ),
    Topic(
        "finds-what-waited-in-files",
        "left_open = open('open.txt').read() + Path('at-exit.txt').read_text()",
        "left_open = ''",
        "assert left_open == 'not closed' 'left last'",
    ),
    Topic(
        "finds-by-other-ways",
        "%store -r left_stored\nleft_here = open('/tmp/left-here').read()",
        "left_stored = left_here = ''",
        "assert (left_stored, left_here) == ('stored', 'here')",
    ),
    Topic(
        "finds-no-half-a-transaction",
        "import sqlite3\nbase = sqlite3.connect('mine.db')",
        "import sqlite3\nbase = sqlite3.connect(':memory:')",
        "assert base.execute('select a from t').fetchall() == [(7,)]",
    ),
    Topic(
        "finds-other-files-of-the-course",
        "from helper import ADDED",
        "ADDED = 1",
        "assert ADDED == 9\nassert not os.path.exists('tell.sh')",
    ),
    Topic(
        "finds-by-way-of-its-folder",
        "left_above = open('../above.txt').read()",
        "left_above = ''",
        "assert left_above == 'above'\nassert open('by-name.txt').read() == 'its name'\n"
        "assert os.path.basename(os.getcwd()) == 'styles'",
    ),
    Topic(
        "there-and-back",
        "%cd ..\n%cd -",
        "%cd ..",
        "assert os.path.exists('data.csv')\n%less data.csv\n%subshell\n%cd -\n%cd -",
    ),
    Topic("pages", "_paged = 'data.csv'", "_paged = 'nowhere'", "%more {_paged}"),
    # The last, for nothing else can be written afterwards.
    Topic("no-streams", "_talks = 1", "import sys\nsys.stdout.close()", "print('said')"),
    Topic("value-without-streams", "_left = 1", "_left = 0.5", "_left"),
]
# Few notebooks: stock nbgrader starts a kernel for each of everybody.
STYLES = {"plain": [*PLAIN, *SHELL, *FOUND], "judged": [*JUDGED, *FILES_AND_FIGURES, *READ, *LEFT]}
TOPICS = [topic for topics in STYLES.values() for topic in topics]
HELPER = "def plus_one(n):\n    return n + 1\n"
PROGRAM = "#!/bin/sh\necho told\n"
