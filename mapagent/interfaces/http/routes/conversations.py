"""`DELETE /api/conversations/{id}`."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path

from map_tools.errors import UnknownConversationError
from mapagent.interfaces.conversations import ID
from mapagent.interfaces.http.errors import Refusal
from mapagent.interfaces.http.schemas import ErrorRecord
from mapagent.interfaces.http.service import Service, service_of

FAILURES: dict[int | str, dict[str, Any]] = {status: {"model": ErrorRecord} for status in (401, 404, 422)}

router = APIRouter(prefix="/api", tags=["conversations"], responses=FAILURES)


@router.delete("/conversations/{conversation}", status_code=204)
async def forget(
    conversation: Annotated[str, Path(pattern=ID, description="The `conversation` of an answer.")],
    service: Annotated[Service, Depends(service_of)],
) -> None:
    """Deletes a conversation for good. The history has its questions still, one by one."""
    try:
        await service.conversations.forget(conversation)
    except UnknownConversationError as error:
        raise Refusal(404, error.message) from error
