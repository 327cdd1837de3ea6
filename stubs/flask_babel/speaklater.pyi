class LazyString:
    """A text that is translated when it is shown."""

    def __str__(self) -> str: ...
