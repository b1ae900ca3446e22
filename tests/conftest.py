"""What all tests share."""

from hypothesis import HealthCheck, settings

# The same examples every time: a run that fails, fails again. `tests/differential.py` looks
# for new ones.
settings.register_profile(
    "stridekit",
    derandomize=True,
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stridekit")
