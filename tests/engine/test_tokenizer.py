import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.engine.pair import PAIR
from crossover.engine.tokenizer import ALPHABET, Tokenizer, TokenizerError

TOKENIZER = Tokenizer.load(PAIR / "tokenizer.json")


@given(st.text(ALPHABET))
def test_text_survives_the_round_trip_and_never_makes_the_end_mark(text):
    tokens = TOKENIZER.encode(text)
    assert TOKENIZER.decode(tokens) == text
    assert TOKENIZER.end not in tokens


def test_the_end_mark_typed_as_text_is_only_text():
    tokens = TOKENIZER.encode("<|end|>")
    assert len(tokens) > 1 and TOKENIZER.end not in tokens


def test_frequent_words_are_one_token_and_digits_stay_apart():
    pieces = [TOKENIZER.vocabulary[t] for t in TOKENIZER.encode("Agent: the payment of Rs 2,310")]
    assert " payment" in pieces and "Agent" in pieces
    assert [piece for piece in pieces if any(c.isdigit() for c in piece)] == ["2", "3", "1", "0"]


def test_saving_and_loading_keeps_the_tokenizer(tmp_path):
    TOKENIZER.save(tmp_path / "t.json")
    assert (tmp_path / "t.json").read_bytes() == (PAIR / "tokenizer.json").read_bytes()
    assert Tokenizer.load(tmp_path / "t.json").vocabulary == TOKENIZER.vocabulary


@pytest.mark.parametrize("text, place", [("Rs 5 für", 6), ("₹500", 0), ("a\tb", 1)])
def test_a_character_outside_the_alphabet_is_named_with_its_place(text, place):
    with pytest.raises(TokenizerError, match=rf"position {place}; allowed are printable ASCII"):
        TOKENIZER.encode(text)


@pytest.mark.parametrize("tokens", [[-1], [len(TOKENIZER)]])
def test_an_unknown_token_number_is_refused(tokens):
    with pytest.raises(TokenizerError, match="outside 0"):
        TOKENIZER.decode(tokens)


def test_only_text_is_encoded():
    with pytest.raises(TokenizerError, match="must be a str, got int"):
        TOKENIZER.encode(5)
