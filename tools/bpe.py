"""Learn the tokenizer from a corpus."""

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from crossover.engine.tokenizer import ALPHABET, END

# Words keep their leading space; digits stay single, so that numbers can be copied.
PIECE = r" ?[A-Za-z]+|\n|."


def learn(texts, vocabulary_size):
    """A tokenizer of `vocabulary_size` tokens: the end mark, the alphabet, the merges."""
    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = pre_tokenizers.Split(Regex(PIECE), "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary_size,
        special_tokens=[END],
        initial_alphabet=list(ALPHABET),
        show_progress=False,
    )
    pieces.train_from_iterator(texts, trainer)
    return pieces
