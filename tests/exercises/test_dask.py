"""Grading on a Dask cluster of two local workers, one of which dies on the way."""

import os
import signal
import threading
import time

import distributed
import pytest

from .sample import RIGHT, Course, needs_bubblewrap, notebook, points, right

pytestmark = [pytest.mark.xdist_group("dask"), pytest.mark.long]
STUDENTS = [f"student-{number:02}" for number in range(12)]


@pytest.fixture
def cluster():
    needs_bubblewrap()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  host="127.0.0.1") as made:
        yield made


def test_workers_must_not_see_the_secrets(cluster, tmp_path, monkeypatch, capsys):
    course = Course(tmp_path, monkeypatch)
    course.hand_in("a.ipynb", notebook(right("amal")))
    secret = "/usr/lib/os-release"
    assert course.grade("--dask", cluster.scheduler_address, "--salt", secret) == 2
    assert f"the sandbox must see /usr, and {secret} is inside it" in capsys.readouterr().err


def test_a_killed_worker_loses_nothing(cluster, tmp_path, monkeypatch):
    course = Course(tmp_path, monkeypatch)
    for student in STUDENTS:
        course.hand_in(f"{student}.ipynb", notebook(
            [*right(student), "import time; time.sleep(0.5)"]))
    workers = [worker.pid for worker in cluster.workers.values()]
    killed = []

    def kill():
        """Kill a worker at its first submission."""
        journal = course.marks.with_name("marks.csv.journal")
        while not killed and not course.marks.exists():
            tasks = cluster.scheduler.tasks.values()
            if any("work_off" in str(task.key) and task.processing_on for task in tasks):
                time.sleep(0.3)
                os.kill(workers[0], signal.SIGKILL)
                killed.append(workers[0])
            assert not journal.exists() or killed
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    code = course.grade("--dask", cluster.scheduler_address, "--cell-timeout", 60)
    killer.join()
    assert killed and code == 0
    assert [row["student"] for row in course.rows()] == STUDENTS
    assert [points(row) for row in course.rows()] == [RIGHT] * len(STUDENTS)
