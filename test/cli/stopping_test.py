# SPDX-License-Identifier: Apache-2.0
"""Runs that end early: Ctrl-C, closed pipes, limits; and progress on standard error."""
import hashlib
import json
import os
import re
import select
import shlex
import signal
import time
import program
from program import COIN, MEGABYTE, ProgramTest


class Stopping(ProgramTest):
    def wait_for_draws(self, process):
        """Reads the first byte of the draws, so that the run is under way, and nothing into a buffer."""
        return os.read(process.stdout.fileno(), 1).decode()

    def wait_for_print(self, process):
        """Reads the first byte that the program prints, outside its query."""
        return os.read(process.stderr.fileno(), 1).decode()

    def test_interrupt_prints_what_is_there(self):
        folder = self.folder / "run"
        process = self.start_chancel("infer", self.write("coin.clj", COIN), "-a", "importance", "-n", "0", "-f", "table",
                                     "--seed", "1", "--out", folder)
        draws = folder / "draws.csv"
        while not (draws.exists() and draws.stat().st_size > 1 << 16):  # some thousand
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, err)
        self.assertRegex(out, r"(?m)^:bias +0\.6")
        self.assertIn("L005", out)

    def test_interrupt_of_written_draws_leaves_whole_lines(self):
        file = self.write("coin.clj", COIN)
        process = self.start_chancel("infer", file, "-a", "importance", "-n", "0", "-f", "ndjson", "--seed", "1")
        first = self.wait_for_draws(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        for line in (first + out).splitlines():
            json.loads(line)

    def test_interrupt_inside_an_endless_execution(self):
        file = self.write("endless.clj", "(println 1) (defquery endless (loop [i 0] (recur (+ i 1))))")
        for engine in ("importance", "smc", "lmh"):
            process = self.start_chancel("infer", file, "-a", engine)
            self.wait_for_print(process)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130, err)
            self.assertIn("L005", err)

    def test_interrupt_outside_the_query(self):
        file = self.write("endless.clj", "(def x (do (println 1) (loop [] (recur)))) (defquery q (predict x))")
        process = self.start_chancel("infer", file)
        self.wait_for_print(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("L005", err)

    def test_interrupt_of_a_script(self):
        process = self.start_chancel("run", self.write("endless.clj", "(println 1) (flush) (loop [] (recur))"))
        first = self.wait_for_draws(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(first + out, "1\n")

    def test_one_signal_ends_a_library_function(self):
        """Structure that is shared again and again: a walk over it has no end."""
        shared = "(def s (loop [s 1 n 0] (if (< n 60) (recur [s s] (inc n)) s)))"
        for call in ("(println s)", "(flatten s)", "(last (range 9223372036854775807))"):
            for sent in (signal.SIGINT, signal.SIGTERM):
                process = self.start_chancel("run", self.write("shared.clj", shared + "(println 1) (flush)" + call))
                self.wait_for_draws(process)
                process.send_signal(sent)
                _, err = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 130, call + err)
                self.assertIn("L005", err)

    def test_one_signal_keeps_draws(self):
        """The walk is in one of many executions: the draws before it are there."""
        file = self.write("rare.clj", """
            (def s (loop [s 1 n 0] (if (< n 60) (recur [s s] (inc n)) s)))
            (defquery rare (let [x (sample (uniform-continuous 0 1))]
                             (predict :x (if (< x 0.00005) (count (flatten s)) x))))""")
        for tier in ("vm", "native"):  # nor does the compiler walk there
            process = self.start_chancel("infer", file, "-a", "importance", "-n", "0", "-f", "ndjson", "--threads", "1", "--seed",
                                         "1", "--tier", tier)
            text = b""
            # Until nothing comes any more: the walk has begun.
            while not text or select.select([process.stdout], [], [], 0.5)[0]:
                part = os.read(process.stdout.fileno(), 1 << 16)
                self.assertTrue(part, "the run ended by itself")
                text += part
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130, err)
            self.assertGreater(len((text.decode() + out).splitlines()), 500)

    def test_commands_that_run_no_program_end_at_once(self):
        pipe = self.folder / "draws.csv"  # nothing is written to it, so that reading it never ends
        os.mkfifo(pipe)
        for sent in (signal.SIGTERM, signal.SIGINT):
            process = self.start_chancel("summary", pipe)
            with open(pipe, "wb"):  # waits for the reader
                process.send_signal(sent)
                out, err = process.communicate(timeout=20)
            self.assertEqual((process.returncode, out, err), (130, "", ""))

    def test_closed_pipe(self):
        file = self.write("coin.clj", COIN)
        process = self.start_chancel("infer", file, "-a", "importance", "-n", "0", "-f", "csv")
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=20), 0)
        self.assertNotIn("error", process.stderr.read())
        process = self.start_chancel("run", self.write("p.clj", '(loop [] (println "x") (recur))'))
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=20), 0)

    def test_time_limit(self):
        file = self.write("coin.clj", COIN)
        start = time.monotonic()
        out, _ = self.run_chancel("infer", file, "-a", "importance", "-n", "0", "--timeout", "500ms")
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn("L002", out)
        self.assertIn(":bias", out)
        _, err = self.run_chancel("infer", self.write("endless.clj", "(defquery endless (loop [i 0] (recur (+ i 1))))"), "-a",
                                  "importance", "--timeout", "0.3", code=70)
        self.assertIn("L002", err)
        _, err = self.run_chancel("run", "--timeout", "0.3", self.write("loop.clj", "(loop [] (recur))"), code=70)
        self.assertIn("error[L002]", err)

    def test_a_run_that_the_clock_ended_says_how_to_repeat_it(self):
        """Two modes that no chain leaves: it would take for ever."""
        file = self.write("modes.clj", "(defquery modes (let [x (sample (normal 0 10))] (observe (normal (* x x) 0.01) 25) (predict :x x)))")
        for more in ([], ["-a", "lmh", "-n", "1000000000"]):
            with self.subTest(more=more):
                limit, code = 0.2, 70
                while code == 70:  # a busy machine may be in the warm-up still
                    limit *= 2
                    options = ["--timeout", f"{limit}s", "--seed", "3", *more]
                    process = self.start_chancel("infer", file, *options)
                    out, err = process.communicate(timeout=program.TIMEOUT_SECONDS)
                    code = process.returncode
                self.assertEqual(code, 0, err)
                rounds = re.search(r"(?m)^Stopped +the time limit of .*; --rounds (\d+) repeats it$", out).group(1)
                command = shlex.split(re.search(r"(?m)^Repeat +chancel (.*)$", out).group(1))
                self.assertEqual(command[-2:], ["--rounds", rounds])
                self.assertNotIn("--timeout", command)
                for threads in ("1", "3"):
                    again, _ = self.run_chancel(*command, "--threads", threads)
                    self.assertIn(f"Stopped       {rounds} round", again)
                    for line in (r"(?m)^:x .*$", r"(?m)^Divergences .*$", r"(?m)^Acceptance .*$", r"(?m)^Work .*$"):
                        self.assertEqual(re.findall(line, again), re.findall(line, out))
                draws = [self.digest(*command, "-f", "csv", "-q", "--threads", threads) for threads in ("1", "2")]
                self.assertEqual(draws[0], draws[1])

    def digest(self, *arguments):
        """Of the output, which is not held: peaks of memory that other tests look at include what this process had."""
        process = self.start_chancel(*arguments)
        digest = hashlib.sha256()
        while part := os.read(process.stdout.fileno(), 1 << 16):
            digest.update(part)
        self.assertEqual(process.wait(timeout=program.TIMEOUT_SECONDS), 0)
        return digest.hexdigest()

    def test_rounds_are_kept_with_the_run(self):
        file, out = self.write("coin.clj", COIN), self.folder / "run"
        self.run_chancel("infer", file, "-a", "lmh", "-n", "500", "--chains", "2", "--rounds", "30", "--seed", "1", "--out", out, "-q")
        run = json.loads((out / "run.json").read_text())
        self.assertEqual((run["rounds"], run["rounds_made"], run["cut"], run["burn"], run["burn_used"]), (30, 30, False, None, 500))
        self.assertEqual(run["diagnostics"]["draws"], 60)
        self.assertIn("Stopped       30 rounds, as asked for (--rounds)", self.run_chancel("summary", out)[0])
        _, err = self.run_chancel("infer", file, "--rounds", "0", code=64)
        self.assertIn("--rounds must be at least 1", err)

    def test_few_draws_are_not_to_be_trusted_in_any_format(self):
        file = self.write("line.clj", "(defquery line (let [a (sample (normal 0 3))] (observe (normal a 1) 1.5) (observe (normal a 1) 2.5) (predict :a a)))")
        for draws in (1, 2, 19):
            # Counted over all chains: nothing can be said about any of them.
            for chains in ("1", "4") if draws < 5 else ("1",):
                run = ["infer", file, "-a", "nuts", "-n", draws, "--chains", chains, "--warmup", "50", "--seed", "1"]
                for form in ("table", "json", "anglican", "clojure", "json-lines", "csv", "ndjson"):
                    with self.subTest(draws=draws, chains=chains, form=form):
                        out, err = self.run_chancel(*run, "-f", form)
                        if form == "json":
                            self.assertEqual(json.loads(out)["warnings"][0]["weight"], "grave")
                        else:
                            self.assertIn("do not trust this", out if form == "table" else err)
        folder = self.folder / "few"
        self.run_chancel("infer", file, "-a", "nuts", "-n", "5", "--warmup", "50", "--seed", "1", "-q", "--pointwise", "--out", folder)
        self.assertIn("do not trust this", self.run_chancel("summary", folder)[0])
        self.assertEqual(json.loads(self.run_chancel("summary", folder, "-f", "json")[0])["warnings"][0]["weight"], "grave")
        self.assertIn("do not trust this", self.run_chancel("summary", folder, "-f", "csv")[1])
        self.assertIn("do not trust this", self.run_chancel("summary", folder / "draws.csv")[0])
        self.assertIn("do not trust this: 5 draws", self.run_chancel("summary", "--loo", folder)[0])
        self.assertEqual(json.loads(self.run_chancel("summary", "--loo", folder, "-f", "json")[0])["warnings"][0]["weight"], "grave")
        self.assertIn("do not trust this: 5 draws", self.run_chancel("compare", folder, folder)[0])
        # Enough of them: nothing of the kind.
        _, err = self.run_chancel("infer", file, "-a", "importance", "-n", "2000", "--seed", "1", "-f", "csv")
        self.assertNotIn("do not trust", err)

    def test_time_limit_in_the_warmup(self):
        """A result without draws and numbers, which says why and what to do."""
        file = self.write("coin.clj", COIN)
        for engine in ("nuts", "rmh", "block", "lmh"):
            with self.subTest(engine=engine):
                run = ["infer", file, "-a", engine, "-n", "100", "--warmup", "1000000000", "--timeout", "300ms", "--seed", "1"]
                out, err = self.run_chancel(*run, code=70)
                self.assertIn("Stopped       the time limit of 0.3 s, in the warm-up\n", out)
                self.assertIn("Draws         0; stopped early, 100 were asked for", out)
                self.assertRegex(out, r"warning\[L002\]: the warm-up did not end within 0.3 s, so there are no draws: "
                                      rf"\d+ of 1000000000 steps of {engine} were made, and all of them would take about \d+ (s|minutes|hours)\n"
                                      r"  hint: raise --timeout, shorten --warmup, or try another engine \(-a\)\n")
                for number in (":bias", "Mean", "Divergences"):
                    self.assertNotIn(number, out + err)
        result = json.loads(self.run_chancel(*run, "-f", "json", "-q", code=70)[0])
        self.assertEqual((result["predicts"], result["stopped"], result["diagnostics"]["interrupted"]),
                         ({}, "the time limit of 0.3 s, in the warm-up", True))
        out, err = self.run_chancel("infer", file, "--warmup", "1000000000", "--timeout", "300ms", code=70)
        self.assertIn("in the warm-up", out)
        # Not one step of it has ended.
        endless = self.write("endless.clj", "(defquery q (let [x (sample (normal 0 1))] (loop [i 0] (recur (+ i x)))))")
        _, err = self.run_chancel("infer", endless, "-a", "nuts", "--timeout", "0.3", code=70)
        self.assertIn("error[L002]", err)

    def test_fewer_draws_than_say_anything(self):
        """By default: at least 20 draws of every chain, or exit code 70 and what would be needed. A draw here takes 20 million
        calls, and no machine makes 80 draws in the time."""
        slow = self.write("slow.clj", """(defn work [x] (loop [i 0 s x] (if (< i 20000000) (recur (inc i) (* 1.0000001 s)) s)))
(defquery slow (let [n (sample (poisson 3)) x (sample (normal 0 1))] (observe (normal (+ n (work x)) 1) 2) (predict :x x)))""")
        out, err = self.run_chancel("infer", slow, "--warmup", "0", "--burn", "0", "--timeout", "1", code=70)
        self.assertRegex(out + err, r"\[L002\]: \w+ gave (no draw of some|1?\d draws of each) chain within 1 s \(\d+ executions, \d+ calls")
        self.assertRegex(out + err, "raise --timeout")
        # Enough of them, however short the time: the counts decide.
        fast = self.write("coin.clj", COIN)
        out, _ = self.run_chancel("infer", fast, "--timeout", "60")
        self.assertNotIn("L002", out)

    def test_memory_limit(self):
        file = self.write("big.clj", "(def x (vec (range 100000000)))")
        _, err = self.run_chancel("run", "--max-memory", "50M", file, code=70)
        self.assertIn("error[L001]", err)
        file = self.write("grow.clj", "(defquery grow (loop [v []] (recur (conj v 1.5))))")
        _, err = self.run_chancel("infer", file, "-a", "smc", "--particles", "2", "--max-memory", "50M", code=70)
        self.assertIn("error[L001]", err)

    def test_recordings_keep_to_the_memory_limit(self):
        file = self.write("rows.clj", "(defquery rows (let [a (sample (normal 0 1)) b (sample (normal 0 1))] (loop [i 0] (if (< i 200000)"
                          " (do (observe (normal (+ a (* b (sin i))) 1) (sin i)) (recur (inc i))))) (predict :a a)))")
        for engine in ("nuts", "block"):
            code, err, _ = self.measure("infer", file, "-a", engine, "-n", "1", "--warmup", "1", memory=50 * MEGABYTE)
            self.assertEqual(code, 70)
            self.assertIn("error[L001]: the run needs more than 50 MB of memory", err)
        code, err, _ = self.measure("infer", file, "-n", "1", "--warmup", "1", memory=50 * MEGABYTE)
        self.assertEqual(code, 0, err)
        self.assertIn("engine rmh: its recording does not fit into the memory limit", err)

    def test_large_predicts_keep_to_the_memory_limit(self):
        # What the summary holds comes on top of the run's own memory: a thousand columns, and texts of values that have no columns.
        for parts, draws in ((1000, 6000), (12000, 500)):
            file = self.write("large.clj", "(defquery large (let [x (sample (normal 0 1))] (observe (normal x 1) 0.5)"
                              "(predict :x (mapv (fn [i] (+ i x)) (range %d))) (predict :y x)))" % parts)
            for engine in ("importance", "pcascade", "ipmcmc"):
                particles = [] if engine == "importance" else ["--particles", 4]
                with self.subTest(parts=parts, engine=engine):
                    self.measure("infer", file, "-a", engine, *particles, "-n", draws, "-q", "--seed", "1",
                                 memory=50 * MEGABYTE)

    def test_depth_and_output_limits(self):
        file = self.write("deep.clj", "(defn f [n] (+ 1 (f (+ n 1))))\n(f 0)")
        _, err = self.run_chancel("run", "--max-depth", "1000", file, code=70)
        self.assertIn("error[L003]", err)
        file = self.write("prints.clj", '(loop [] (println "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") (recur))')
        out, err = self.run_chancel("run", "--max-output", "1k", "--timeout", "20", file, code=70)
        self.assertIn("error[L004]", err)
        self.assertLessEqual(len(out), 1024)

    def test_progress_bar_on_a_terminal(self):
        text = self.run_on_terminal("infer", self.write("coin.clj", COIN), "-a", "importance", "-n", "0", "--timeout", "1.5")
        self.assertRegex(text, r"\r\d+ draws  1 s, \d+ draws/s")
        self.assertTrue(text.endswith("\r\x1b[K"), text[-80:])  # wiped at the end

    def test_quiet(self):
        _, err = self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "-n", "100", "-f", "csv", "-q")
        self.assertEqual(err, "")


if __name__ == "__main__":
    program.main()
