# SPDX-License-Identifier: Apache-2.0
"""Native code: --tier, its cache, machines without a compiler, errors and limits. That it draws the same bits: test/native."""
import json
import os
import pathlib
import signal
import stat
import subprocess
import time
import unittest
import program
from program import ProgramTest

WALK = """(defquery walk [ys]
  (reduce (fn [x y]
            (let [x (sample (normal x 1))]
              (observe (normal x 0.5) y)
              x))
          0.0 ys))
(def walk-value [[1.0 2.0 1.5 0.5 0.0 1.0]])
"""

LOOP = "(println (loop [i 0] (if (< i 200000) (recur (inc i)) i)))"


class Native(ProgramTest):
    def summary(self, file, *arguments):
        return self.answer("infer", file, "-a", "smc", "--particles", "200", "-n", "2000", *arguments)

    def answer(self, *arguments):
        out, _ = self.run_chancel(*arguments, "--seed", "3", "-f", "json", "-q")
        return {k: v for k, v in json.loads(out).items() if k in ("predicts", "log_evidence")}

    def objects(self):
        return sorted((self.folder / ".cache/chancel/native").glob("*"))

    def test_tiers_agree_and_the_cache_is_kept(self):
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "vm")
        self.assertEqual(self.objects(), [])
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        made = self.objects()
        self.assertEqual(len(made), 1, made)  # nothing is left of the compilation
        self.assertEqual(stat.S_IMODE(made[0].parent.stat().st_mode), 0o700)
        before = made[0].stat().st_mtime_ns
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        self.assertEqual(made[0].stat().st_mtime_ns, before)

    def test_a_long_program(self):
        """As many resume points as the program has observes, and so much code that it is compiled in another way."""
        steps = 150
        lines = [f"""(defm step{i} [x y]
  (let [a (sample (normal x {1 + i % 7}.0))
        b (if (> a {i % 5}.0) (+ a (* y {i + 1}.5)) (- a (* y 2.0)))
        c (loop [k 0 s 0.0] (if (< k {i % 4}) (recur (+ k 1) (+ s (* b 0.1))) s))]
    (observe (normal (max b c) {200 + i % 3}.0) {i % 9}.25)
    (+ c 0.5)))""" for i in range(steps)]
        lines += ["(defquery long (predict :x (let [x0 (sample (normal 0 1))"]
        lines += [f"  x{i + 1} (step{i} x{i} {i}.0)" for i in range(steps)] + [f"] x{steps})))"]
        file = self.write("long.clj", "\n".join(lines))
        self.assertEqual(self.summary(file, "--tier", "native"), self.summary(file, "--tier", "vm"))
        out, _ = self.run_chancel("dump", "--pass", "segments", file)
        self.assertIn(f"resume point {steps}:", out)

    def test_segments_are_shown_without_passes_and_run_without_a_compiler(self):
        walk = self.write("walk.clj", WALK)
        whole, _ = self.run_chancel("dump", "--pass", "segments", walk)
        self.assertIn("rest at point 1", whole)
        self.assertIn("together, only common", whole)
        parts, _ = self.run_chancel("dump", "--pass", "segments", "--without", "escape,dead", walk)
        self.assertNotIn("only common", parts)
        _, errors = self.run_chancel("dump", "--pass", "segments", "--without", "escpe", walk, code=64)
        self.assertIn("escape", errors)
        self.assertEqual(self.summary(walk, "--tier", "segment"), self.summary(walk, "--tier", "vm"))
        self.assertEqual(self.objects(), [])
        times, _ = self.run_chancel("infer", walk, "-a", "smc", "-n", "100", "--profile")
        for step in ("lower", "cse", "hoist", "sink", "escape", "dead", "emit"):
            self.assertRegex(times, rf"(?m)^{step} +[0-9.]+ ms")

    def test_a_broken_entry_is_made_again(self):
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "native")
        [entry] = self.objects()
        good = entry.read_bytes()
        for broken in (b"nonsense", good[:5000], good[:4096] + bytes(4096) + good[8192:], b""):
            entry.write_bytes(broken)
            self.assertEqual(self.summary(walk, "--tier", "native"), vm)
            [made] = self.objects()
            if program.PATIENCE == 1:  # sanitizers put the name of the source into it
                self.assertEqual(made.read_bytes(), good)
            self.assertNotEqual(made.read_bytes(), broken)

    def test_an_entry_that_others_may_write_is_not_loaded(self):
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "native")
        [entry] = self.objects()
        entry.chmod(0o666)
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        self.assertEqual(stat.S_IMODE(self.objects()[0].stat().st_mode), 0o600)

    def test_without_a_compiler(self):
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "vm")
        environment = {**self.environment(), "PATH": str(self.folder)}
        for tier in ("native", "auto"):
            done = subprocess.run([program.PROGRAM, "infer", walk, "-a", "smc", "--particles", "200", "-n", "2000", "--seed", "3", "-f",
                                   "json", "-q", "--tier", tier], capture_output=True, text=True, env=environment, check=True)
            self.assertEqual({k: v for k, v in json.loads(done.stdout).items() if k in vm}, vm)
        done = subprocess.run([program.PROGRAM, "--version"], capture_output=True, text=True, env=environment, check=True)
        self.assertIn("no C compiler: everything is interpreted", done.stdout)
        self.assertIn("native code by ", self.run_chancel("--version")[0])

    def test_a_run_where_nothing_may_be_written(self):
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "vm")
        (self.folder / ".cache").write_text("in the way")
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        done = subprocess.run([program.PROGRAM, "run", "--tier", "native", self.write("loop.clj", LOOP)], capture_output=True, text=True,
                              env={**self.environment(), "TMPDIR": "/nonexistent"}, check=True)
        self.assertEqual(done.stdout, "200000\n")

    def alive_in_group(self, group):
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, its_group = entry.read_text().rsplit(")", 1)[1].split()[:3]
            except OSError:
                continue
            if its_group == group and state != "Z":
                found.append(entry.parent.name)
        return found

    def endless_compiler(self):
        """An environment whose compiler never ends, and writes the number of its process group into the file group."""
        folder = self.folder / "bin"
        folder.mkdir()
        compiler = folder / "cc"
        compiler.write_text(f"#!/bin/sh\necho x > \"$TMPDIR/half-written\"\ncut -d' ' -f5 /proc/$$/stat > {self.folder}/new\n"
                            f"mv {self.folder}/new {self.folder}/group\nsleep 100 & wait\n")
        compiler.chmod(0o755)
        return {**self.environment(), "PATH": f"{folder}:/usr/bin:/bin"}

    def test_a_killed_run_leaves_no_compiler(self):
        """Neither processes nor files, though a killed run cannot clean up."""
        environment = self.endless_compiler()
        walk = self.write("walk.clj", WALK)
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            (self.folder / "group").unlink(missing_ok=True)
            run = subprocess.Popen([program.PROGRAM, "infer", walk, "-a", "smc", "--tier", "native", "-n", "0"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=environment, cwd=self.folder)
            self.wait_for((self.folder / "group").exists)
            run.send_signal(how)
            run.wait()
            group = (self.folder / "group").read_text().strip()
            self.wait_for(lambda: not self.alive_in_group(group))
            self.wait_for(lambda: not self.objects())

    def wait_for(self, condition):
        end = time.monotonic() + 30 * program.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_an_object_under_another_name_is_not_used(self):
        """Of one user's cache: a file that was copied, or renamed by mistake."""
        other = self.write("other.clj", WALK.replace("x 0.5", "x 0.7"))
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "vm")
        self.summary(other, "--tier", "native")
        (wrong,) = self.objects()
        self.summary(walk, "--tier", "native")
        (right,) = [o for o in self.objects() if o != wrong]
        right.write_bytes(wrong.read_bytes())
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        self.assertNotEqual(right.read_bytes(), wrong.read_bytes())

    def test_nothing_is_written_through_links(self):
        precious = pathlib.Path(self.write("precious", "precious\n"))
        walk = self.write("walk.clj", WALK)
        vm = self.summary(walk, "--tier", "native")
        (made,) = self.objects()
        made.unlink()
        made.symlink_to(precious)
        self.assertEqual(self.summary(walk, "--tier", "native"), vm)
        self.assertEqual(precious.read_text(), "precious\n")
        self.assertFalse(made.is_symlink())

    def test_a_compiler_that_does_not_end(self):
        """The time limit holds, and nothing is left of the compiler."""
        environment = self.endless_compiler()
        for command in (("run", "--tier", "native", "--timeout", "1", self.write("loop.clj", LOOP)),
                        ("infer", self.write("walk.clj", WALK), "--tier", "native", "--timeout", "1", "-a", "smc")):
            done = subprocess.run([program.PROGRAM, *command], capture_output=True, text=True, env=environment, timeout=20 * program.PATIENCE)
            self.assertIn("the time limit is over", done.stderr)
            self.wait_for(lambda: not self.alive_in_group((self.folder / "group").read_text().strip()))
            self.assertEqual(self.objects(), [])

    @unittest.skipIf(program.PATIENCE != 1, "sanitizers need memory of their own")
    def test_garbage_of_native_code(self):
        """A function that leaves much of it is given back to the interpreter, which collects."""
        file = self.write("garbage.clj", """(defn f [n k] (loop [i 0 s 0] (if (< i n) (recur (inc i) (+ s (count (vec (range k))))) s)))
(dotimes [_ 10000] (f 1 10))
(println (f 2000 20000))
""")
        with subprocess.Popen([program.PROGRAM, "run", "--tier", "native", file], stdout=subprocess.PIPE, env=self.environment()) as process:
            out = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = status
        self.assertEqual((out, status), (b"40000000\n", 0))
        self.assertLess(used.ru_maxrss, 300 << 10)

    def test_threads_do_not_matter(self):
        walk = self.write("walk.clj", WALK)
        for run in (("-a", "importance", "-n", "40000"), ("-a", "pcascade", "--particles", "500", "-n", "20000"),
                    ("-a", "rejection", "-o", ":log-bound -1.3", "-n", "40")):
            vm = self.answer("infer", walk, *run, "--tier", "vm")
            for tier, threads in (("native", 1), ("native", 2), ("native", 7), ("auto", 1)):
                self.assertEqual(self.answer("infer", walk, *run, "--tier", tier, "--threads", str(threads)), vm, (tier, threads))

    def test_long_executions_are_collected_on_the_way(self):
        file = self.write("long.clj", """(defquery long-walk
  (loop [i 0 x 0.0 past [0.0]]
    (if (< i 20000)
      (let [x (sample (normal (* 0.9 x) 1))]
        (observe (normal x 50) 1)
        (recur (inc i) x (conj (if (> (count past) 8) [] past) x)))
      (predict :x x))))
""")
        run = ("infer", file, "-a", "importance", "-n", "150", "--max-memory", "100M")
        vm = self.answer(*run, "--tier", "vm")
        for threads in ("1", "3"):
            self.assertEqual(self.answer(*run, "--tier", "native", "--threads", threads), vm)

    def test_errors_are_those_of_the_interpreter(self):
        file = self.write("bad.clj", """(defn spread [x] (- x 1.5))
(defquery bad
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 1)
    (let [y (sample (normal x 1))]
      (observe (normal 0 (spread y)) 1)
      (predict :y y))))
""")
        for engine in ("smc", "importance", "pcascade"):
            said = [self.run_chancel("infer", file, "-a", engine, "-n", "500", "--seed", "1", "--tier", tier, "--threads", threads,
                                     code=70)[1] for tier, threads in (("vm", "1"), ("native", "1"), ("native", "3"))]
            self.assertEqual(said[0], said[1])
            self.assertEqual(said[0], said[2])
            self.assertIn("bad.clj:6:", said[0])

    def test_warnings_are_those_of_the_interpreter(self):
        """Observes in branches: the first two places that particles stand at are named."""
        file = self.write("branches.clj", """(defquery branches
  (let [b (sample (flip 0.5))]
    (if b
      (observe (normal 0 1) 0.5)
      (observe (normal 0 2) 0.5))
    (predict :b b)))
""")
        for seed in range(1, 6):
            said = [[line for line in self.run_chancel("infer", file, "-a", "smc", "--particles", "300", "-n", "300", "--seed", str(seed), "--tier", tier,
                                                       "--threads", threads, "-f", "csv")[1].splitlines() if "line " in line]
                    for tier, threads in (("vm", "1"), ("vm", "2"), ("native", "1"), ("native", "2"))]
            self.assertTrue(said[0])
            self.assertEqual(said, said[:1] * 4)

    def test_an_endless_loop_meets_the_time_limit(self):
        file = self.write("endless.clj", """(defquery endless
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 1)
    (loop [y (sample (normal x 1))]
      (if (< y 1.0E9) (recur (sample (normal x 1))) y))))
""")
        for engine in ("smc", "importance", "pcascade"):
            _, err = self.run_chancel("infer", file, "-a", engine, "-n", "500", "--seed", "1", "--tier", "native", "--timeout", "1",
                                      code=70)
            self.assertIn("L002", err)

    def test_an_unknown_tier(self):
        _, err = self.run_chancel("infer", self.write("walk.clj", WALK), "--tier", "nativ", code=64)
        self.assertIn("there is no tier 'nativ'", err)
        self.assertIn("native", err)


if __name__ == "__main__":
    program.main()
