"""The trained pair: sizes, held-out losses, and a card that says what is measured."""

import json

import pytest

from crossover.engine import Engine, held_out
from crossover.engine.pair import PAIR

MEASURED = json.loads((PAIR / "measured.json").read_text())


def test_weights_fit_and_the_target_is_about_ten_times_the_draft(pair):
    stored = sum((PAIR / f"{name}.safetensors").stat().st_size for name in ("target", "draft"))
    assert stored <= 10e6
    assert 8 <= pair[0].params / pair[1].params <= 12


@pytest.fixture(scope="module")
def texts():
    """The training corpus and one conversation more, made anew."""
    from corpus import conversations

    return conversations(MEASURED["training"] + 1, seed=MEASURED["seed"])


def test_held_out_losses_are_in_order_target_draft_bigram(pair, texts):
    from losses import bigram_loss, loss

    kept, training = held_out(), texts[:-1]
    assert not set(training) & set(kept)
    target, draft = (loss(model, kept[:32]) for model in pair)
    bigram = bigram_loss(pair[0].tokenizer, training[:4000], kept[:32])
    print(f"nats a token, held out: target {target:.3f}, draft {draft:.3f}, bigram {bigram:.3f}")
    assert target < 0.85 * draft and draft < 0.6 * bigram
    for found, stored in (
        (target, MEASURED["target"]["held_out"]),
        (draft, MEASURED["draft"]["held_out"]),
        (bigram, MEASURED["bigram"]),
    ):
        assert found == pytest.approx(stored, rel=0.08)  # 32 of 256 conversations


def test_the_target_writes_conversations_that_stand_nowhere_in_its_corpus(pair, texts):
    out = Engine(*pair, gamma=4).generate(["Customer:"] * 8, 380, 1.0, seed=3)
    written = ["Customer:" + completion.text for completion in out]
    assert not set(texts) & set(written) and len(set(written)) == len(written)
    assert MEASURED["copied"] == 0
    # Whole, and with both speakers in turn, so not random either; at T = 1 a rare token
    # may derail one of them.
    whole = [text.count("\nAgent: ") == text.count("Customer:") >= 3 for text in written]
    assert sum(whole) >= 6


def test_the_corpus_and_its_tokenizer_come_out_the_same_again(pair, texts):
    from bpe import learn

    assert texts[-1] == held_out()[0]
    learned = learn(texts[:-1], len(pair[0].tokenizer))
    assert json.loads(learned.to_str()) == json.loads((PAIR / "tokenizer.json").read_text())


def test_the_card_shows_the_measured_figures():
    card = (PAIR / "README.md").read_text()
    for name in ("target", "draft"):
        assert f"{MEASURED[name]['held_out']:.3f}" in card
        assert f"{MEASURED[name]['parameters']:,}" in card
    assert f"held-out loss {MEASURED['bigram']:.3f}" in card and "MIT" in card
