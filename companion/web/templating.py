"""Jinja, for templates that are given typed screens.

A template is compiled to Python once. What Jinja would find out at every drawing is known here beforehand: a name after
a dot is an attribute, and most of what fills a gap is a short text with nothing in it to escape.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from flask.templating import Environment
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

from .i18n import in_template

TO_ESCAPE = re.compile("[&<>'\"]").search


def written(value: object) -> str:
    """What fills a gap, as `escape` writes it."""
    if type(value) is Markup or (type(value) is str and not TO_ESCAPE(value)):
        return value
    return str(value) if type(value) is int else escape(value)


class Compiler(CodeGenerator):
    """Templates as Python. Each of these says in fewer steps what Jinja says."""

    # Jinja's names, by which it finds them.
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802
        """An `if` without an `else` has nothing to say otherwise."""
        node.expr2 = node.expr2 or nodes.Const("")
        super().visit_CondExpr(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A word of ours needs nothing of the drawing that it stands in."""
        gaps = node.kwargs or node.dyn_kwargs
        if isinstance(node.node, nodes.Name) and node.node.name == "_" and not gaps:
            self.write("environment.word(")
            self.visit(node.args[0], frame)
            self.write(")")
        else:
            super().visit_Call(node, frame, forward_caller=forward_caller)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("environment.written(")
        else:
            super()._output_child_pre(node, frame, finalize)


class Templates(Environment):
    code_generator_class = Compiler
    word = staticmethod(in_template)
    written = staticmethod(written)

    # Every drawing copies the globals of its template; a chain of two maps, which Jinja makes, is slow to copy.
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals
