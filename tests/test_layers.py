"""The layers: what each may import, and which of them are pure.

engine <- games <- table <- coach <- web -> store; `server` and `pocket` hold it all, and nothing imports them.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "companion"
PURE = {
    "bisect",
    "collections",
    "__future__",
    "collections.abc",
    "dataclasses",
    "fractions",
    "functools",  # results may be cached
    "itertools",
    "math",
    "operator",
    "re",
    "typing",
    "unicodedata",
}
LAYERS = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "table": {"engine", "games", "table"},
    "coach": {"engine", "games", "table", "coach"},
}
OWN_DATA = {"coach": {"importlib.resources"}}  # the coach reads its own data files
IMPURE_LAYERS = {
    "store": {"engine", "table", "store"},
    "web": {"engine", "games", "table", "coach", "store", "web", "i18n", "bundle", "__version__"},
}
DATABASES = {"sqlalchemy", "flask_sqlalchemy", "alembic", "sqlite3", "psycopg"}
THREADS = {"threading", "_thread", "concurrent", "multiprocessing", "asyncio"}
SERVERS = {"gunicorn", "waitress", "wsgiref", "http.server", "socketserver", "socket", "werkzeug.serving"}
# The two that know the request on behalf of the screens: its language, and the path it came by.
KNOW_THE_REQUEST = {"companion.web.i18n", "companion.web.addresses"}
# What only a page has: a file's name, an address, an attribute of htmx.
OF_A_PAGE = re.compile(r"\.(html|css|js)\b|^/\w|\bhx-|\bhref\b|\burl_for\b")


def modules(layer: str) -> list[Path]:
    return sorted((PACKAGE / layer).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """Absolute names of everything a module imports; from our own modules also the imported names."""
    found = set()
    package = path.relative_to(PACKAGE.parent).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            ours = module.split(".")[0] == PACKAGE.name
            found |= {f"{module}.{alias.name}" for alias in node.names} if ours else {module}
    return found


def is_one_of(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def strings(path: Path) -> Iterator[str]:
    """Every string of a module, except docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_is_pure_and_points_up(layer: str) -> None:
    assert modules(layer)
    for path in modules(layer):
        for name in imported(path):
            if is_one_of(name, {"companion"}):
                assert name.split(".")[1] in LAYERS[layer], f"{path.name} imports {name}"
            else:
                assert name in PURE | OWN_DATA.get(layer, set()), f"{path.name} imports {name}"


@pytest.mark.parametrize("layer", IMPURE_LAYERS)
def test_store_and_web_import_only_the_layers_above_them(layer: str) -> None:
    assert modules(layer)
    for path in modules(layer):
        ours = {name for name in imported(path) if is_one_of(name, {"companion"})}
        assert not {name for name in ours if name.split(".")[1] not in IMPURE_LAYERS[layer]}, path.name


def test_the_store_takes_only_the_change_from_the_table() -> None:
    for path in modules("store"):
        taken = {name for name in imported(path) if is_one_of(name, {"companion.table"})}
        assert all(is_one_of(name, {"companion.table.change"}) for name in taken), path.name


@pytest.mark.parametrize("layer", [*LAYERS, "web"])
def test_no_database_no_thread_and_no_server_below_the_store(layer: str) -> None:
    for path in modules(layer):
        found = {name for name in imported(path) if is_one_of(name, DATABASES | THREADS | SERVERS)}
        # The phone's Python starts no thread, but has locks.
        assert found <= ({"threading"} if path.name == "slow.py" else set()), f"{path.name} imports {found}"


def test_pages_are_drawn_where_there_is_no_database_and_no_server() -> None:
    """As on a phone: none is loaded, not even indirectly."""
    program = """
import sys
from companion.store.memory import MemoryStore
from companion.web import create_app
phone = create_app(MemoryStore(), {"SECRET_KEY": "a key"}).test_client()
made = phone.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
for page in ("/", "/rules/pairs", "/lookup/pairs", f"/t/{made.json['table']}", f"/t/{made.json['table']}/evening"):
    assert phone.get(page).status_code == 200, page
print(*sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "companion.web.table" in loaded
    assert not {name for name in loaded if is_one_of(name, DATABASES | {"waitress", "companion.server"})}


def web_imports() -> dict[str, set[str]]:
    """For each module of the web, the modules of the web that it imports."""
    by_name = {name_of(path): path for path in modules("web")}
    found: dict[str, set[str]] = {}
    for user, path in by_name.items():
        names = (
            next((known for known in (name, name.rpartition(".")[0]) if known in by_name), "")
            for name in imported(path)
        )
        found[user] = {name for name in names if name not in ("", user, "companion.web")}
    return found


def is_page(name: str) -> bool:
    """True for a module with routes."""
    return bool(
        re.search(r"^blueprint = ", (PACKAGE.parent / f"{name.replace('.', '/')}.py").read_text("utf-8"), re.MULTILINE)
    )


def test_imports_inside_the_web_go_one_way() -> None:
    graph = web_imports()
    order = list(TopologicalSorter(graph).static_order())  # raises if two modules import each other
    assert "companion.web.table" in order


def test_what_pages_share_imports_no_page() -> None:
    graph = {name: used for name, used in web_imports().items() if name != "companion.web"}
    pages = {name for name in graph if (PACKAGE.parent / f"{name.replace('.', '/')}.py").is_file() and is_page(name)}
    assert len(pages) > 15
    for name in graph.keys() - pages:
        assert not graph[name] & pages, name


def test_a_page_has_one_blueprint_and_adds_routes_to_no_other() -> None:
    for path in modules("web"):
        text = path.read_text("utf-8")
        assert len(re.findall(r"\bBlueprint\(", text)) == bool(re.search(r"@blueprint\.", text)), path.name
        assert not re.search(r"import .*\bblueprint\b", text), path.name


@pytest.mark.parametrize("room", ["board", "games"])
def test_a_board_knows_no_request_and_no_session(room: str) -> None:
    """Nor does anything that it uses, but for the two modules that know the request on its behalf."""
    by_name = {name_of(path): path for path in modules("web")}
    todo = [name for name in by_name if is_one_of(name, {f"companion.web.{room}"})]
    assert todo
    graph, seen = web_imports(), set(todo)
    while todo:
        user = todo.pop()
        for name in imported(by_name[user]):
            assert not is_one_of(name, {"flask", "werkzeug"}), f"{user} imports {name}"
        fresh = graph[user] - seen - KNOW_THE_REQUEST
        seen |= fresh
        todo += fresh


@pytest.mark.parametrize("layer", LAYERS)
def test_pure_layers_name_no_page(layer: str) -> None:
    for path in modules(layer):
        named = [text for text in strings(path) if OF_A_PAGE.search(text)]
        assert not named, f"{path.name} names {named}"


def test_the_engine_names_no_game() -> None:
    from companion.games import GAMES

    for path in modules("engine"):
        words = set(ast.unparse(ast.parse(path.read_text("utf-8"))).casefold().split())
        strings = {
            node.value.casefold()
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not {game for game in GAMES if game in strings}, path.name
        assert not {game for game in GAMES if f"{game}()" in words}, path.name


def test_pure_layers_do_no_input_or_output() -> None:
    for layer in LAYERS:
        for path in modules(layer):
            calls = {
                node.func.id
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert not calls & {"open", "print", "input", "exec", "eval", "__import__"}, path.name


@pytest.mark.parametrize("layer", ["engine", "games", "table"])
def test_objects_are_never_changed_after_creation(layer: str) -> None:
    """States, steps and tables are shared between versions and threads."""
    assigned = [
        f"{path.name}:{node.lineno} {ast.unparse(target)}"
        for path in (PACKAGE / layer).rglob("*.py")
        for made_in in ast.walk(ast.parse(path.read_text()))
        if isinstance(made_in, ast.FunctionDef) and made_in.name != "__init__"
        for node in ast.walk(made_in)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute)
    ]
    assert assigned == []
