"""The same application on the phone itself: Python in the browser, over a journal on the phone's disk."""
