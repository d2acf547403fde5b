"""What is said to be a secret is found in sentences that the weights were not fitted to."""

from benchmarks.fit_secrets import LINE, all_seen, checked, is_out, vocabulary


def test_of_the_fifth_that_was_kept_out_most_secrets_are_found_and_few_others_touched() -> None:
    every = all_seen()

    score = checked(every, vocabulary(every), lambda one: is_out(one.source))[f"written, {LINE}"]

    assert score.secrets >= 120
    assert score.innocent >= 1000
    assert score.found >= 0.80 * score.secrets
    assert score.touched <= 0.02 * score.innocent
