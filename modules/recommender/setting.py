"""The settings of the recommender: the section `[modules.recommender]` of a configuration file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from map_tools.embed.open import REMOTE, EmbedSetting, open_embedder
from map_tools.embed.port import Embedder
from map_tools.errors import ConfigError
from map_tools.types import Frozen
from mapagent.config import load_settings
from modules.recommender.vectors import FOLDER


class RecommenderSetting(Frozen):
    """What can be set.

    Attributes:
        embed: The embedding model of descriptions and wishes.
        places: How many places to name.
        vectors: Where vectors of maps are kept; None: the folder `vectors` of the data home that the
            environment gives.
    """

    embed: EmbedSetting = EmbedSetting()
    places: Annotated[int, Field(ge=1, le=20)] = 3
    vectors: Path | None = None

    @classmethod
    def read(cls, section: Mapping[str, Any]) -> "RecommenderSetting":
        """The settings of a section.

        Raises:
            ConfigError: One of them is unknown or wrong.
        """
        try:
            return cls.model_validate(section)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ConfigError(
                f"'{where}' in [modules.recommender] is wrong: {first['msg']}.", "See docs/recommender.md."
            ) from error

    def embedder(self) -> Embedder:
        """The embedder that is set; the key of a service comes from the environment where none is given.

        Raises:
            ConfigError: There is no such embedder, or it is not installed.
        """
        setting = self.embed
        if setting.model.startswith(REMOTE) and not setting.api_key.get_secret_value():
            key = load_settings().settings.api_key
            setting = setting if key is None else setting.model_copy(update={"api_key": key})
        return open_embedder(setting)

    def vectors_folder(self, data_home: Path | None = None) -> Path:
        """Where vectors are kept: as set, else below a data home (None: the environment's)."""
        if self.vectors is not None:
            return self.vectors
        return (data_home or load_settings().settings.data_home) / FOLDER
