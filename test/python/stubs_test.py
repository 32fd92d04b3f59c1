# SPDX-License-Identifier: Apache-2.0
"""The types that the package states are those that it has: _chancel.pyi against the native module, and every public function annotated."""
import ast
import inspect
import pathlib
import re

import chancel
from chancel import _chancel

FOLDER = pathlib.Path(chancel.__file__).parent


def arguments(function):
    return [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]


def native_arguments(function):
    """The argument names that pybind11 wrote at the head of the docstring"""
    match = re.match(r"\w+\((.*?)\) -> ", function.__doc__.splitlines()[0])
    text = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", match.group(1)))
    return [a.split(":")[0].strip() for a in text.split(",") if a.strip()]


def stub_and_native(stub, native, where):
    """Names that only one side has, or whose arguments differ"""
    wrong, names = [], set()
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
            found = getattr(native, node.name, None)
            if found is None or arguments(node) != native_arguments(found):
                wrong.append(f"{where}{node.name}")
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
            found = getattr(native, node.name, None)
            wrong += [node.name] if found is None else stub_and_native(node, found, node.name + ".")
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
            if not hasattr(native, node.target.id):
                wrong.append(node.target.id)
    missing = {n for n in vars(native) if not n.startswith("_")} - names
    return wrong + sorted(where + n for n in missing)


def test_stub_agrees_with_the_native_module():
    stub = ast.parse((FOLDER / "_chancel.pyi").read_text(encoding="utf-8"))
    assert stub_and_native(stub, _chancel, "") == []


def test_a_stub_that_lies_is_caught():
    text = (FOLDER / "_chancel.pyi").read_text(encoding="utf-8")
    assert stub_and_native(ast.parse(text.replace("limit: int", "most: int")), _chancel, "") == ["Run.collect"]
    assert stub_and_native(ast.parse(text.replace("def json", "def jason")), _chancel, "") == ["Run.jason", "Run.json"]


def test_public_names_are_annotated_and_documented():
    assert (FOLDER / "py.typed").exists()
    for name in chancel.__all__:
        thing = getattr(chancel, name)
        if name.startswith("__"):
            continue
        assert thing.__doc__, name
        members = [(name, thing)] if inspect.isfunction(thing) else [
            (f"{name}.{n}", m) for n, m in vars(thing).items() if inspect.isfunction(m) and not n.startswith("_")
            and thing.__module__ == "chancel" and not issubclass(thing, tuple)]
        for where, function in members:
            assert function.__doc__, where
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, where
            untyped = [p for p in signature.parameters.values() if p.name != "self" and p.annotation is p.empty]
            assert not untyped, (where, untyped)
