"""Validates JSON files with an independent implementation of JSON Schema, PyPI's jsonschema.

    validate-schemas.py SCHEMA [FILE …]

Prints one line of JSON for the schema itself, and one for each file:

    {"file": …, "isJSON": true, "faults": [{"path": ["keys", "a"], "message": …}]}

What is checked of the schema itself: that it is one of draft 2020-12, that every field is described and has examples,
and that every example is valid where it stands.
"""

import json
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError


def main(arguments):
    path, *files = arguments
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    report(path, list(faults_of_schema(schema)))
    validator = Draft202012Validator(schema)
    for path in files:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                instance = json.load(file, parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            report(path, [fault([], str(error))], is_json=False)
            continue
        report(path, [fault for error in validator.iter_errors(instance) for fault in faults(error, instance)])


def report(path, faults, is_json=True):
    print(json.dumps({"file": path, "isJSON": is_json, "faults": faults}))


def fault(path, message):
    return {"path": [str(part) for part in path], "message": message[:300]}


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def faults(error, root, outer=()):
    """The error and its causes, each with the path of its member."""
    path = [*outer, *error.path]
    if error.validator == "additionalProperties":
        for name in error.instance.keys() - error.schema.get("properties", {}).keys():
            yield fault([*path, name], error.message)
    elif error.schema is False:
        # The path of a member that is not allowed ends at its object.
        for name, value in value_at(root, path).items():
            if value is error.instance:
                yield fault([*path, name], error.message)
    elif "propertyNames" in error.schema_path:
        yield fault([*path, error.instance], error.message)
    else:
        yield fault(path, error.message)
    for cause in error.context:
        yield from faults(cause, root, path)


def value_at(root, path):
    for part in path:
        root = root[part]
    return root


def faults_of_schema(schema):
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        yield fault(error.absolute_path, error.message)
        return
    root = Draft202012Validator(schema)
    for path, subschema, is_field in subschemas(schema, []):
        for index, example in enumerate(subschema.get("examples", [])):
            for error in root.evolve(schema=subschema).iter_errors(example):
                yield fault([*path, "examples", index], error.message)
        if is_field:
            for keyword in ["description", "examples"]:
                if keyword not in subschema and keyword not in definition(schema, subschema):
                    yield fault(path, f"a field without '{keyword}'")


def definition(schema, subschema):
    name = subschema.get("$ref", "").removeprefix("#/$defs/")
    return schema.get("$defs", {}).get(name, {})


# The keywords that contain schemas: as their value, in a list, or in an object by name.
SINGLE = ["additionalProperties", "propertyNames", "items", "not", "if", "then", "else"]
LISTS = ["anyOf", "oneOf", "allOf"]
OBJECTS = ["properties", "$defs", "dependentSchemas"]


def subschemas(schema, path, is_field=False, is_condition=False):
    """Every schema in a schema except true and false, with its path, and whether it declares a field."""
    if not isinstance(schema, dict):
        return
    yield path, schema, is_field
    for keyword in SINGLE:
        if keyword in schema:
            yield from subschemas(schema[keyword], [*path, keyword], False, keyword in ["not", "if", "then", "else"])
    for keyword in LISTS:
        for index, inner in enumerate(schema.get(keyword, [])):
            yield from subschemas(inner, [*path, keyword, index], False, is_condition)
    for keyword in OBJECTS:
        # Schemas of fields in an open object add to those that are declared elsewhere.
        declares = keyword == "properties" and not is_condition and schema.get("additionalProperties") is False
        for name, inner in schema.get(keyword, {}).items():
            yield from subschemas(inner, [*path, keyword, name], declares, is_condition)


main(sys.argv[1:])
