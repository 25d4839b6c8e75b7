import pytest

# A failing assertion in these is told as fully as one in a test.
pytest.register_assert_rewrite("tests.web.api_calls", "tests.web.fuzzing.arena")
