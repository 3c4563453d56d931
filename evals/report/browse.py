"""The browsable list of a page: each question with plan, calls, evidence and answer, if traces were kept."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from evals.errors.stages import stage_of
from evals.report.runs import FinishedRun
from evals.runner.folder import read_trace
from evals.runner.records import Record
from mapagent.question import LETTERS

MAX_EVIDENCE = 40
MAX_CHARS = 400


def browse(run: FinishedRun) -> str:
    """A list of `<details>`; wrong answers first, as they are what one looks for."""
    ordered = sorted(run.records, key=lambda record: record.correct)
    return "\n".join(_question(run, record) for record in ordered)


def _question(run: FinishedRun, record: Record) -> str:
    trace = read_trace(run.path, record.id)
    verdict = "right" if record.correct else "wrong"
    stage = "" if record.correct else stage_of(record, trace).value
    head = " · ".join(filter(None, (record.id, record.category, record.status, record.error, stage)))
    body = "".join(_body(trace)) if trace else "<p>No trace was kept.</p>"
    mark = "✓" if record.correct else "✗"
    return (
        f'<details class="question {verdict}">'
        f'<summary><span class="{verdict}" title="{verdict}">{mark}</span> '
        f"{escape(head)}</summary>{body}</details>"
    )


def _body(trace: Mapping[str, Any]) -> Iterator[str]:
    answer = trace.get("answer") or {}
    yield f"<p><strong>{_cut(trace.get('question', ''))}</strong></p>"
    yield _options(trace, answer)
    if trace.get("error"):
        yield f"<p>Error: {_cut(trace['error']['message'])}</p>"
    if answer:
        told = answer.get("text") or answer.get("reason") or ""
        head = f"Answer ({answer['status']}, confidence {answer['confidence']:.2f})"
        yield f"<p>{escape(head)}: {_cut(told)}</p>"
        yield _paragraph(answer.get("explanation", ""))
        yield _list(
            "Plan", [f"{step['id']}: {step['subgoal']} [{step['module']}]" for step in answer["plan"]]
        )
    yield _list("Calls", list(_calls(trace.get("spans", ()))))
    if answer:
        yield _list("Evidence", _evidence(answer["evidence"]))


def _options(trace: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    chosen, gold = answer.get("option_index"), trace.get("gold")
    rows = []
    for index, text in enumerate(trace.get("options", ())):
        notes = [note for note, there in (("chosen", index == chosen), ("right", index == gold)) if there]
        rows.append(f"<li>{LETTERS[index]}. {_cut(text)}{_marks(notes)}</li>")
    if not trace.get("answerable", True):
        rows.append(f"<li>Unanswerable{_marks(['right'])}</li>")
    return f'<ul class="options">{"".join(rows)}</ul>' if rows else ""


def _marks(notes: Sequence[str]) -> str:
    return "".join(f" <em>({note})</em>" for note in notes)


def _calls(spans: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for span in spans:
        attributes = span["attributes"]
        took_ms = ((span["end_s"] or span["start_s"]) - span["start_s"]) * 1000
        if span["name"] == "tool":
            words = ", ".join(f"{key}={value}" for key, value in attributes.get("arguments", {}).items())
            call = f"{attributes.get('tool', '')}({words})"
            yield f"{call}: {attributes.get('facts', 0)} facts, {took_ms:.1f} ms"
        elif span["name"] == "model":
            yield f"model {attributes.get('label', '')}: {took_ms:.0f} ms"


def _evidence(items: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [f"{item['id']} [{item['tool']}] {item['fact']}" for item in items[:MAX_EVIDENCE]]
    left = len(items) - len(lines)
    return [*lines, f"… and {left} more"] if left else lines


def _list(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return f"<h4>{title}</h4><ul>{''.join(f'<li>{_cut(line)}</li>' for line in lines)}</ul>"


def _paragraph(text: str) -> str:
    return f"<p>{_cut(text)}</p>" if text else ""


def _cut(text: Any) -> str:
    words = str(text)
    return escape(words if len(words) <= MAX_CHARS else f"{words[:MAX_CHARS]}…")
