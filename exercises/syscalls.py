"""A seccomp filter: system calls that a notebook has no use for and an attack has.

New namespaces and raw virtual sockets would lead out of the sandbox's limits;
`memfd_create` and `shmget` hold memory that no limit counts; with `sched_setaffinity`
a submission would leave its core and slow the others. See seccomp(2).
"""

import errno
import platform
import struct

# name: (x86_64, aarch64)
DENIED = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "ptrace": (101, 117),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "keyctl": (250, 219),
}
SOCKET, CLONE, CLONE3 = (41, 198), (56, 220), (435, 435)
AF_VSOCK = 40
NEW_NAMESPACES = 0x7E020080  # all CLONE_NEW* flags of clone(2)
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000  # x86_64's other table of numbers

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000


def seccomp_filter(machine=None):
    """Return the filter as bytes for `bwrap --seccomp`, or None on another processor.

    Parameters
    ----------
    machine : str
        "x86_64" or "aarch64"; None is this machine.
    """
    machine = machine or platform.machine()
    if machine not in AUDIT:
        return None
    column = list(AUDIT).index(machine)
    refuse = (RETURN, 0, 0, REFUSE | errno.EPERM)
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, AUDIT[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        program += [(AT_LEAST, 0, 1, X32), refuse]
    for numbers in DENIED.values():
        program += [(EQUAL, 0, 1, numbers[column]), refuse]
    # the C library falls back to clone, whose flags a filter can see
    program += [(EQUAL, 0, 1, CLONE3[column]), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    for call, test, value in ((CLONE, ANY_BIT, NEW_NAMESPACES), (SOCKET, EQUAL, AF_VSOCK)):
        program += [
            (EQUAL, 0, 4, call[column]),
            (LOAD, 0, 0, FIRST_ARGUMENT),
            (test, 0, 1, value),
            refuse,
            (RETURN, 0, 0, ALLOW),
        ]
    program.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
