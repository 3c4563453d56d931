"""How many examples a test looks at, as a share of the profile's (`tests/conftest.py`)."""

from hypothesis import HealthCheck, settings


def effort(share: float = 1.0) -> settings:
    """Settings with this share of the profile's examples, for examples that take long.

    Fixtures may be those of a whole test: a test that uses one must leave nothing behind in it.
    """
    examples = max(1, round(settings.default.max_examples * share))
    return settings(
        max_examples=examples,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
        ],
    )
