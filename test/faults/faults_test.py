# SPDX-License-Identifier: Apache-2.0
"""Runs in which one call for memory or a thread fails (failing_calls.c): each gives the right output, or L001 with exit code 70, and
leaves a run directory that can be resumed. `--calls` says which calls: "1-300/1,307-2000/7" are the first 300 and then every 7th.
They are counted from where the program reads a file in its first form: what comes before is the same for all programs, and is the case
`start`. `--c-run` and `--python` add a run with the C interface (c_run.c) and with the Python module (python_run.py)."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, LIBRARY, CALLS, C_RUN, PYTHON = None, None, "1-100000/1", None, None

NORMAL = "(defquery q (let [m (sample (normal 0 1))] (observe (normal m 1) 1.5) (observe (normal m 1) 0.5) (predict :m m)))"
COINS = """(defquery q (let [a (sample (flip 0.4)) b (sample (uniform-discrete 0 3))]
  (observe (normal b 1) 1.0) (predict :a a) (predict :b b)))"""
CHAIN = """(defquery q (let [next (fn [s] (sample (get {0 (discrete [0.5 0.5]) 1 (discrete [0.2 0.8])} s)))]
  (predict :s (reduce (fn [states y] (let [s (next (peek states))] (observe (normal s 1) y) (conj states s))) [0] [0.9 0.8 0.7]))))"""
CLUSTERS = """(with-primitive-procedures [CRP] (defquery q
  (let [mean (mem (fn [k] (sample (normal 0 2))))]
    (loop [tables (CRP 1.0) data [1.0 -1.0 0.5] seats []]
      (if (seq data)
        (let [seat (sample (produce tables))]
          (observe (normal (mean seat) 1) (first data))
          (recur (absorb tables seat) (rest data) (conj seats seat)))
        (predict :same (= (first seats) (second seats))))))))"""
COLUMNS = "(defquery q [y] (let [m (sample (normal 0 1))] (doseq [v y] (observe (normal m 1) v)) (predict :m m)))"

CASES = {  # program, arguments
    "start": (COINS, ["-a", "enumerate"]),
    "smc": (CHAIN, ["-a", "smc", "--particles", "20", "-n", "40", "--threads", "2"]),
    "lmh": (CHAIN, ["-a", "lmh", "-n", "40", "-b", "10", "--chains", "2", "--threads", "2"]),
    "nuts": (NORMAL, ["-a", "nuts", "-n", "20", "-w", "20"]),
    "pgibbs": (CHAIN, ["-a", "pgibbs", "--particles", "10", "-n", "40", "-b", "0"]),
    "enumerate": (COINS, ["-a", "enumerate"]),
    "partition": (CLUSTERS, ["-a", "partition", "-n", "20", "-b", "5"]),
    "default": (COINS, []),
    "native": (CHAIN, ["-a", "smc", "--particles", "20", "-n", "40", "--tier", "native"]),
    "out": (CHAIN, ["-a", "smc", "--particles", "20", "-n", "40", "--out", "{run}"]),
    "resume": (CHAIN, ["-a", "lmh", "-n", "200", "-b", "10", "--out", "{run}", "--state-every", "0.001"]),
    "data": (COLUMNS, ["-a", "importance", "-n", "20", "--data", "{data}"]),
    "report": (NORMAL, ["-a", "importance", "-n", "20", "--report", "{folder}/page.html"]),
}


def contents_of(directory):
    digest = hashlib.sha256()
    for file in sorted(directory.rglob("*")):
        digest.update(str(file.relative_to(directory)).encode())
        if file.is_file() and file.name != "run.json":
            digest.update(file.read_bytes())
    return digest.digest()


class FaultsTest(unittest.TestCase):
    maxDiff = None

    def environment(self, folder):
        return {**os.environ, "NO_COLOR": "1", "HOME": str(folder), "LC_ALL": "C.UTF-8"}

    def with_faults(self, folder, command, **settings):
        """What was found, and how many runs there were."""
        variables = {"LD_PRELOAD": LIBRARY, "LD_BIND_NOW": "1", "FAULTS_DIRECTORY": str(folder), "FAULTS_CALLS": CALLS}
        subprocess.run(command, env={**self.environment(folder), **variables, **settings}, check=True, timeout=3000, stdout=subprocess.DEVNULL)
        lines = (folder / "findings").read_text(errors="replace").splitlines()
        self.assertRegex(lines[0], "^unharmed 0 calls [1-9]", (folder / "err").read_text())
        self.assertRegex(lines[-1], "^calls [0-9]+ runs [1-9]")
        if os.environ.get("FAULTS_VERBOSE"):
            print(self.id(), command[1:4], lines[0], lines[-1])
        return lines[1:-1]

    def killed_run(self, folder, command, settings):
        """The directory of a run that was killed near its end."""
        self.with_faults(folder, command, **settings, FAULTS_CALLS="1-1/1")
        at = int((folder / "findings").read_text().split()[3]) * 7 // 10
        killed = folder / "none"
        while not killed.exists():  # how often states are stored depends on the clock
            self.with_faults(folder, command, **settings, FAULTS_CALLS="%d-%d/1,1-1/1" % (at, at), FAULTS_KILL="1")
            killed = folder / ("run.%d" % at)
            for directory in folder.glob("run.*"):
                if directory != killed:
                    shutil.rmtree(directory)
            at = at * 9 // 10
        template = folder / "template"
        killed.rename(template)
        return str(template)

    def check_directories(self, folder):
        """Each state of a run directory that faults have left can be resumed."""
        seen = set()
        for directory in sorted(folder.glob("run.*")):
            if not (directory / "run.json").exists():  # the run had not begun
                continue
            found = contents_of(directory)
            if found in seen:
                continue
            seen.add(found)
            done = subprocess.run([PROGRAM, "infer", "--resume", str(directory)], capture_output=True, text=True,
                                  env=self.environment(folder), timeout=100)
            self.assertEqual(done.returncode, 0, directory.name + ": " + done.stderr[:500])
        self.assertTrue(seen)


class Faults(FaultsTest):
    """Runs of chancel."""


def add_case(name, program, arguments):
    def test(self):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            model = folder / "q.clj"
            (folder / "begin").write_text("begin")
            model.write_text('(def begun (slurp "%s"))\n' % (folder / "begin") + program)
            (folder / "data.csv").write_text("y\n1.5\n0.5\n")
            places = {"run": folder / "run", "data": folder / "data.csv", "folder": folder}
            given = [a.format(**places) for a in arguments]
            command = [PROGRAM, "infer", str(model), "--seed", "1", "-f", "csv", *given]
            if "--out" in given:
                command = [a for a in command if a not in ("-f", "csv")] + ["-f", "anglican"]
            settings = {"FAULTS_FILE": str(model if name == "start" else folder / "begin")}
            if name == "native":  # its code is there
                subprocess.run(command, env=self.environment(folder), check=True, capture_output=True)
            if name == "resume":
                template = self.killed_run(folder, command, settings)
                shutil.copytree(template, folder / "run")
                settings["FAULTS_TEMPLATE"] = template
                command = [PROGRAM, "infer", "--resume", str(folder / "run"), "-f", "anglican"]
            self.assertEqual(self.with_faults(folder, command, **settings), [])
            if "--out" in given:
                self.check_directories(folder)
    setattr(Faults, "test_" + name, test)


for case, (text, options) in CASES.items():
    add_case(case, text, options)


class OtherPrograms(FaultsTest):
    """Runs of the library in programs that are not ours."""

    def run_with_faults(self, *command):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            (folder / "begin").write_text("begin")
            self.assertEqual(self.with_faults(folder, [*command, str(folder / "begin")], FAULTS_FILE=str(folder / "begin")), [])

    @unittest.skipUnless("--c-run" in sys.argv, "not asked for")
    def test_c_interface(self):
        self.run_with_faults(C_RUN)

    @unittest.skipUnless("--python" in sys.argv, "not asked for")
    def test_python(self):
        self.run_with_faults(PYTHON, "-B", str(pathlib.Path(__file__).with_name("python_run.py")))

if __name__ == "__main__":
    for option in ("--program", "--library", "--calls", "--c-run", "--python"):
        if option in sys.argv:
            at = sys.argv.index(option)
            globals()[option[2:].upper().replace("-", "_")] = sys.argv[at + 1]
            del sys.argv[at:at + 2]
    unittest.main()
