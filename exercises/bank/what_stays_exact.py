from ..questions import Choice

question = Choice(
    id="what-stays-exact",
    topic="speculation",
    chapter="04",
    level="analyse",
    minutes=4,
    points=2,
    text=(
        "An engine samples by the accept-or-correct rule of speculative decoding, with a target "
        "$p$ and a draft $q$. One of these changes alters the distribution of its output. Which?"
    ),
    options={
        "a": "The draft is quantised to 4 bits; its proposals, and the $q$ of the rule, come from "
        "the quantised draft.",
        "b": "The draft proposes its likeliest token always, while the rule goes on using the "
        "draft's unchanged probabilities $q$.",
        "c": "γ is chosen anew before each round, from how many drafts the last round accepted.",
        "d": "The draft attends to the last 512 tokens only, in proposing and in the $q$ of the "
        "rule.",
    },
    answer=lambda: "b",
    wrong={
        "a": "The rule is exact for any draft, as long as $q$ is what the proposal was really "
        "drawn from. A coarser draft only lowers α.",
        "c": "A window chosen before its own drafts are drawn changes how many positions are "
        "judged, not how. Every judged position still follows the target.",
        "d": "A draft that sees less is accepted less often. It is still the distribution that the "
        "proposal was drawn from, so the output stays.",
    },
    worked=lambda: (
        "**b.** The proof needs the proposal to be drawn from the $q$ in $\\min(1, p/q)$. Here it "
        "is drawn from another distribution, all on one token, so accepted tokens and corrections "
        "no longer add up to $p$. With $q$ = 1 on the proposed token the rule is exact again."
    ),
)
