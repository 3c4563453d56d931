"""Why a wish cannot be served."""

from mapagent.answer import Status


class CannotTellError(Exception):
    """The map does not tell; carries the status and the reason that the asker is given."""

    def __init__(self, reason: str, status: Status = Status.UNANSWERABLE) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
