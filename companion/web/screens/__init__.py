"""What each template receives: typed objects. No request, no session and no view is imported here."""
