"""Keeps generated searches short, and lets half of them through to the engines.

Neither makes a good request of a bad one, or the other way round.
"""

import json
import zlib

import schemathesis

# Generated budgets are valid up to a minute; this many milliseconds show as much.
SHORT = 20
SMALL_MB = 16


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Writes the contract as the tool understands it.

    Which variants go with which game stands in `dependentSchemas`, from which nothing is generated: in `allOf` it says the same.
    The schema of an event stream is that of an event's data, as generators of clients want it; the tool wants that of an event.
    """
    for operation in (operation for path in raw_schema["paths"].values() for operation in path.values()):
        for response in operation.get("responses", {}).values() if isinstance(operation, dict) else []:
            media = resolve(raw_schema, response).get("content", {}).get("text/event-stream")
            if media is not None and "contentSchema" not in str(media["schema"]):
                data = {"type": "string", "contentMediaType": "application/json", "contentSchema": media["schema"]}
                media["schema"] = {"type": "object", "required": ["id", "data"], "properties": {"data": data}}
    # Made-up games are always refused.
    schemas = raw_schema["components"]["schemas"]
    schemas["GameName"] = schemas["BuiltInGame"]
    for schema in schemas.values():
        # What depends on a field says nothing where the field is not there.
        for dependent in schema.pop("dependentSchemas", {}).values():
            schema.setdefault("allOf", []).append(dependent)


def resolve(document, part):
    while "$ref" in part:
        steps, part = part["$ref"].removeprefix("#/").split("/"), document
        for step in steps:
            part = part[step.replace("~1", "/").replace("~0", "~")]
    return part


@schemathesis.hook
def before_call(context, case, kwargs):
    if not isinstance(case.body, dict):
        return
    body = dict(case.body)
    if case.path == "/v1/searches":
        shorten(body, limits(case), SHORT)
    if case.path == "/v1/batches":
        shorten_searches(body, limits(case))
    if case.path == "/v1/reviews":
        # One after the other they would pile up.
        shorten(body, limits(case), 1)
    # A position or a move made up from the schema alone is always refused: half of the requests start from the start.
    if zlib.crc32(json.dumps(body, sort_keys=True, default=str).encode()) % 2:
        for name, fits in (("position", is_text), ("moves", is_texts), ("text", is_text), ("moves_filter", is_filter)):
            if fits(body.get(name)):
                body.pop(name, None)
                if name == "moves" and case.path == "/v1/reviews":
                    body[name] = []
    if body != case.body:
        case.body = body


def limits(case):
    schemas = case.operation.schema.raw_schema["components"]["schemas"]
    return schemas["RequestedBudget"]["properties"]


def shorten(body, properties, short_ms):
    budget = {} if body.get("budget") is None else body["budget"]
    if not isinstance(budget, dict):
        return
    budget = dict(budget)
    for name, short in (("time_ms", short_ms), ("memory_mb", SMALL_MB)):
        value = budget.get(name)
        if type(value) is int and short < value <= properties[name]["maximum"]:
            budget[name] = short
    if budget.get("time_ms") is None:
        budget["time_ms"] = short_ms
    body["budget"] = budget


def shorten_searches(body, properties):
    searches = body.get("searches")
    if isinstance(searches, list):
        body["searches"] = [dict(search) if isinstance(search, dict) else search for search in searches]
        for search in filter(lambda search: isinstance(search, dict), body["searches"]):
            shorten(search, properties, 1)


def is_text(value):
    return isinstance(value, str)


def is_texts(value):
    return isinstance(value, list) and all(map(is_text, value))


def is_filter(value):
    return isinstance(value, dict) and len(value) == 1 and is_texts(value.get("avoid", value.get("allow"))) and any(value.values())
