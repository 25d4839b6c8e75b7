import pytest

# Let pytest explain a failing assertion in these modules as fully as one in a test.
pytest.register_assert_rewrite("tests.web.api_calls", "tests.web.fuzzing.arena")
