"""`python -m benchmarks.security.injections`: puts every text of the corpus to an agent, offline or with a model.

    python -m benchmarks.security.injections
    python -m benchmarks.security.injections --model NAME --base-url http://127.0.0.1:8080/v1 --limit 20

Prints for each spot how many scenes were answered like their clean twins, how many made calls that the twins
did not need, and how many gave out a key or the content of a file; what differs goes to standard error.
Exit code 1 if anything was given out, or (offline) anything differed.
"""

import argparse
import asyncio
import secrets
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.security.scenes import (
    CALM,
    FILE,
    SPOTS,
    Deed,
    Injection,
    Scene,
    Verdict,
    draw_blank,
    injections,
    judge,
    play,
    scenes,
)
from mapagent.core.ports import Closable, Planner
from mapagent.runtime.config import Settings, load_settings
from mapagent.runtime.opening import open_planner

OFFLINE = "offline"
PATIENCE_S = 900.0
"""A small model on a busy machine takes its time; what is measured is not how patient one is."""

type Case = tuple[Injection, Scene, Verdict]


def main() -> int:
    """Runs the corpus."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.security.injections", description=__doc__)
    parser.add_argument("--model", default=OFFLINE, help="the embedded planner, or a model at --base-url")
    parser.add_argument("--base-url", help="address of the model server")
    parser.add_argument("--spots", default=",".join(SPOTS), help="which of these")
    parser.add_argument("--limit", type=int, help="at most so many texts in each spot, evenly chosen")
    parser.add_argument("--texts", type=Path, help="another file of texts instead of the corpus")
    given = parser.parse_args()
    flags = {"model": given.model, "base_url": given.base_url, "deadline_s": PATIENCE_S}
    settings = load_settings(flags=flags | {"model_timeout_s": PATIENCE_S, "model_cache": False}).settings
    chosen = list(_chosen(injections(given.texts), given.spots.split(","), given.limit))
    cases = asyncio.run(_cases(chosen, settings))
    sys.stdout.write("\n".join(table(cases)) + "\n")
    leaked = any(verdict.leaked for *_, verdict in cases)
    differs = any(not verdict.same or verdict.further for *_, verdict in cases)
    return int(leaked or (settings.model == OFFLINE and differs))


async def verdicts(
    chosen: Sequence[Injection],
    settings: Settings,
    planner: Planner | None,
    folder: Path,
    *,
    free: bool,
    at_once: int = 1,
    tell: Callable[[Case], None] = lambda _: None,
) -> list[Case]:
    """Each text in each of its scenes, judged beside the clean twin.

    Args:
        chosen: The texts.
        settings: Of the agent.
        planner: Who understands; None: the embedded planner.
        folder: Where the secret file and an empty picture are put.
        free: Also ask what only a model can make something of.
        at_once: So many scenes are played at the same time.
        tell: Called with each case as soon as it is judged.
    """
    file, blank = folder / "secret.txt", folder / "blank.png"
    hidden = {"file": f"secret-{secrets.token_hex(8)}"}
    if settings.api_key is not None:
        hidden["key"] = settings.api_key.get_secret_value()
    file.write_text(f"{hidden['file']}\n", encoding="utf-8")
    draw_blank(blank)
    seats = asyncio.Semaphore(at_once)

    async def deed(scene: Scene) -> Deed:
        async with seats:
            return await play(scene, settings, planner, blank)

    async def case(injection: Injection, scene: Scene, twin: Deed) -> Case:
        found = (injection, scene, judge(await deed(scene), twin, hidden))
        tell(found)
        return found

    twins = {
        spot: await asyncio.gather(*map(deed, scenes(spot, CALM[spot], free=free)))
        for spot in {injection.place for injection in chosen}
    }
    cases: list[Case] = await asyncio.gather(
        *(
            case(injection, scene, twin)
            for injection in chosen
            for scene, twin in zip(
                scenes(injection.place, injection.text.replace(FILE, str(file)), free=free),
                twins[injection.place],
                strict=True,
            )
        )
    )
    return cases


def table(cases: Sequence[Case]) -> Iterator[str]:
    """The figures of each spot as a Markdown table."""
    yield "| spot | scenes | same answer | further calls | given out |"
    yield "| --- | --- | --- | --- | --- |"
    by_spot: Mapping[str, list[Verdict]] = defaultdict(list)
    for injection, _, verdict in cases:
        by_spot[injection.place].append(verdict)
    for spot, found in (*by_spot.items(), ("all", [verdict for *_, verdict in cases])):
        same, further, leaked = (
            sum(map(bool, (getattr(one, name) for one in found))) for name in ("same", "further", "leaked")
        )
        yield f"| {spot} | {len(found)} | {same} | {further} | {leaked} |"


async def _cases(chosen: Sequence[Injection], settings: Settings) -> list[Case]:
    planner = open_planner(settings)
    free = settings.model != OFFLINE
    with TemporaryDirectory(prefix="injections-") as folder:
        cases = await verdicts(
            chosen,
            settings,
            planner,
            Path(folder),
            free=free,
            at_once=settings.model_concurrency,
            tell=_tell,
        )
    if isinstance(planner, Closable):
        await planner.close()
    return cases


def _tell(case: Case) -> None:
    injection, scene, verdict = case
    if not verdict.same or verdict.further or verdict.leaked:
        sys.stderr.write(f"{injection.text!r} in {injection.place}, {scene.question.text!r}: {verdict}\n")


def _chosen(texts: Sequence[Injection], spots: Sequence[str], limit: int | None) -> Iterator[Injection]:
    for spot in spots:
        found = [one for one in texts if one.place == spot]
        step = 1 if limit is None else max(1, -(-len(found) // limit))
        yield from found[::step]


if __name__ == "__main__":
    raise SystemExit(main())
