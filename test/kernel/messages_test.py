# SPDX-License-Identifier: Apache-2.0
"""The Jupyter kernel and what is not a message: wrong signatures, missing parts, other types, random bytes. It refuses them, and
still answers. And it ends when the program that started it has gone. `--messages N` sends more of the random ones, `--seed S` others.
Run with a Python that has ZeroMQ (Debian: python3-zmq)."""
import argparse
import hashlib
import hmac
import json
import os
import pathlib
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile

PATIENCE = float(os.environ.get("CHANCEL_TEST_PATIENCE", "1"))
TIMEOUT = 30 * PATIENCE
KEY = b"a key"
PORTS = ("shell", "iopub", "stdin", "control", "hb")


def connection(folder):
    """The file that Jupyter gives a kernel, and the ports."""
    ports = {}
    sockets = [socket.socket() for _ in PORTS]
    for name, one in zip(PORTS, sockets):
        one.bind(("127.0.0.1", 0))
        ports[name] = one.getsockname()[1]
    for one in sockets:
        one.close()
    path = pathlib.Path(folder) / "connection.json"
    path.write_text(json.dumps({**{f"{name}_port": port for name, port in ports.items()}, "ip": "127.0.0.1", "transport": "tcp",
                                "key": KEY.decode(), "signature_scheme": "hmac-sha256"}))
    return str(path), ports


def signed(*parts):
    mac = hmac.new(KEY, digestmod=hashlib.sha256)
    for part in parts:
        mac.update(part)
    return [b"<IDS|MSG>", mac.hexdigest().encode(), *parts]


def message(kind, content=None):
    header = {"msg_id": "1", "session": "s", "username": "u", "msg_type": kind, "version": "5.3", "date": "2026-01-01T00:00:00Z"}
    return signed(json.dumps(header).encode(), b"{}", b"{}", json.dumps(content or {}).encode())


def wrong_messages():
    good = message("kernel_info_request")
    delimiter, signature, header, *rest = good
    return {
        "unsigned": [delimiter, b"", header, *rest],
        "another signature": [delimiter, b"0" * 64, header, *rest],
        "half a signature": [delimiter, signature[:32], header, *rest],
        "no delimiter": good[1:],
        "an empty frame": [b""],
        "a frame": [b"x"],
        "only the delimiter": [delimiter],
        **{f"{count} parts": good[:count] for count in (2, 3, 4, 5)},
        "two delimiters": [delimiter, *good],
        "more parts": good + [b"a", b"b"],
        "no JSON": signed(b"{", b"{}", b"{}", b"{}"),
        "arrays": signed(b"[]", b"[]", b"[]", b"[]"),
        "null": signed(b"null", b"null", b"null", b"null"),
        "no UTF-8": signed(b"\xff", b"\xff", b"\xff", b"\xff"),
        "an empty header": signed(b"{}", b"{}", b"{}", b"{}"),
        "a header of numbers": signed(b'{"msg_type": 3, "msg_id": 4}', b"{}", b"{}", b"{}"),
        "deep": signed(header, b"{}", b"{}", b"[" * 100000 + b"]" * 100000),
        "an unknown request": message("nosuch_request"),
        **{f"{kind} without content": message(kind + "_request")
           for kind in ("execute", "complete", "inspect", "history", "is_complete", "comm_info", "debug")},
        "a cell that is a number": message("execute_request", {"code": 3}),
        "a cell of no UTF-8": signed(header.replace(b"kernel_info", b"execute"), b"{}", b"{}", b'{"code":"\xff\xfe"}'),
        "a cursor before the text": message("complete_request", {"code": "abc", "cursor_pos": -5}),
        "a cursor after the text": message("inspect_request", {"code": "abc", "cursor_pos": 10**12, "detail_level": "x"}),
        "a comm": message("comm_msg", {"comm_id": 3}),
    }


def random_message(rng):
    """A message with some of its parts changed, left out or said twice."""
    parts = message(rng.choice(["kernel_info_request", "execute_request", "complete_request", "is_complete_request", "comm_open"]),
                    rng.choice([{}, {"code": "1"}, {"code": None, "cursor_pos": "x"}, {"code": "(", "silent": 1}]))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(parts)) if parts else 0
        what = rng.randrange(5)
        if what == 0 and parts:
            del parts[at]
        elif what == 1:
            parts.insert(at, rng.choice(parts) if parts else b"")
        elif what == 2 and parts:
            body = bytearray(parts[at] or b"x")
            body[rng.randrange(len(body))] = rng.randrange(256)
            parts[at] = bytes(body)
        elif what == 3:
            parts.insert(at, rng.randbytes(rng.randrange(100)))
        elif parts[-4:] and rng.random() < 0.5:
            parts = signed(*parts[-4:])
    return parts or [b""]


class Kernel:
    def __init__(self, program, folder):
        import zmq
        path, self.ports = connection(folder)
        self.process = subprocess.Popen([program, "kernel", "-f", path], stderr=subprocess.DEVNULL)
        self.context = zmq.Context()
        self.shell, self.control, self.stdin = (self.connect(zmq.DEALER, name) for name in ("shell", "control", "stdin"))
        self.heartbeat = self.connect(zmq.REQ, "hb")

    def connect(self, kind, name):
        one = self.context.socket(kind)
        one.linger = 0
        one.connect(f"tcp://127.0.0.1:{self.ports[name]}")
        return one

    def answers(self, after):
        """Both channels answer, whatever else they say, and the heart beats."""
        for one in (self.shell, self.control):
            header = json.loads(message("kernel_info_request")[2])
            header["msg_id"] = after
            one.send_multipart(signed(json.dumps(header).encode(), b"{}", b"{}", b"{}"))
            while True:
                assert one.poll(TIMEOUT * 1000), f"no answer after {after}: the kernel {self.state()}"
                reply = one.recv_multipart()
                parent = json.loads(reply[reply.index(b"<IDS|MSG>") + 3])
                if parent.get("msg_id") == after:
                    break
        self.heartbeat.send(b"ping")
        assert self.heartbeat.poll(TIMEOUT * 1000) and self.heartbeat.recv() == b"ping", f"no heartbeat after {after}"

    def state(self):
        code = self.process.poll()
        return "runs" if code is None else f"has ended with {code}"

    def end(self):
        self.process.kill()
        self.process.wait()
        self.context.destroy(linger=0)


def refuses(program, count, seed):
    with tempfile.TemporaryDirectory() as folder:
        kernel = Kernel(program, folder)
        try:
            kernel.answers("start")
            for name, parts in wrong_messages().items():
                for one in (kernel.shell, kernel.control, kernel.stdin):
                    one.send_multipart(parts)
                kernel.answers(name)
            rng = random.Random(seed)
            for number in range(count):
                rng.choice([kernel.shell, kernel.control, kernel.stdin]).send_multipart(random_message(rng))
                if number % 20 == 19:
                    kernel.answers(f"random message {number} of seed {seed}")
            kernel.answers("the end")
        finally:
            kernel.end()
    print(f"refused: {len(wrong_messages())} kinds on three channels, {count} random ones")


def ends_with_its_parent(program):
    """A process starts a kernel as Jupyter does and is killed. What the kernel holds open says when it has ended."""
    start = ("import os, subprocess, sys, time\n"
             "subprocess.Popen(sys.argv[1:], env={**os.environ, 'JPY_PARENT_PID': str(os.getpid())}, pass_fds=(1,))\n"
             "print('started', flush=True)\n"
             "time.sleep(1000)\n")
    with tempfile.TemporaryDirectory() as folder:
        path, _ = connection(folder)
        parent = subprocess.Popen([sys.executable, "-c", start, program, "kernel", "-f", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        assert parent.stdout.readline() == b"started\n"
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        while select.select([parent.stdout], [], [], TIMEOUT)[0]:
            if not os.read(parent.stdout.fileno(), 4096):
                break
        else:
            raise AssertionError("the kernel lives on after the program that started it")
    print("ended with its parent")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--messages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        import zmq  # noqa: F401
    except ImportError as missing_module:
        print(f"not tested: {missing_module}; scripts/setup --test-all installs it")
        sys.exit(77)
    ends_with_its_parent(os.path.abspath(options.program))
    refuses(os.path.abspath(options.program), options.messages, options.seed)
