"""The schema's steps, one file each in `versions/`; a released one is never changed again."""
