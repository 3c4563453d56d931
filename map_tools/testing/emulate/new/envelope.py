"""What all endpoints of the new generation share: errors, the compulsory field mask, strict request bodies.

Errors: https://cloud.google.com/apis/design/errors; field masks:
https://developers.google.com/maps/documentation/places/web-service/choose-fields.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from map_tools.errors import LimitError, PlaceNotFoundError, ToolError
from map_tools.testing.emulate.mask import FieldMask

type Json = dict[str, Any]

INVALID_ARGUMENT = "INVALID_ARGUMENT"
HTTP_CODES = {
    INVALID_ARGUMENT: 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
}
"""https://cloud.google.com/apis/design/errors#handling_errors"""


class RpcError(Exception):
    """Ends a request of the new generation with an error of this status."""

    def __init__(self, status: str, message: str, details: tuple[Json, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.details = details

    @property
    def code(self) -> int:
        """The HTTP status."""
        return HTTP_CODES[self.status]

    def body(self) -> Json:
        """The error as it is sent."""
        error: Json = {"code": self.code, "message": self.message, "status": self.status}
        if self.details:
            error["details"] = list(self.details)
        return {"error": error}


class Body(BaseModel):
    """A part of a request body: names in camelCase or snake_case, unknown ones refused."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


def read_body[T: Body](model: type[T], body: Any) -> T:
    """The request body as its type.

    Raises:
        RpcError: It is not of this type; the message names the first field that is wrong.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        if first["type"] == "extra_forbidden":
            text = f'Invalid JSON payload received. Unknown name "{where}": Cannot find field.'
        else:
            text = f"Invalid value at '{where}': {first['msg']}."
        raise RpcError(INVALID_ARGUMENT, text) from error


def read_mask(text: str, known: Mapping[str, frozenset[str]] | frozenset[str], *, service: str) -> FieldMask:
    """The field mask of a request.

    Args:
        text: Comma-separated paths, as header `X-Goog-FieldMask` or parameter `$fields` or `fields`.
        known: The fields a reply can have at the top, each with those below it (empty: not checked).
        service: What is named in the error.

    Raises:
        RpcError: The mask is missing, or names a field that there is not.
    """
    paths = [path.strip() for path in text.split(",")]
    if not text.strip():
        raise RpcError(
            INVALID_ARGUMENT,
            f"FieldMask is a required parameter of {service}. Set it as the header 'X-Goog-FieldMask' or as "
            "the parameter '$fields' of the address.",
        )
    mask = FieldMask.of(paths)
    fields = known if isinstance(known, Mapping) else dict.fromkeys(known, frozenset[str]())
    for name in sorted(mask.top):
        wrong = [] if name in fields else [name]
        if fields.get(name):
            wrong = [f"{name}.{below}" for below in sorted(mask.below(name) - fields[name])]
        if wrong:
            raise RpcError(
                INVALID_ARGUMENT,
                f"Error expanding 'fields' parameter. Cannot find matching fields for path '{wrong[0]}'.",
            )
    return mask


def rpc_error_of(error: ToolError | LimitError) -> RpcError:
    """A provider's error as one of the new generation."""
    if isinstance(error, PlaceNotFoundError):
        return RpcError("NOT_FOUND", error.message)
    if isinstance(error, LimitError):
        return RpcError(INVALID_ARGUMENT, str(error))
    return RpcError("INTERNAL", str(error))
