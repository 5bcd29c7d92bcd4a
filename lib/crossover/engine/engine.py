"""The engine: prompts in, completions and a trace of every round out."""

import operator
import time
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from . import sampling
from .kvcache import PagedCache
from .rounds import Decoder
from .scheduler import Scheduler, Sequence
from .trace import Completion, Generation, Round


@dataclass(frozen=True)
class View:
    """What a gamma policy may look at: all of it known before the round.

    `batch` sequences run and `waiting` wait; `context` is their mean cached length;
    `free_blocks` is the target's; `proposed` and `accepted` count the drafts judged in
    the last round that had any; `gamma` is the last round's.
    """

    batch: int
    waiting: int
    context: float
    free_blocks: int
    proposed: int
    accepted: int
    gamma: int


class Engine:
    """A batched decoder, plain or speculative, with paged caches.

    Parameters
    ----------
    target, draft : Transformer
        Without a draft, decoding is plain.
    gamma : int or callable
        Drafts a round; a callable gets a `View` before each round and returns an int.
    max_batch : int
        Sequences running at once.
    blocks : int, optional
        Blocks in each model's cache; by default enough for `max_batch` full windows.
    block_size : int
        Token positions a block holds.
    batching : str
        ``continuous``, or ``static`` for comparison.

    Raises ValueError for a gamma outside 0..window-1, a gamma without a draft, models of
    different vocabularies, or a size below 1.
    """

    decoder = Decoder  # a subclass may put a saboteur here,
    caches = (PagedCache, PagedCache)  # or here: target's cache, draft's cache

    def __init__(
        self,
        target,
        draft=None,
        gamma=0,
        max_batch=32,
        blocks=None,
        block_size=16,
        batching="continuous",
    ):
        self.models = [target] if draft is None else [target, draft]
        self.window = min(model.window for model in self.models)
        self.tokenizer = target.tokenizer
        if draft is not None and draft.vocabulary != target.vocabulary:
            raise ValueError(
                f"draft must share the target's vocabulary of {target.vocabulary} "
                f"tokens, got {draft.vocabulary}"
            )
        self.max_batch = _integer("max_batch", max_batch, 1)
        self.block_size = _integer("block_size", block_size, 1)
        per_window = -(-self.window // self.block_size)
        self.blocks = _integer(
            "blocks", self.max_batch * per_window if blocks is None else blocks, 1
        )
        self.batching, self.gamma = batching, gamma
        if not callable(gamma):
            self._checked(gamma)
        Scheduler([], 1, batching=batching)  # complains now, not in the first call

    def _checked(self, gamma):
        gamma = _integer("gamma", gamma, 0, self.window - 1)
        if gamma and len(self.models) == 1:
            raise ValueError(f"gamma must be 0 without a draft model, got {gamma}")
        return gamma

    def generate(
        self,
        prompts,
        max_tokens,
        temperature=0.0,
        top_p=1.0,
        seed=0,
        *,
        stop_at_end=True,
        on_tokens=None,
        progress=None,
    ):
        """Complete every prompt; return a `Generation`.

        Parameters
        ----------
        prompts : list of str or of token lists
            Text gets the end mark in front, as in training; token lists are taken as given.
        max_tokens : int
            New tokens for each prompt, fewer at the end mark or the end of the window.
        temperature, top_p : float
            See `sampling.distribution`; temperature 0 is greedy.
        seed : int
            A prompt's tokens depend on the seed and its place in `prompts` alone, up to
            floating-point ties.
        stop_at_end : bool
            False runs on past the end mark.
        on_tokens : callable, optional
            Streaming: called as ``on_tokens(request, tokens, text)`` after each round.
        progress : bool, optional
            A progress bar; by default where standard error is a terminal.

        An interrupt (KeyboardInterrupt) returns what there is, with finish reason
        ``interrupted`` for the rest. Raises ValueError for bad input before any work.
        """
        sampling.check(temperature, top_p)
        max_tokens = _integer("max_tokens", max_tokens, 1)
        if isinstance(prompts, str):
            raise ValueError("prompts must be a list of prompts, got one str; put it in a list")
        sequences = [
            Sequence(i, self._encode(i, prompt), 0, np.random.default_rng([seed, i]))
            for i, prompt in enumerate(prompts)
        ]
        for s in sequences:
            s.limit = min(s.prompt + max_tokens, self.window)
            if s.limit > self.blocks * self.block_size:
                raise ValueError(
                    f"prompt {s.request} with its completion needs {s.limit} cache "
                    f"entries; {self.blocks} blocks of {self.block_size} hold fewer"
                )
        caches = [
            kind(model, self.max_batch, self.blocks, self.block_size)
            for kind, model in zip(self.caches, self.models, strict=False)  # plain: no draft
        ]
        scheduler = Scheduler(caches, self.max_batch, batching=self.batching)
        scheduler.waiting.extend(sequences)
        end = self.tokenizer.end if stop_at_end and self.tokenizer else None
        decoder = self.decoder(self.models, caches, temperature, top_p, end)
        trace = []
        try:
            with tqdm(
                total=len(sequences) * max_tokens,
                unit="tok",
                delay=2,
                leave=False,
                disable=None if progress is None else not progress,
            ) as bar:
                while scheduler.waiting or scheduler.running:
                    trace.append(self._advance(scheduler, decoder, trace))
                    for step in trace[-1].steps if trace[-1].kind == "decode" else ():
                        bar.update(len(step.emitted))
                        if on_tokens is not None:
                            on_tokens(step.request, list(step.emitted), self._text(step.emitted))
        except KeyboardInterrupt:
            pass
        return Generation([self._completion(s) for s in sequences], trace)

    def _advance(self, scheduler, decoder, trace):
        """One iteration: prefill what was admitted, or else one decode round."""
        started = time.perf_counter()
        view = self._view(scheduler, trace)
        gamma = self._checked(self.gamma(view) if callable(self.gamma) else self.gamma)
        admitted = scheduler.admit(gamma)
        preempted, steps, finished = [], [], []
        if admitted:
            decoder.prefill(admitted)
        else:
            gammas = {s: min(gamma, s.limit - len(s.tokens) - 1) for s in scheduler.running}
            preempted = scheduler.make_room(gammas)
            running = list(scheduler.running)
            steps = decoder.round(running, [gammas[s] for s in running])
            for sequence in running:
                reason = self._finish_reason(sequence, decoder.end)
                if reason:
                    scheduler.finish(sequence, reason)
                    finished.append(sequence)
        return Round(
            "prefill" if admitted else "decode",
            gamma,
            tuple(steps),
            max((len(step.proposed) for step in steps), default=0),
            tuple(s.request for s in admitted),
            tuple(s.request for s in preempted),
            tuple(s.request for s in finished),
            tuple(cache.free_blocks for cache in scheduler.caches),
            len(scheduler.waiting),
            time.perf_counter() - started,
        )

    def _view(self, scheduler, trace):
        last = next((r for r in reversed(trace) if any(s.proposed for s in r.steps)), None)
        judged = [min(s.accepted + 1, len(s.proposed)) for s in last.steps] if last else []
        running = scheduler.running
        context = sum(len(s.tokens) - 1 for s in running) / max(len(running), 1)
        return View(
            len(running),
            len(scheduler.waiting),
            context,
            scheduler.caches[0].free_blocks,
            sum(judged),
            sum(s.accepted for s in last.steps) if last else 0,
            trace[-1].gamma if trace else 0,
        )

    def _finish_reason(self, sequence, end):
        if end is not None and sequence.tokens[-1] == end:
            return "stop"
        if len(sequence.tokens) == sequence.limit:
            return "window" if sequence.limit == self.window else "length"
        return None

    def _encode(self, request, prompt):
        """Check one prompt and turn it into token numbers."""
        if isinstance(prompt, str):
            if self.tokenizer is None:
                raise ValueError(f"prompt {request} is text, but the target has no tokenizer")
            if not prompt:
                raise ValueError(f"prompt {request} is empty; give at least one character")
            tokens = [self.tokenizer.end, *self.tokenizer.encode(prompt)]
        else:
            tokens = [
                _integer(f"a token of prompt {request}", token, 0, self.models[0].vocabulary - 1)
                for token in prompt
            ]
            if not tokens:
                raise ValueError(f"prompt {request} is empty; give at least one token")
        if len(tokens) >= self.window:
            raise ValueError(
                f"prompt {request} has {len(tokens)} tokens, the context window "
                f"{self.window}; a prompt may have at most {self.window - 1}"
            )
        return tokens

    def _text(self, tokens):
        if self.tokenizer is None:
            return None
        return self.tokenizer.decode(t for t in tokens if t != self.tokenizer.end)

    def _completion(self, sequence):
        new = sequence.tokens[sequence.prompt :]
        return Completion(
            sequence.request,
            new,
            self._text(new),
            sequence.finish_reason or "interrupted",
            sequence.preemptions,
        )


def _integer(name, value, low, high=None):
    """`value` as an int in low..high, or ValueError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer, got {value!r}") from None
    if number < low or (high is not None and number > high):
        raise ValueError(
            f"{name} must be {f'in {low}..{high}' if high is not None else f'at least {low}'}"
            f", got {number}"
        )
    return number
