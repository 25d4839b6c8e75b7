"""The service worker of the phone edition alone: it asks the pages until one of them answers."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

WORKER = Path(__file__).parents[2] / "static" / "pocket" / "ask.js"
# The globals of a service worker. Its waits end when the test says so.
AROUND_IT = """
const OURS = { packs: {} };
const registration = { scope: "http://localhost/" };
const asked = [];
self.clients = { matchAll: async () => [{ postMessage: (question, [port]) => asked.push(port) }] };
const timeout = self.setTimeout;
const waits = [];
self.setTimeout = (go) => { waits.push(go); };
"""
ANSWER_THE_FIRST = """async () => {
  const until = async (true_) => { while (!true_()) await new Promise((go) => timeout(go, 5)); };
  const answer = untilAnswered({ id: "a tap" });
  await until(() => asked.length === 1 && waits.length === 1);
  waits[0]();
  await until(() => asked.length === 2 && waits.length === 2);
  asked[0].postMessage("taken");
  asked[0].postMessage("the answer");
  return Promise.race([answer, new Promise((go) => timeout(go, 30000, "the wait was not cut short"))]);
}"""


def test_an_answer_ends_the_wait_whichever_question_it_answers(browser: Browser) -> None:
    """Python answers the first question after the second was asked. The worker must not wait for the second."""
    page = browser.new_page()
    page.add_script_tag(content=AROUND_IT + WORKER.read_text("utf-8"))
    assert page.evaluate(ANSWER_THE_FIRST) == "the answer"
    page.close()
