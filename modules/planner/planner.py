"""The planner for models: a conversation about one question, in which the model writes programs.

A clean result is the answer at once. A refusal, a warning, a part without an answer or a result other than the
model's own reading is always shown to the model first, and the model decides.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field, ValidationError

from map_tools.errors import ConfigError, ProgramError
from map_tools.facts import PictureFact
from map_tools.tools import TOOLS
from map_tools.types import Frozen
from mapagent.core.answer import Answer, Evidence, Status, Step
from mapagent.core.ports import Run, ToolCall
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatModel, ChatReply, ToolUse
from mapagent.llm.open import open_model
from mapagent.runtime.config import Settings
from modules.planner.finishing import AGREED, COMPUTED, Known, agree, doubt_of, finished, objection_to
from modules.planner.pictured import LOOK, Shown, is_blank, tells
from modules.planner.prompting import (
    FINISH,
    PACKAGE,
    RUN_QUERY,
    Finish,
    Query,
    data,
    evidence_lines,
    question_text,
    tool_cards,
)
from modules.query.answering import PICTURE
from modules.visual_place_recognizer.observing import Picture
from modules.visual_place_recognizer.picture import shown_image

NAME = "planner"
MAP_TOOLS = ", or look things up with the map tools"
TOOL_STEP = Step(id="look", subgoal="look something up", module="map_service")
LOOKED = 20
"""Members of a list that a look-up shows, since the model has to choose from them itself."""
MAX_TOKENS = 1_500
"""Longest reply in tokens: a program of 30 lines, or several, with a few words around them."""


class ModelPlanner:
    """Answers with a language model (`mapagent.core.ports.Planner`).

    Args:
        model: The model.
        setting: How conversations are held.
    """

    name = "llm"

    def __init__(self, model: ChatModel, setting: "PlannerSetting | None" = None) -> None:
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
        picture = await self._picture(run)
        shown = None
        if picture is not None and not is_blank(picture) and not (run.own_names and run.provider):
            shown = Shown(run, picture)
        labels = picture.fact if picture is not None else None
        talk = Talk(self._model, run, self._setting, await self._opening(run, labels), labels, shown)
        return await talk.answer()

    async def close(self) -> None:
        """Frees the model's connections."""
        await self._model.close()

    async def _picture(self, run: Run) -> Picture | None:
        """The question's picture, as it was read; None if it has none, or it cannot be read."""
        if run.question.image is None:
            return None
        await run.execute(LOOK)
        picture: Picture | None = run.kept.get(PICTURE)
        return picture

    async def _opening(self, run: Run, labels: PictureFact | None) -> tuple[ChatMessage, ...]:
        """The fixed instructions (one version with a picture, one without) and the question."""
        prompts, image = run.settings.prompts, run.question.image
        images = (await asyncio.to_thread(shown_image, image),) if image is not None else ()
        return (
            self._rules(run, picture=image is not None),
            ChatMessage(role="user", text=question_text(run, labels, prompts), images=images),
        )

    def _rules(self, run: Run, *, picture: bool) -> ChatMessage:
        """The fixed instructions."""
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


class PlannerSetting(Frozen):
    """The section `[modules.planner]` of the configuration.

    Attributes:
        rounds: Maximum number of turns of a conversation.
        repairs: Further turns to repair programs that cannot be run and replies that call nothing.
        tools: Whether the model writes programs, calls the map tools one by one, or may do both.
        final_look: Whether doubtful results are shown to the model before they become the answer.
        examples: Worked examples that the model is shown.
        room_tokens: Tokens that the evidence of one result may take.
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


@dataclass
class Talk:
    """A conversation.

    Attributes:
        model: The model.
        run: The question's run.
        setting: Its section of the configuration.
        opening: The fixed instructions and the question, with its picture.
        labels: What was read in the picture.
        shown: What the picture shows, of which programs ask before the map.
    """

    model: ChatModel
    run: Run
    setting: PlannerSetting
    opening: tuple[ChatMessage, ...]
    labels: PictureFact | None = None
    shown: Shown | None = None
    results: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._said: list[ChatMessage] = list(self.opening)
        self._looked: list[Evidence] = []
        self._objected = False
        self._last: Finish | None = None
        self._faults = 0
        self._draft = ""

    async def answer(self) -> Answer:
        """Holds the conversation and returns its answer.

        Raises:
            LimitError: A budget is spent.
            ModelError: The model cannot be reached.
        """
        for made in range(self.setting.rounds + self.setting.repairs + 2):
            last = made - min(self._faults, self.setting.repairs) >= self.setting.rounds
            if last:  # a few repairs are not counted as turns
                self._said.append(ChatMessage(role="user", text=self._prompt("last_round")))
            answer = await self._taken(await self._turn())
            if answer is not None:
                return answer
            if last:
                break
        return self._given_up()

    async def _turn(self) -> ChatReply:
        reply = await self.model.converse(
            tuple(self._said),
            tool_cards(self.setting.tools),
            request_context=self.run.request_context,
            label="planner",
            max_tokens=MAX_TOKENS,
        )
        self._said.append(ChatMessage(role="assistant", text=reply.text, calls=reply.calls))
        return reply

    async def _taken(self, reply: ChatReply) -> Answer | None:
        """Carries out the calls of a reply; its answer if it ends the question, None to go on."""
        if not reply.calls:
            self._faults += 1
            self._said.append(ChatMessage(role="user", text=reply.problem or self._prompt("say_so")))
            return None
        programs = self.setting.tools != "map"
        calls = dict(enumerate(reply.calls))  # by their places: a model may give two of them one id
        queries = [at for at, use in calls.items() if use.name == RUN_QUERY and programs]
        finishes = [at for at, use in calls.items() if use.name == FINISH]
        others = [at for at in calls if at not in queries and at not in finishes]
        told = {at: await self._run(calls[at]) for at in queries}
        told |= dict(
            zip(others, await asyncio.gather(*(self._look(calls[at]) for at in others)), strict=True)
        )
        if finishes and not queries:
            ended = self._end(calls[finishes[0]])
            if isinstance(ended, Answer):
                return ended
            told |= {finishes[0]: ended} | dict.fromkeys(finishes[1:], "Finish once.")
        elif finishes:
            told |= dict.fromkeys(finishes, "Read the results first.")
        elif len(queries) == len(calls) == 1 and (clean := self._clean() or self._refused()) is not None:
            return clean
        self._said += [ChatMessage(role="tool", text=told[at], call_id=use.id) for at, use in calls.items()]
        return None

    async def _run(self, use: ToolUse) -> str:
        """Runs a program and returns its result in words for the model."""
        try:
            query = Query.model_validate(use.arguments)
        except ValidationError:
            self._faults += 1
            return "run_query takes `program`: text."
        self._draft = query.draft.strip() or self._draft
        try:
            answer = await self._executed(_unfenced(query.program))
        except ProgramError as error:
            self._faults += 1
            return f"The program cannot be run. {error}"
        self.results.append(answer)
        return self._result(answer)

    async def _executed(self, program: str) -> Answer:
        """The answer of a program: from what the picture shows, where that tells anything, else from map or marks."""
        if self.shown is None:
            return await self.run.execute(program)
        shown = await self.shown.answer(program)
        if tells(shown):
            return shown
        answer = await self.run.execute(program)
        refused = self.run.provider is not None and shown.status is not Status.ANSWERED
        return answer if refused or answer.status is Status.ANSWERED else shown

    def _result(self, answer: Answer) -> str:
        """A result as the model reads it."""
        number = len(self.results)
        lines = [f"Result {number}: {_outcome(answer)}"]
        lines += [
            f"{name}: {part.text}" + ("" if part.known else " (not known)")
            for name, part in answer.parts.items()
        ]
        lines += [f"Understood: {answer.understood}"]
        lines += [f"Note: {warning}" for warning in answer.warnings]
        evidence = evidence_lines(answer.evidence, self._important(answer), self.setting.room_tokens)
        lines += ["Evidence:", evidence] if evidence else []
        if self._draft and not agree(self._draft, answer, self.run.question):
            lines.append(f"Your draft “{data(self._draft)}” is not what was computed: decide.")
        return "\n".join(lines)

    def _important(self, answer: Answer) -> Sequence[str]:
        """Words whose lines are never cut: options, what the answer names."""
        return (
            *(text for _, text in self.run.question.live_options()),
            *(place.name for place in answer.places),
        )

    async def _look(self, use: ToolUse) -> str:
        """Calls a map tool and returns its result in words for the model."""
        if use.name not in TOOLS or self.setting.tools == "programs":
            return f"There is no tool {data(use.name)}."
        found = await self.run.call_tool(TOOL_STEP, ToolCall(tool=use.name, arguments=use.arguments))
        self._looked += found
        return evidence_lines(found, (), self.setting.room_tokens, listed=LOOKED) or "Nothing was found."

    def _clean(self) -> Answer | None:
        """The last result, if nothing about it is left to decide."""
        if not self.results:
            return None
        answer = self.results[-1]
        own = self._draft and agree(self._draft, answer, self.run.question)
        whole = answer.status is Status.ANSWERED and (bool(own) or not answer.warnings)
        whole = whole and all(part.known for part in answer.parts.values())
        needs_own = self.run.question.context is not None or self.run.question.image is not None
        if self.setting.final_look and (not whole or (needs_own and not own) or (self._draft and not own)):
            return None
        return self._sure(answer, AGREED if own else COMPUTED)

    def _refused(self) -> Answer | None:
        """The last result, if its program does nothing but refuse: the model has decided."""
        if not self.results or any(one.status is Status.ANSWERED for one in self.results) or self._draft:
            return None
        return self.results[-1] if self.results[-1].program.startswith("unanswerable(") else None

    def _end(self, use: ToolUse) -> Answer | str:
        """The answer of a finish, or the objection to it if that was not raised before."""
        try:
            finish = Finish.model_validate(use.arguments)
        except ValidationError as error:
            self._faults += 1
            return f"finish takes outcome, answer, evidence, reason: {error.errors()[0]['msg']}."
        self._last = finish
        known = self._known()
        objection = objection_to(finish, known) or doubt_of(finish, known)
        if objection and not self._objected:
            self._objected = True
            return self._prompt("objection", objection=objection)
        return self._finished(finish)

    def _finished(self, finish: Finish) -> Answer:
        answer = finished(finish, self._known())
        if finish.outcome != "computed" or answer.status is not Status.ANSWERED:
            return answer
        return self._sure(answer, COMPUTED)

    def _given_up(self) -> Answer:
        """The answer if the model did not end: its last finish, else the last result that is an answer."""
        if self._last is not None:
            return self._finished(self._last)
        answered = [one for one in self.results if one.status is Status.ANSWERED]
        if answered:
            return self._sure(answered[-1], COMPUTED / 2)
        if self.results:
            return self.results[-1]
        reason = "The language model wrote no program that can be run."
        return Answer(status=Status.NOT_UNDERSTOOD, text="", reason=reason)

    def _known(self) -> Known:
        evidence = {item.id: item for one in self.results for item in one.evidence}
        evidence |= {item.id: item for item in self._looked}
        read = self.labels.labels if self.labels is not None else ()
        labels = "; ".join(" ".join((one.text, *one.notes)) for one in read)
        return Known(self.run.question, self.results, tuple(evidence.values()), labels)

    def _sure(self, answer: Answer, confidence: float) -> Answer:
        return answer.model_copy(
            update={"confidence": round(min(1.0, confidence * (answer.confidence or 1.0)), 4)}
        )

    def _prompt(self, name: str, **values: str) -> str:
        return load_prompt(PACKAGE, name, self.run.settings.prompts).fill(**values)


def _outcome(answer: Answer) -> str:
    """How a program ended, in words."""
    if answer.status is Status.ANSWERED:
        option = f" (option {answer.option})" if answer.option else ""
        detail = f" [{answer.explanation}]" if answer.explanation else ""
        return f"{answer.text}{option}{detail}"
    return f"{answer.status.value.replace('_', ' ')}: {answer.reason}"


def _unfenced(program: str) -> str:
    """A program without the code fence that some models put around it nevertheless."""
    lines = program.strip().splitlines()
    if lines and lines[0].startswith("```"):
        lines = lines[1:]
    if lines and lines[-1].startswith("```"):
        lines = lines[:-1]
    return "\n".join(lines)
