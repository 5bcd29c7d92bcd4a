"""A roster works, or its error names file and line."""

import pytest

from exercises import roster


@pytest.fixture
def read(tmp_path):
    def read_(text, encoding="utf-8"):
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode(encoding))
        return roster.read(path)
    return read_


@pytest.mark.parametrize("text, ids", [
    ("student,name\namal,Amal\nbo,Bo\n", ["amal", "bo"]),
    ("\ufeffstudent,name\namal,Amal\n", ["amal"]),
    ("name;id;group\nAmal Rao;amal;1\n", ["amal"]),
    ("Name\tStudent ID\nAmal\tamal\n", ["amal"]),
    ("student\namal\nbo", ["amal", "bo"]),
    ("\n\nstudent\r\namal\r\n\r\nbo\r\n , \r\n", ["amal", "bo"]),
    ('student,name\n amal ,"Rao, Amal"\n', ["amal"]),
    ("student,name,\namal,Amal,\n", ["amal"]),
    ("student,name\namal\n", ["amal"]),
    ("student\n12345\n012345\n", ["12345", "012345"]),
    ("student\nअमल\n李\n", ["अमल", "李"]),
])
def test_it_works(read, text, ids):
    assert [student.id for student in read(text)] == ids


@pytest.mark.parametrize("text, message", [
    ("", "it is empty"),
    (" \n\n", "it is empty"),
    ("student,name\n", "no student below"),
    ("amal,Amal\nbo,Bo\n", "line 1: no heading `student` among 'amal', 'Amal'"),
    ("amal\nbo\n", "line 1: no heading `student`"),
    ("student,name\namal,Amal\n,Bo\n", "line 3: student = ''"),
    ("student,name\namal,A\nbo,B\namal,A\n", "line 4: 'amal' is the same id as 'amal' in line 2"),
    ("student\nAmal\namal \n", "line 3: 'amal' is the same id as 'Amal' in line 2"),
    ("student\ncaf\u00e9\ncafe\u0301\n", "line 3: .* in line 2"),
    ("student\nﬁ\nfi\n", "line 3: 'fi' is the same id as 'ﬁ' in line 2"),
    ("student\nstraße\nSTRASSE\n", "line 3: .* in line 2"),
    ("student,name\nrao,amal,Amal\n", "line 2: 3 fields under 2 headings"),
    ("student\na\u200bmal\n", "line 2: .* invisible"),
    pytest.param("student\namal\n" + "x" * 201, "line 3: student = 'x+…': .* 200 characters$",
                 id="a long id"),
    ('student\n"amal\nbo\n', "line 3: unexpected end of data"),
])
def test_trouble_names_the_line(read, text, message):
    with pytest.raises(ValueError, match=f"roster.csv.*{message}"):
        read(text)


def test_another_encoding_names_the_line(read):
    with pytest.raises(ValueError, match=r"roster.csv, line 3: not UTF-8"):
        read("student\namal\nJosé\n", encoding="latin-1")
    with pytest.raises(ValueError, match=r"roster.csv, line 1: not UTF-8"):
        read("student\namal\n", encoding="utf-16")


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="lost.csv: No such file"):
        roster.read(tmp_path / "lost.csv")


def test_ten_thousand_rows(read):
    students = read("student,name\n" + "".join(f"s{n:05},Name {n}\n" for n in range(10_000)))
    assert len({student.key for student in students}) == 10_000
    assert (students[-1].id, students[-1].line) == ("s09999", 10_001)
