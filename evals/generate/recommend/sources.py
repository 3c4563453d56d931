"""The guides whose listings are read, with the credit that what is made of them must show."""

from collections.abc import Mapping
from typing import Literal

type Source = Literal["wikivoyage", "myhelsinki"]

SOURCES: tuple[Source, ...] = ("wikivoyage", "myhelsinki")
ATTRIBUTIONS: Mapping[Source, str] = {
    "wikivoyage": "Text from Wikivoyage contributors, CC BY-SA",
    "myhelsinki": "Helsinki Marketing, MyHelsinki Open API, CC BY 4.0",
}
