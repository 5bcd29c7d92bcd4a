from crossover.evidence.batch_rates import measure


def test_a_round_is_timed_at_each_batch():
    figures = measure(batches=(1, 2), repeats=1)
    assert figures["batch"] == [1, 2]
    assert all(0 < seconds < 10 for seconds in figures["seconds"])
