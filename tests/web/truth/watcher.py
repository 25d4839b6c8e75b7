"""What a watcher who said who they are sees of their own seat."""

from __future__ import annotations

from fractions import Fraction

from .board import BoardTruth
from .markup import read
from .night import Night
from .words import percent, plain


def check_watcher(night: Night, me: str, language: str) -> None:
    """One's own cards, points, chips, price and risk; and nothing to enter."""
    phone = night.client.application.test_client()
    headers = {"Accept-Language": language}
    phone.post(f"/t/{night.table}/me", data={"me": me})
    board = BoardTruth(night, read(phone.get(f"/t/{night.table}", headers=headers).text), language)
    board.check(me)
    page, state, seat = board.page, board.state, board.seats[me]
    assert not [button for button in page.all("button") if button.attributes.get("name") in ("entry", "undo")]
    assert page.one(".me .who").text == me
    assert [int(card.one(".card").text) for card in page.all(".mine .hand li")] == seat["stack"]
    told = {panel.all("p")[0].text: panel.all("p")[1].text for panel in page.all(".own .panel")}
    in_play = state["phase"] == "play" and seat["state"] == "in"
    fold = seat.get("fold", state["prices"].get("fold")) if in_play else None
    risk = state.get("risk", {}).get(me) if state["phase"] == "play" and board.with_cards else None
    right = {
        board.say("costs to fold"): None if fold is None else str(fold),
        board.say("costs to pass"): str(state["prices"]["pass"]) if in_play and "pass" in state["prices"] else None,
        board.say("your risk"): None if risk is None else percent(language, Fraction(risk)),
        board.say("your chips"): plain(seat["chips"]),
    }
    for label, figure in right.items():
        assert told.get(label) in (figure, None) or figure is None, f"{me}: {told}, not {label} {figure}"
        assert figure is not None or label not in told, f"{me}: {told}: nothing to say of {label}"
    assert not seat["chips"] or board.say("your chips") in told
    points = told.get(board.say("your points"))
    assert (points is not None) == board.rules.scores_points
    assert points is None or points.partition("/")[0] == str(seat["points"]), f"{me}: {told}, has {seat['points']}"
