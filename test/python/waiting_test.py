# SPDX-License-Identifier: Apache-2.0
"""During a run: other Python threads run, Ctrl-C stops it and leaves what was drawn, several threads may use one model; and making
arrays of draws costs little beside drawing them."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import chancel

NORMAL = "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 3) (predict :x x)))"


def test_other_threads_run_meanwhile():
    model = chancel.compile(NORMAL)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    model.infer("lmh", 10 ** 9, seed=1, timeout=1.0)
    end = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in ticks if begin < t < end]
    # With the lock held there would be none but perhaps at the edges.
    assert len(inside) >= 20, len(inside)
    assert max(np.diff([begin] + inside + [end])) < 0.9


def test_runs_in_threads_are_the_same():
    models = [chancel.compile(NORMAL) for _ in range(2)]
    expected = models[0].infer("lmh", 3000, seed=8)["x"]
    found = []

    def run(model):
        found.append(model.infer("lmh", 3000, seed=8)["x"])

    threads = [threading.Thread(target=run, args=(models[i % 2],)) for i in range(6)]  # three on each model
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and all((x == expected).all() for x in found)


INTERRUPTED = """
import sys, time, chancel
model = chancel.compile({program!r})
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt as error:
    result = getattr(error, "result", None)
    print(type(error).__name__, "none" if result is None else len(result.log_weights), result is not None and result.interrupted)
fast = chancel.compile("(defquery q (predict :x (sample (flip 0.5))))")
print(len(fast.infer("lmh", 100, seed=1)["x"]), flush=True)  # all is well afterwards
"""
SLOW_STEP = "(defquery q (let [x (sample (normal 0 1))] (loop [i 0] (if (< i 100000000000) (recur (+ i 1)) nil)) (predict :x x)))"


def interrupt(call, program=NORMAL, after=1.0):
    """(what the interrupted script printed, seconds from the signal to its end)"""
    script = INTERRUPTED.format(program=program, call=call)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(after)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        return out.split(), time.monotonic() - begin
    finally:
        process.kill()


def test_interrupt_keeps_the_draws():
    (kind, draws, interrupted, after), seconds = interrupt("model.infer('lmh', 10**9, seed=1)")
    assert (kind, interrupted, after) == ("Interrupted", "True", "100")
    assert int(draws) > 100 and seconds < 20


def test_interrupt_inside_a_long_step():
    (kind, draws, interrupted, after), seconds = interrupt("model.infer('importance', 10, seed=1)", SLOW_STEP)
    assert (kind, draws, interrupted, after) == ("Interrupted", "0", "True", "100") and seconds < 20


def test_interrupt_a_stream():
    (kind, _, _, after), seconds = interrupt("[0 for _ in model.stream('lmh', seed=1)]")
    assert kind == "KeyboardInterrupt" and after == "100" and seconds < 20


def test_interrupt_a_definition():
    text = "(def x (loop [i 0] (if (< i 100000000000) (recur (+ i 1)) i)))"
    (kind, _, _, after), seconds = interrupt(f"chancel.compile({text!r})")
    assert kind == "KeyboardInterrupt" and after == "100" and seconds < 20


def test_a_handler_that_raises_nothing_lets_the_run_continue():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        result = chancel.compile(NORMAL).infer("lmh", 10 ** 9, seed=1, timeout=1.0)
        assert seen == [1] and result.statistics["seconds"] > 0.9
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_handler_s_own_exception_comes_through():
    def raise_it(*_):
        raise RuntimeError("mine")

    before = signal.signal(signal.SIGUSR1, raise_it)
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(RuntimeError, match="mine"):
            chancel.compile(NORMAL).infer("lmh", 10 ** 9, seed=1, timeout=30)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_making_arrays_costs_little():
    """A million draws of a number: the arrays are made in under a twentieth of the time that the draws take."""
    native = chancel.compile(NORMAL)._native
    run = native.start("program", "q", "lmh", {}, 10 ** 6, None, None, 0, None, 1, 1, 1, 1, None, 0.0, 0, False, True)
    begin = time.process_time()
    run.collect(0, 0.0)
    drawn = time.process_time()
    labels, arrays, *_ = run.take()
    end = time.process_time()
    assert arrays[0].shape == (10 ** 6,) and labels == [":x"]
    assert end - drawn < 0.05 * (drawn - begin)
