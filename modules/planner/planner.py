"""The planner for models: it holds a conversation in which the model writes programs."""

import asyncio

from map_tools.facts import PictureFact
from mapagent.core.answer import Answer
from mapagent.core.ports import Run
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatModel
from mapagent.llm.open import open_model
from mapagent.runtime.config import Settings
from modules.planner.setting import PlannerSetting
from modules.planner.talk import Talk
from modules.planner.told import PACKAGE, question_text
from modules.visual_place_recognizer.picture import shown_image

LOOK = "answer(picture.text)"
"""The program that reads the picture, so that its labels can be told with the question."""
MAP_TOOLS = ", or look things up with the map tools"


class ModelPlanner:
    """Answers with a language model (`mapagent.core.ports.Planner`).

    Args:
        model: The model.
        setting: How conversations are held.
    """

    name = "llm"

    def __init__(self, model: ChatModel, setting: PlannerSetting | None = None) -> None:
        self._model = model
        self._setting = setting or PlannerSetting()

    @classmethod
    def from_settings(cls, settings: Settings) -> "ModelPlanner":
        """The planner of the settings' model (`mapagent.core.ports.PlannerFactory`).

        Raises:
            ConfigError: A key is missing, or the planner's settings are wrong.
        """
        return cls(open_model(settings), PlannerSetting.of(settings))

    async def answer(self, run: Run) -> Answer:
        """Answers by a conversation.

        Raises:
            LimitError: A budget is spent.
            ModelError: The model cannot be reached, or the server refuses.
        """
        labels = await self._labels(run)
        talk = Talk(self._model, run, self._setting, await self._opening(run, labels), labels)
        return await talk.answer()

    async def close(self) -> None:
        """Frees the model's connections."""
        await self._model.close()

    async def _labels(self, run: Run) -> PictureFact | None:
        """What can be read in the question's picture."""
        if run.question.image is None:
            return None
        seen = await run.execute(LOOK)
        return next((item.value for item in seen.evidence if isinstance(item.value, PictureFact)), None)

    async def _opening(self, run: Run, labels: PictureFact | None) -> tuple[ChatMessage, ...]:
        """The fixed part, the same for all questions with or without a picture, and the question."""
        prompts, image = run.settings.prompts, run.question.image
        images = (await asyncio.to_thread(shown_image, image),) if image is not None else ()
        return (
            self._rules(run, picture=image is not None),
            ChatMessage(role="user", text=question_text(run, labels, prompts), images=images),
        )

    def _rules(self, run: Run, *, picture: bool) -> ChatMessage:
        """The fixed part."""
        prompts, setting = run.settings.prompts, self._setting
        if setting.tools == "map":
            rules = load_prompt(PACKAGE, "system_tools", prompts)
            text = rules.fill(rounds=str(setting.rounds))
        else:
            rules = load_prompt(PACKAGE, "system", prompts)
            card = run.describe(picture=picture, examples=setting.examples)
            tools = MAP_TOOLS if setting.tools == "both" else ""
            text = rules.fill(card=card, tools=tools, rounds=str(setting.rounds))
        return ChatMessage(role="system", text=text, prompt=rules.mark)
