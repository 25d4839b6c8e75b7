"""Jinja, for templates that are given typed screens.

A template is compiled to Python once. What Jinja would find out at every drawing is known here beforehand: a name after
a dot is an attribute, and most of what fills a gap is a short text with nothing in it to escape.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

import markupsafe
from flask.sansio.app import App
from flask.templating import Environment
from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

from .i18n import in_template

# What `escape` does, without the Markup that it makes of a text; before release 3 they were one.
escape_text: Callable[[str], str] = getattr(markupsafe, "_escape_inner", escape)


def written(value: object) -> str:
    """What fills a gap, as `escape` writes it."""
    kind = type(value)
    if kind is str:
        return escape_text(value)  # type: ignore[arg-type]
    if kind is Markup:
        return value  # type: ignore[return-value]
    return str(value) if kind is int else escape(value)


class Compiler(CodeGenerator):
    """Templates as Python. Each of these says in fewer steps what Jinja says."""

    def write_commons(self) -> None:
        """Names that a drawing asks for again and again."""
        super().write_commons()
        self.writeline("word, written = environment.word, environment.written")

    # Jinja's names, by which it finds them.
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """What was not given has no attributes either: nothing need be asked first."""
        owner = node.node
        if isinstance(owner, nodes.Name):
            self.write(frame.symbols.ref(owner.name))
        else:
            self.visit(owner, frame)
        self.write(f".{node.attr}")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        """A number in brackets is a place in a tuple."""
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, int):
            self.visit(node.node, frame)
            self.write(f"[{node.arg.value}]")
        else:
            super().visit_Getitem(node, frame)

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802
        """An `if` without an `else` has nothing to say otherwise."""
        node.expr2 = node.expr2 or nodes.Const("")
        super().visit_CondExpr(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A word of ours needs nothing of the drawing that it stands in."""
        if is_word(node):
            self.write("word(")
            self.visit(node.args[0], frame)
            for gap in node.kwargs:
                self.write(f", {gap.key}=")
                self.visit(gap.value, frame)
            if node.dyn_kwargs:
                self.write(", **")
                self.visit(node.dyn_kwargs, frame)
            self.write(")")
        else:
            super().visit_Call(node, frame, forward_caller=forward_caller)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802
        """What stands between two steps of a template leaves it in one piece, not in one for each text and gap: every
        piece passes through all the templates around it."""
        if len(node.nodes) == 1 or frame.buffer is not None or frame.require_output_check:
            super().visit_Output(node, frame)
            return
        finalize = self._make_finalize()
        self.writeline("yield ''.join((", node)
        for child in node.nodes:
            self.newline(child)
            if isinstance(child, nodes.TemplateData):
                self.write(repr(child.data))
            else:
                self._output_child_pre(child, frame, finalize)
                self.visit(child, frame)
                self._output_child_post(child, frame, finalize)
            self.write(",")
        self.writeline("))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(" if is_word(node) else "written(")
        else:
            super()._output_child_pre(node, frame, finalize)


def is_word(node: nodes.Node) -> bool:
    """Whether it is `_("...")`: a text of ours, which is markup."""
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "_"


class Templates(Environment):
    code_generator_class = Compiler
    word = staticmethod(in_template)
    written = staticmethod(written)

    def __init__(self, app: App, **options: Any) -> None:
        super().__init__(app, **options)
        self._found: dict[str | Template, Template] = {}

    # Jinja keeps them too, behind a lock.
    def get_template(self, name: str | Template, *more: Any, **named: Any) -> Template:
        found = self._found.get(name)
        if found is None or self.auto_reload:
            found = self._found[name] = super().get_template(name, *more, **named)
        return found

    # Every drawing copies the globals of its template; a chain of two maps, which Jinja makes, is slow to copy.
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals
