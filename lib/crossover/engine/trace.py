"""What an engine reports: one record a round, one completion a prompt."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entries:
    """Cache entries one sequence wrote in a round: positions ``first .. first+written-1``.

    The first `kept` of them stay; the others are dropped.
    """

    first: int
    written: int
    kept: int
    blocks: tuple  # the sequence's block table after the round

    @property
    def dropped(self):
        """Positions whose entries were rolled back."""
        return range(self.first + self.kept, self.first + self.written)


@dataclass(frozen=True)
class Step:
    """One sequence in one round.

    `position` is where its last committed token stood when the round began; the proposed
    tokens stand at ``position + 1`` and after. `accepted` counts the drafts that passed,
    `emitted` holds them and the correction or bonus token (cut at the end mark).
    `draft` is None without a draft model.
    """

    request: int
    position: int
    proposed: tuple
    accepted: int
    emitted: tuple
    target: Entries
    draft: Entries | None


@dataclass(frozen=True)
class Round:
    """One iteration of the engine: a prefill of newly admitted sequences, or a decode round.

    `draft_passes` counts forward passes of the draft, `gamma` is the width asked for (a
    sequence near its end drafts less). `admitted`, `preempted` and `finished` name requests; `free`
    is the number of free blocks after the round, target's and draft's.
    """

    kind: str
    gamma: int
    steps: tuple
    draft_passes: int
    admitted: tuple
    preempted: tuple
    finished: tuple
    free: tuple
    waiting: int
    seconds: float


@dataclass
class Completion:
    """What one prompt got. `finish_reason`: stop, length, window or interrupted.

    `tokens` are the new ones, the end mark included; `text` leaves it out, and is None
    where the engine has no tokenizer.
    """

    request: int
    tokens: list
    text: str | None
    finish_reason: str
    preemptions: int


@dataclass
class Generation:
    """All completions of one call, in the order of its prompts, and the rounds behind them."""

    completions: list
    trace: list = field(repr=False)

    def __iter__(self):
        return iter(self.completions)

    def __len__(self):
        return len(self.completions)

    def __getitem__(self, i):
        return self.completions[i]

    @property
    def steps(self):
        """Every step of every decode round."""
        return [step for round_ in self.trace for step in round_.steps if round_.kind == "decode"]

    def acceptance(self):
        """How often each draft position was reached and passed: two lists of counts.

        A draft is judged only if all before it passed, so ``passed[j] / reached[j]`` is
        the acceptance rate at position j given that; the formula's alpha if all agree.
        """
        gamma = max((len(step.proposed) for step in self.steps), default=0)
        reached = [
            sum(len(s.proposed) > j and s.accepted >= j for s in self.steps) for j in range(gamma)
        ]
        passed = [sum(s.accepted > j for s in self.steps) for j in range(gamma)]
        return reached, passed
