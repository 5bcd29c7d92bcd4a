"""Losses in nats a token: of a model, and of a bigram model to compare with."""

import numpy as np


def loss(model, texts):
    """Mean loss of `model` over whole conversations, the end mark included."""
    total = count = 0
    for text in texts:
        tokens = _tokens(model.tokenizer, text)[: model.window + 1]
        logits = model.logits([tokens[:-1]])[0].astype(np.float64)
        logits -= logits.max(-1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        total -= log_p[np.arange(len(log_p)), tokens[1:]].sum()
        count += len(log_p)
    return total / count


def bigram_loss(tokenizer, training, texts):
    """Mean loss of pair counts over `training`, mixed with the unigram where counts are few."""
    pairs = np.zeros((len(tokenizer),) * 2)
    for text in training:
        tokens = _tokens(tokenizer, text)
        np.add.at(pairs, (tokens[:-1], tokens[1:]), 1)
    unigram = (pairs.sum(0) + 1) / (pairs.sum() + len(tokenizer))
    p = (pairs + unigram) / (pairs.sum(1, keepdims=True) + 1)
    tokens = [_tokens(tokenizer, text) for text in texts]
    return -np.concatenate([np.log(p[t[:-1], t[1:]]) for t in tokens]).mean()


def _tokens(tokenizer, text):
    return [tokenizer.end, *tokenizer.encode(text), tokenizer.end]
