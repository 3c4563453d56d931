"""A worker for tests of what becomes of questions whose worker dies."""

import os
import signal


class Fragile:
    """Answers with its question, and dies of one of them."""

    def __init__(self, deadly: int) -> None:
        self._deadly = deadly

    async def ask(self, number: int) -> int:
        """Answers with the number; dies of the deadly one, and raises for a negative one."""
        if number == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise LookupError(number)
        return number

    async def close(self) -> None:
        """Has nothing to close."""
