"""The course's concept map: sound as a graph, and nothing drawn over anything else."""

from itertools import combinations

import pytest

from crossover.show.concept_map import COURSE, ELSEWHERE, LINKS, concept_map


@pytest.fixture
def drawn():
    ax = concept_map()
    ax.figure.canvas.draw()
    yield ax


def test_every_idea_is_linked_and_the_map_is_one_piece():
    ideas = {*COURSE, *ELSEWHERE}
    assert {idea for start, _, end in LINKS for idea in (start, end)} == ideas
    reached, edge = set(), {"break-even"}
    while edge:
        reached |= edge
        touching = [(a, b) for a, _, b in LINKS if {a, b} & reached]
        edge = {idea for link in touching for idea in link} - reached
    assert reached == ideas


def test_three_or_more_topics_from_elsewhere_lead_into_the_course():
    assert len({a for a, _, b in LINKS if a in ELSEWHERE and b in COURSE}) >= 3


def test_no_text_covers_another_or_leaves_the_picture(drawn):
    texts = [text for text in drawn.texts if text.get_text()]
    assert len(texts) == len(COURSE) + len(ELSEWHERE) + len(LINKS) + 2  # and the key's two words
    boxes = {text.get_text(): text.get_window_extent() for text in texts}
    for (name, box), (other, its_box) in combinations(boxes.items(), 2):
        assert not box.overlaps(its_box), f"{name!r} and {other!r} overlap"
    page = drawn.figure.bbox
    for name, box in boxes.items():
        assert page.x0 <= box.x0 and box.x1 <= page.x1, f"{name!r} is cut off"
        assert page.y0 <= box.y0 and box.y1 <= page.y1, f"{name!r} is cut off"


def test_every_idea_fits_its_box(drawn):
    shapes = [patch.get_window_extent() for patch in drawn.patches]
    for text in drawn.texts:
        if text.get_gid() == "idea":
            words = text.get_window_extent()
            assert any(
                shape.x0 < words.x0 and words.x1 < shape.x1
                and shape.y0 < words.y0 and words.y1 < shape.y1
                for shape in shapes
            ), f"{text.get_text()!r} is wider than its box"  # fmt: skip
