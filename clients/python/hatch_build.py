"""Generates the modules that are not in the repository: models and request types from openapi.yaml, the synchronous client from
the asynchronous one. Hatchling runs it for every build; `python hatch_build.py` runs it in a checkout, in an environment with
`requirements.txt` installed, for type checkers and editors.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "tesuji"
CONTRACT = HERE.parent.parent / "openapi.yaml"

# The service holds the limits. Without them, models read what a newer one sends too.
LIMITS = {
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "pattern", "additionalProperties",
    "unevaluatedProperties", "dependentSchemas",
}  # fmt: skip

REQUESTS = ["PositionRequest", "RecordRequest", "SearchRequest", "BatchRequest", "ReviewRequest", "SearchOptions"]
RESPONSES = [
    "GameList", "PositionResponse", "Record", "SearchResponse", "Batch", "BatchMessage", "Review", "Cluster", "JobList",
    "PuzzleList", "Readiness", "ProgramVersion", "Problem", "ProblemKind",
]  # fmt: skip
# Responses with `to_frame`.
TABLES = ["SearchResponse", "Batch", "Review"]

COMMON = [
    "--input-file-type", "openapi", "--formatters", "ruff-format", "--target-python-version", "3.11", "--use-union-operator",
    "--use-standard-collections", "--enum-field-as-literal", "all", "--use-schema-description", "--use-field-description",
    "--disable-timestamp", "--use-double-quotes", "--use-type-alias",
]  # fmt: skip

# In this order: longer names before those that they contain.
SYNCHRONOUS = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(\w+)", r"\1"),
    (r"\b_async(\w*)\b", r"_sync\1"),
    (r"\b__a(iter|enter|exit)__\b", r"__\1__"),
    (r"\baiter_sse\b", "iter_sse"),
    (r"\ba(close|closing|read)\b", r"\1"),
    (r"\basyncio\.(create_task|shield)\b", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\basynchronous\b", "synchronous"),
]


def references(node: Any) -> Iterator[str]:
    """The names of the schemas to which a part of the contract refers."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from [value.rsplit("/", 1)[1]] if key == "$ref" else references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def with_named_parts(contract: dict[str, Any]) -> list[str]:
    """Adds request types for which the contract has no name: a position of each built-in game, whose names it returns, and a
    search without its position."""
    schemas = contract["components"]["schemas"]
    position, search = schemas["PositionRequest"], schemas["SearchRequest"]
    named = []
    for game in schemas["BuiltInGame"]["enum"]:
        name = "".join(word.capitalize() for word in game.split("-"))
        variants = [{"$ref": f"#/components/schemas/{variant}"} for variant in ("VariantName", f"{name}Variant")]
        variant = {"description": "A variant of the game.", "anyOf": [*variants, {"type": "null"}]}
        properties = {**position["properties"], "game": {"type": "string", "const": game}, "variant": variant}
        schemas[f"{name}PositionRequest"] = {**position, "properties": properties}
        named.append(f"{name}PositionRequest")
    options = {
        name: value
        for name, value in search["properties"].items()
        if name not in ("game", "variant", "position", "moves")
    }
    description = "The fields of a search, without its position."
    schemas["SearchOptions"] = {**search, "description": description, "required": [], "properties": options}
    return named


def without_limits(node: Any) -> Any:
    """A schema with its shape only. Under `properties`, names are not keywords."""
    if isinstance(node, list):
        return [without_limits(value) for value in node]
    if not isinstance(node, dict):
        return node
    shape = {key: value for key, value in node.items() if key not in LIMITS or value is True}
    return {
        key: {name: without_limits(one) for name, one in value.items()}
        if key == "properties"
        else without_limits(value)
        for key, value in shape.items()
    }


def part(contract: dict[str, Any], roots: list[str]) -> str:
    """A document with some schemas, and those to which they refer."""
    schemas = {name: without_limits(schema) for name, schema in contract["components"]["schemas"].items()}
    wanted, found = list(roots), set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted.extend(references(schemas[name]))
    kept = {name: schema for name, schema in schemas.items() if name in found}
    text: str = yaml.safe_dump(
        {**contract, "paths": {}, "components": {"schemas": kept}}, sort_keys=False, allow_unicode=True
    )
    return text


def modelled(document: str, header: str, *options: str) -> str:
    """What the generator makes of a document."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "openapi.yaml", Path(folder) / "out.py"
        source.write_text(document)
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(target)]
        subprocess.run([*command, *COMMON, *options, "--custom-file-header", header], check=True)
        return target.read_text()


def with_other_games(models: str) -> str:
    """Models that read positions of games that are not built in, too."""
    alias = models.index("PositionResponse = TypeAliasType(")
    tag = 'Field(..., discriminator="game"),'
    before, after = models[:alias], models[alias:].replace(tag, f"{tag} WrapValidator(or_other_game),", 1)
    return (
        (before + after)
        .replace("import Model, Tabular", "import Model, Tabular, or_other_game", 1)
        .replace("from pydantic import ", "from pydantic import WrapValidator, ", 1)
    )


def synchronous(name: str) -> str:
    """The synchronous twin of an asynchronous module."""
    source = (PACKAGE / name).read_text()
    for pattern, replacement in SYNCHRONOUS:
        source = re.sub(pattern, replacement, source)
    title, rest = source.split("\n", 1)
    source = f'"""{title.strip(chr(34))} Generated from `{name}` by `hatch_build.py`."""\n{rest}'
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PACKAGE / "_sync.py"), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def generate() -> None:
    """Writes every generated module."""
    contract = yaml.safe_load(CONTRACT.read_text())
    requests = REQUESTS + with_named_parts(contract)
    made = "Generated from openapi.yaml by `hatch_build.py`."
    bases = dict.fromkeys(TABLES, "tesuji._base.Tabular")
    base = ["--base-class", "tesuji._base.Model", "--base-class-map", json.dumps(bases)]
    modules = {
        PACKAGE / "models.py": with_other_games(modelled(
            part(contract, RESPONSES), f'"""Responses of the service. {made}"""',
            "--output-model-type", "pydantic_v2.BaseModel", *base,
        )),
        PACKAGE / "requests.py": modelled(
            part(contract, requests), f'"""Requests to the service. {made}"""', "--output-model-type", "typing.TypedDict",
            # A list of texts is no list of texts and numbers, but a sequence of them.
            "--use-generic-container-types",
        ),
        PACKAGE / "_sync.py": synchronous("_async.py"),
        PACKAGE / "_sync_game.py": synchronous("_async_game.py"),
    }  # fmt: skip
    for path, text in modules.items():
        path.write_text(text)


class Generated(BuildHookInterface[Any]):
    """Generates the modules before a build. A source distribution contains them instead of the contract."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before Hatchling collects the files."""
        if CONTRACT.exists():
            generate()


if __name__ == "__main__":
    generate()
