"""The filter of system calls, in the sandbox and instruction by instruction."""

import errno
import platform
import struct

import pytest

from exercises.syscalls import ALLOW, AUDIT, CLONE, DENIED, SOCKET, X32, seccomp_filter

from .sample import left_in, needs_bubblewrap


def test_refused_system_calls():
    needs_bubblewrap()
    tried = left_in("tried", """
        import ctypes, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def errno_of(call, *args):
            ctypes.set_errno(0)
            return ctypes.get_errno() if getattr(libc, call)(*args) == -1 else 0
        tried = {
            "unshare": errno_of("unshare", 0x10000000),
            "memfd_create": errno_of("memfd_create", b"x", 0),
            "shmget": errno_of("shmget", 0, 4096, 0o600),
            "sched_setaffinity": errno_of("sched_setaffinity", 0, 8, b"\\x01" + bytes(7)),
            "clone": errno_of("syscall", 56 if os.uname().machine == "x86_64" else 220,
                              0x10000000, 0, 0, 0, 0),
        }
        try:
            socket.socket(40, socket.SOCK_STREAM)
        except OSError as error:
            tried["vsock"] = error.errno
        with socket.socket(), socket.socket(socket.AF_UNIX):
            pass
        import threading
        thread = threading.Thread(target=lambda: tried.update(thread=0))
        thread.start()
        thread.join()""")
    refused = dict.fromkeys(
        ["unshare", "memfd_create", "shmget", "sched_setaffinity", "clone", "vsock"], errno.EPERM)
    assert tried == refused | {"thread": 0}


def verdict(program, machine, number, argument=0):
    """Run a seccomp filter as the kernel would, on the few instructions it uses."""
    held, at = 0, 0
    data = struct.pack("=iIQ6Q", number, AUDIT[machine], 0, argument, 0, 0, 0, 0, 0)
    code = list(struct.iter_unpack("=HBBI", program))
    while True:
        operation, yes, no, value = code[at]
        at += 1
        if operation == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[operation]
            at += yes if holds else no


@pytest.mark.parametrize("machine", AUDIT)
def test_filter_on_both_processors(machine):
    program, column = seccomp_filter(machine), list(AUDIT).index(machine)
    refused = 0x00050000 | errno.EPERM
    for numbers in DENIED.values():
        assert verdict(program, machine, numbers[column]) == refused
    assert verdict(program, machine, CLONE[column], 0x10000000) == refused
    assert verdict(program, machine, CLONE[column], 0x3D0F00) == ALLOW  # a thread
    assert verdict(program, machine, SOCKET[column], 40) == refused
    assert verdict(program, machine, SOCKET[column], 2) == ALLOW
    assert verdict(program, machine, 435) == 0x00050000 | errno.ENOSYS
    assert verdict(program, machine, {"x86_64": 0, "aarch64": 63}[machine]) == ALLOW  # read
    other = next(name for name in AUDIT if name != machine)
    assert verdict(program, other, 0) == 0x80000000
    if machine == "x86_64":
        assert verdict(program, machine, X32 | 272) == refused


def test_unknown_processor_has_no_filter():
    assert seccomp_filter("riscv64") is None
    assert (seccomp_filter() is None) == (platform.machine() not in AUDIT)
