"""What the tests cannot find out about a game by themselves. A new game gets its entry here, and nowhere else in them.

`tests/test_games.py` says in sentences what the entry, or the game itself, still lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Known:
    """One game. Options are written as in the `game` entry; the first of each kind is the usual one."""

    walks: tuple[str, ...]  # options of the random walks through its rules, with every number of seats
    odds: tuple[str, ...] = ()  # options of small positions whose risk is compared with brute force
    boards: tuple[str, ...]  # options of the tables whose boards are drawn, and measured
    full: tuple[str, str]  # the names and entries of a board with many cards
    first: str = "{value}"  # how the first cards of a round are entered

    # The rules page, from RULES.md and worked out by hand.
    words: str  # that people look for: parted by blanks, those with blanks in them at the end, by commas
    fact: str  # a phrase with a number
    caption: tuple[int, ...]  # the numbers in the caption of its example
    rows: Mapping[str, int | None]  # the numbers at the ends of the example's rows
    discarded: tuple[int, ...] = ()  # cards that were turned up in the example, and lie nowhere any more
    pairs: bool = True  # whether two equal cards mean anything
    also_french: tuple[str, ...] = ()  # words of its notation that are French words, too


class Entries(dict[str, Known]):
    """The entries by the key of the game."""

    def __missing__(self, game: str) -> Known:
        raise LookupError(f"{game} has no entry in tests/known.py. Run tests/test_games.py: it says what a game needs.")


SEATS = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
FOUR, SIX, SEVEN, EIGHT = (",".join(SEATS[:count]) for count in (4, 6, 7, 8))
PAIRS_8 = "game pairs,5,9,10,7,6,10,3,8,10,9,fold,10,4,8,10,9,6,7,2,6,5,10,8,9,7,6,10,8,9,4,5,7,10,8,9,7,9"
ADD_ONS = "stakes forfeit Downspear Seattle Norland Cutchfeld Tacoma Olympia Portland Calamities,Pieces of Eight"

KNOWN = Entries(
    pairs=Known(
        walks=("", "calamities=yes eights=yes", "burn=40 stakes=olympia", "limit=5 stakes=portland"),
        odds=("burn=3", "calamities=yes eights=yes"),
        boards=(
            "stakes=tacoma limit=9",
            "stakes=portland",
            "stakes=forfeit calamities=yes",
            "eights=yes odds=off",
            "cards=no",
        ),
        full=(EIGHT, PAIRS_8),
        words=f"draw fold pair burn tie limit shuffle deal lowest {ADD_ONS}",
        fact="put 5 cards aside",
        caption=(3, 19, 9, 9),
        rows={"Ana": None, "Ben": None, "Cleo": 9, "Dan": None},
        also_french=("pairs",),
    ),
    continuous=Known(
        walks=("", "calamities=yes", "eights=yes calamities=yes burn=30", "stakes=cutchfeld"),
        odds=("burn=2",),
        boards=("stakes=olympia", "eights=yes", "odds=after"),
        full=(EIGHT, PAIRS_8.replace("fold", "fold 3 Gus").replace("pairs", "continuous")[:80]),
        words=f"draw fold pair burn tie limit stack {ADD_ONS}",
        fact="put 5 cards aside",
        caption=(9, 9, 2, 2, 5, 8),
        rows={"Ana": None, "Ben": 2, "Cleo": 9},
        discarded=(3, 9),
    ),
    port=Known(
        walks=("", "goal=5", "burn=40"),
        odds=("burn=3",),
        boards=("goal=9", "odds=off", "cards=no"),
        full=(SEVEN, "game port,5,9,10,7,6,10,3,8,10,9,10,9,8,4"),
        words="draw lock pair burn tie sum out",
        fact="first to 21",
        caption=(5, 5, 22, 4, 3, 2),
        rows={"Ana": 5, "Ben": 4, "Cleo": 4, "Dan": 2, "Eve": 0},
        also_french=("port",),
    ),
    starboard=Known(
        walks=("", "locks=draw", "ante=3 burn=45"),
        odds=("burn=2",),
        boards=("", "locks=draw", "odds=off"),
        full=(SEVEN, "game starboard,4,9,8,7,10,2,6,3,1"),
        words="draw lock pair ante pot button burn tie,common hand",
        fact="1 chip in the pot",
        caption=(3, 9, 9, 4, 4, 8, 4),
        rows={"Ana": 1, "Ben": -1, "Cleo": 2, "Dan": -2},
        discarded=(9, 9),
    ),
    rocket=Known(
        walks=("", "decks=2 bet=50", "button=yes", "burn=20"),
        odds=("bet=30",),
        boards=("bet=50", "decks=2 bet=500", "button=yes", "odds=off", "cards=no"),
        full=(SEVEN, "game rocket bet=50,8,5,10,7,9,4,6,4,9,10,10,8,5,10"),
        words="draw fold pair bet dealer button burn tie shuffle decks,death card,cut card",
        fact="11 cards per deck",
        caption=(5, 5, 2, 10, 6, 6, 5, 30, 3, 3, 1, 3),
        rows={"Ana": 37, "Ben": -10, "Cleo": -30, "Dan": 3},
        also_french=("rocket",),
    ),
    blackstone=Known(
        walks=("", "ante=2", "burn=30"),
        boards=("", "odds=off", "ante=12"),
        full=(EIGHT, "game blackstone,6,10,4,10,9,8,7,5,take 2,white,white"),
        words="take pass ante burn tie pot white,black stone",
        fact="5 chips",
        pairs=False,
        caption=(11, 5, 6, 11, 5, 4, 5, 15, 20, 10),
        rows={"Ana": 10, "Ben": -20, "Cleo": 10},
    ),
    hawthorn=Known(
        walks=("decks=2", "ante=3 decks=2", "burn=20 decks=2"),
        odds=("",),
        boards=("decks=2", "ante=3 decks=2", "odds=off decks=2"),
        full=(SIX, "game hawthorn,play 4,play 7,play 9,play 6,play 8,play 10,8,2,10,3,9,4"),
        first="play {value}",
        words="draw fold pair ante pot button lap hand burn tie,two decks",
        fact="5 hidden cards",
        caption=(3, 2, 2, 8, 8, 13),
        rows={"Ana": -9, "Ben": -3, "Cleo": 12},
    ),
    zombie=Known(
        walks=("", "goal=6", "oldest=Bob/Ann", "burn=40"),
        odds=("burn=1",),
        boards=("goal=9", "odds=off", "goal=21"),
        full=(EIGHT, "game zombie,4,6,7,5,9,8,10,3,10,horde,9,horde,8,horde,7"),
        words="draw take pass Refuge Horde overwhelmed tie burn oldest,face down",
        fact="first to 21",
        pairs=False,
        caption=(2, 2, 8, 2, 3),
        rows={"Ana": 2, "Ben": 0, "Cleo": 3},
        also_french=("refuge", "horde", "zombie"),
    ),
    lucky=Known(
        walks=("", "goal=60", "goal=7 burn=5", "burn=45"),
        odds=("burn=2 goal=5",),
        boards=("goal=60", "odds=off", "goal=200 burn=5", "cards=no"),
        full=(EIGHT, "game lucky,4,6,7,5,9,8,10,3,10,9,8,7,6,5,10"),
        words="draw bank pair stack keep tie goal shuffle burn,printed rules",
        fact="exactly 21 points",
        caption=(7, 7, 9, 5),
        rows={"Ana": None, "Ben": None, "Cleo": 7},
    ),
    inn=Known(
        walks=("", "oldest=Bob/Ann", "burn=29"),
        boards=("", "odds=off", "cards=no"),
        full=(EIGHT, f"game inn,{','.join(f'play {value}' for value in (4, 7, 9, 6, 8, 10, 5, 3))},challenge Ana,8"),
        first="play {value}",
        words="attack challenge draw accuse hand row pile tie oldest burn,hidden cards,last one in,What is ours",
        fact="3 hidden cards",
        caption=(4, 5, 9, 1),
        rows={"Ana": None, "Ben": None, "Cleo": 1},
        discarded=(9,),
        also_french=("accuse",),
    ),
)
