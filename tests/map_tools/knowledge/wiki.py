"""A small wiki on the loopback: hand-written pages behind MediaWiki's action API.

The shapes are those of https://www.mediawiki.org/wiki/API:Search and
https://www.mediawiki.org/wiki/Extension:TextExtracts with formatversion 2.
"""

from tests.support.loopback import Asked, Scripted, json_reply

PAGES = {
    "Alder Stadium": (
        "Alder Stadium is a sports ground in Fernport. It was opened in 1931 by the mayor. "
        "It has a capacity of 12,400 spectators since the north stand was rebuilt. "
        "Its roof was designed by the engineer Ada Quill."
    ),
    "Fern Hospital": "Fern Hospital is a hospital in Fernport. It has a pediatric emergency department.",
}
REDIRECTS = {"Alder Ground": "Alder Stadium"}


def wiki(asked: Asked) -> Scripted:
    """Answers as api.php does."""
    if asked.params.get("list") == ["search"]:
        return json_reply(_search(asked.params["srsearch"][0], int(asked.params["srlimit"][0])))
    return json_reply(_page(asked.params["titles"][0]))


def _search(words: str, limit: int) -> dict[str, object]:
    wanted = {word.casefold() for word in words.split()}
    hits = [
        title
        for title, text in PAGES.items()
        if wanted <= {word.strip(".,").casefold() for word in f"{title} {text}".split()}
    ]
    found = [{"ns": 0, "title": title, "pageid": number} for number, title in enumerate(hits, 1)]
    return {"batchcomplete": True, "query": {"searchinfo": {"totalhits": len(hits)}, "search": found[:limit]}}


def _page(title: str) -> dict[str, object]:
    known = REDIRECTS.get(title, title)
    if known not in PAGES:
        return {"batchcomplete": True, "query": {"pages": [{"ns": 0, "title": title, "missing": True}]}}
    page = {
        "pageid": 7,
        "ns": 0,
        "title": known,
        "extract": PAGES[known],
        "fullurl": f"http://wiki.test/{known.replace(' ', '_')}",
        "pageprops": {"wikibase_item": "Q7"},
    }
    return {"batchcomplete": True, "query": {"pages": [page]}}
