"""A worker for tests of what becomes of questions whose worker dies."""

import os
import signal

from mapagent.llm.failures import Target, Trouble, failure

WITHOUT_MODEL = -2
"""The question for which there is no model server."""


class Fragile:
    """Answers with its question, and dies of one of them."""

    def __init__(self, deadly: int) -> None:
        self._deadly = deadly

    async def ask(self, number: int) -> int:
        """Answers with the number; dies of the deadly one, and raises for negative ones.

        Raises:
            ServerError: For `WITHOUT_MODEL`.
            LookupError: For other negative numbers.
        """
        if number == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == WITHOUT_MODEL:
            raise failure(Trouble.UNREACHABLE, Target("http://127.0.0.1:1/v1", "small"))
        if number < 0:
            raise LookupError(number)
        return number

    async def close(self) -> None:
        """Has nothing to close."""
