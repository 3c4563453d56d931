"""The Recommender module: Spatial-RAG over the map tools, asked by the operator `recommend` of programs."""

import weakref
from typing import Any

from map_tools.errors import ModelError, UnsupportedError
from mapagent.core.answer import Evidence, Step
from mapagent.core.ports import RequestContext, Run
from mapagent.runtime.config import Settings
from modules.query.interpreter.context import ModuleRequest
from modules.query.operators.recommend import MODULE, RANK
from modules.recommender.model import WishModel, read_with
from modules.recommender.retrieve import CannotTellError, Reach
from modules.recommender.setting import RecommenderSetting
from modules.recommender.understand import RecommendationQuery, read_wish
from modules.recommender.work import Work

_NO_WISH = "The wish names no kind of place."
_NO_WISH_MEND = 'Name one: recommend("a quiet cafe", near="Central Station").'


class Recommender:
    """Ranks places by how well they lie and are as somebody wishes.

    Args:
        setting: What can be set.
        model: A language model, for wishes in other words than the vocabularies', and for the order.
    """

    name = MODULE
    description = (
        "Recommends places for a wish with matters of taste (cosy, romantic, quiet) near a point, along a "
        "way or in a region, weighing where a place lies against what it is like."
    )

    def __init__(self, setting: RecommenderSetting | None = None, model: WishModel | None = None) -> None:
        self._setting = setting or RecommenderSetting()
        self._model = model
        self._begun: dict[int, tuple[weakref.ref[RequestContext], dict[tuple[Any, ...], Work]]] = {}

    @classmethod
    def from_settings(cls, settings: Settings) -> "Recommender":
        """The module as configured (`mapagent.core.ports.ModuleFactory`).

        Raises:
            ConfigError: The section `[modules.recommender]` is wrong.
        """
        setting = RecommenderSetting.of(settings)
        return cls(setting, WishModel.from_settings(settings, setting.model))

    async def fetch(self, request: ModuleRequest, step: Step, run: Run) -> tuple[Evidence, ...]:
        """The places that lie as wished, or those of them that the request names in their order.

        The list is the last of the evidence; where there is none, the failure that says why.

        Raises:
            UnsupportedError: There is no map, or the words are no wish.
            ConfigError: The embedding or the language model cannot be used.
            ModelError: The language model is needed to read the wish, and cannot.
            ProviderError: A service that computes vectors failed.
        """
        asked = {name: value for name, value in request.arguments if name not in {"kept", "factor"}}
        works = self._works(run.request_context)
        key = tuple(asked.items())
        if key not in works:
            works[key] = await self._begin(asked, step, run)
        work = works[key]
        try:
            if request.name == RANK:
                return await work.ranked(request.argument("kept"))
            return await work.lying(request.argument("factor"))
        except CannotTellError as error:
            return work.failed(error.failure)

    async def close(self) -> None:
        """Frees the language model's connections."""
        if self._model is not None:
            await self._model.close()

    def _works(self, request_context: RequestContext) -> dict[tuple[Any, ...], Work]:
        """The wishes of a question that are worked at, by what was asked; forgotten with the question."""
        key = id(request_context)
        kept = self._begun.get(key)
        if kept is None or kept[0]() is not request_context:
            kept = (weakref.ref(request_context, lambda _: self._begun.pop(key, None)), {})
            self._begun[key] = kept
        return kept[1]

    async def _begin(self, asked: dict[str, Any], step: Step, run: Run) -> Work:
        if run.provider is None:
            raise UnsupportedError("There is no map to recommend places from.")
        wish = await self._wish(" ".join(asked["wish"].split()), run)
        if wish is None:
            raise UnsupportedError(_NO_WISH, _NO_WISH_MEND)
        given = {name: asked[name] for name in ("near", "along", "inside", "within_m")}
        return Work(
            step,
            run,
            run.provider,
            self._setting,
            wish,
            reach=Reach.of(**given, scales=wish.scales),
            bound=asked["bound"],
            model=None if "rerank" in self._setting.without else self._model,
        )

    async def _wish(self, text: str, run: Run) -> RecommendationQuery | None:
        """The wish, read by the vocabularies; by the model what they leave open."""
        wish = read_wish(text)
        told = wish is not None and not wish.untold and self._setting.reading == "auto"
        if self._model is None or told:
            return wish
        try:
            return await read_with(self._model, text, run.request_context)
        except ModelError as error:
            if wish is None:
                raise
            run.request_context.trace.event("wish.refused", reason=error.message)
            return wish
