"""What the pages of a table say, compared with its state. See `tests/web/test_evening_truth.py`."""
