"""What can be set of the planner for models."""

from typing import Literal

from pydantic import Field, ValidationError

from map_tools.errors import ConfigError
from map_tools.types import Frozen
from mapagent.runtime.config import Settings

NAME = "planner"


class PlannerSetting(Frozen):
    """The section `[modules.planner]` of the configuration.

    Attributes:
        rounds: Turns of a conversation.
        repairs: Programs that cannot be run, and replies that call nothing, are mended so often beyond that.
        tools: Whether the model writes programs, calls the map tools one by one, or may do both.
        final_look: Whether doubtful results are shown to the model before they leave.
        examples: Worked examples that the model is shown.
        room_tokens: What the evidence of one result may take.
    """

    rounds: int = Field(default=3, ge=1, le=12)
    repairs: int = Field(default=2, ge=0, le=6)
    tools: Literal["programs", "map", "both"] = "both"
    final_look: bool = True
    examples: int = Field(default=12, ge=0, le=50)
    room_tokens: int = Field(default=1_500, ge=100)

    @classmethod
    def of(cls, settings: Settings) -> "PlannerSetting":
        """The planner's part of the settings.

        Raises:
            ConfigError: It is wrong.
        """
        try:
            return cls.model_validate(settings.modules.get(NAME, {}))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ConfigError(f"[modules.{NAME}], '{where}': {first['msg']}.") from error
