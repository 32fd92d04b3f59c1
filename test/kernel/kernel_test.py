# SPDX-License-Identifier: Apache-2.0
"""The Jupyter kernel, by jupyter_client and nbconvert: cells in all dialects, rich results, errors with their caret, completion, questions,
interrupts that keep draws, progress. Run with a Python that has them (Debian: python3-jupyter-client, python3-nbconvert)."""
import json
import os
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(REPOSITORY / "build/release/chancel")
PATIENCE = float(os.environ.get("CHANCEL_TEST_PATIENCE", "1"))
TIMEOUT = 30 * PATIENCE
NOTEBOOK = REPOSITORY / "examples/notebooks/fertiliser.ipynb"

COIN = "(defquery coin \"A coin.\" [n]\n  (let [p (sample (beta 1 1))]\n    (observe (binomial n p) 7)\n    (predict :p p)\n    p))"


def install(folder, *options):
    """Where the kernel of this test is, for Jupyter."""
    done = subprocess.run([PROGRAM, "kernel", "--install", *options], env={**os.environ, "JUPYTER_DATA_DIR": str(folder)},
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Installing(unittest.TestCase):
    def test_places_and_options(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = install(folder)
            self.assertEqual((code, out, err), (0, f"{folder}/kernels/chancel\n", ""))
            spec = json.loads((pathlib.Path(folder) / "kernels/chancel/kernel.json").read_text())
            self.assertEqual(spec["argv"], [PROGRAM, "kernel", "-f", "{connection_file}"])
            self.assertEqual((spec["language"], spec["interrupt_mode"]), ("clojure", "signal"))
            self.assertTrue((pathlib.Path(folder) / "kernels/chancel/logo-svg.svg").exists())
            code, out, _ = install("/nowhere", "--prefix", folder, "--name", "second", "--seed", "7", "--max-memory", "1G", "--no-files")
            self.assertEqual((code, out), (0, f"{folder}/share/jupyter/kernels/second\n"))
            spec = json.loads((pathlib.Path(out.strip()) / "kernel.json").read_text())
            self.assertEqual(spec["argv"][4:], ["--seed", "7", "--max-memory", "1G", "--no-files"])

    def test_mistakes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "file"
            file.write_text("no")
            for options, code, text in ((["--install", "--name", "A b"], 64, "--name"), ([], 64, "nothing to do"),
                                        (["--install", "--seed", "x"], 64, "--seed"),
                                        (["--install", "--prefix", str(file)], 70, "U004"),
                                        (["-f", "/no/such/file"], 66, "cannot read /no/such/file"),
                                        (["-f", str(file)], 65, "is not a connection file")):
                done = subprocess.run([PROGRAM, "kernel", *options], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, code, (options, done.stderr))
                self.assertIn(text, done.stderr)


class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from jupyter_client.manager import KernelManager
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["JUPYTER_DATA_DIR"] = cls.folder.name
        code, _, err = install(cls.folder.name, "--seed", "1")
        assert code == 0, err
        cls.manager = KernelManager(kernel_name="chancel")
        cls.manager.start_kernel(stderr=subprocess.DEVNULL)
        cls.client = cls.manager.client()
        cls.client.start_channels()
        cls.client.wait_for_ready(timeout=TIMEOUT)

    @classmethod
    def tearDownClass(cls):
        begun = time.monotonic()
        cls.client.stop_channels()
        cls.manager.shutdown_kernel()
        cls.folder.cleanup()
        assert time.monotonic() - begun < 10 * PATIENCE

    def run_cell(self, code, interrupt_after=None, wait_for=None):
        """(status of the reply, messages as (type, content)). Interrupts after a time, or once something with this text has come."""
        message = self.client.execute(code)
        if interrupt_after:
            time.sleep(interrupt_after)
            self.manager.interrupt_kernel()
        messages = []
        while True:
            try:
                m = self.client.get_iopub_msg(timeout=TIMEOUT)
            except queue.Empty:  # a publisher may lose a message, even its last; the reply says that the cell is done
                break
            if m["parent_header"].get("msg_id") != message:
                continue
            kind, content = m["msg_type"], m["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            if kind in ("status", "execute_input"):
                continue
            messages.append((kind, content))
            if wait_for and wait_for in str(content):
                wait_for = None
                self.manager.interrupt_kernel()
        reply = self.client.get_shell_msg(timeout=TIMEOUT)
        self.assertEqual(reply["parent_header"]["msg_id"], message)
        return reply["content"]["status"], messages

    def value(self, code, **options):
        """What the cell gives: its result as text."""
        status, messages = self.run_cell(code, **options)
        self.assertEqual(status, "ok", messages)
        return next((c["data"]["text/plain"] for kind, c in messages if kind == "execute_result"), None)

    def ask(self, send, *arguments, **options):
        message = send(*arguments, **options)
        while True:
            reply = self.client.get_shell_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == message:
                return reply["content"]

    def test_values_state_and_output(self):
        self.assertIsNone(self.value("(def x 20)"))
        self.assertEqual(self.value("(+ x 1)"), "21")
        self.value("(+ x 2)")
        self.assertEqual(self.value("[*1 *2]"), "[22 21]")
        status, messages = self.run_cell('(println "a")\n(println "b")\n(inc 1)\n(inc 2)')
        self.assertEqual((status, [kind for kind, _ in messages]), ("ok", ["stream", "execute_result"]))
        self.assertEqual(messages[0][1], {"name": "stdout", "text": "a\nb\n"})
        self.assertEqual(messages[1][1]["data"], {"text/plain": "3"})
        self.assertEqual(self.run_cell("")[1], [])
        self.assertLess(len(self.value("(vec (range 1000000))")), 1000)

    def test_printing_is_seen_while_the_cell_runs(self):
        message = self.client.execute('(println "first") (loop [i 0] (when (< i 100000000) (recur (inc i))))')
        begun = time.monotonic()
        kinds = []
        while "stream" not in kinds:
            m = self.client.get_iopub_msg(timeout=TIMEOUT)
            if m["parent_header"].get("msg_id") == message:
                kinds.append(m["msg_type"])
        self.assertNotIn("idle", str(m))
        self.assertLess(time.monotonic() - begun, 5 * PATIENCE)
        self.manager.interrupt_kernel()
        self.client.get_shell_msg(timeout=TIMEOUT)

    def test_errors_have_their_caret(self):
        status, messages = self.run_cell("(def a 3)\n(println 1)\n(/ a 0)\n(println 2)")
        self.assertEqual(status, "error")
        self.assertEqual(messages[0][1]["text"], "1\n")  # nothing after the failure
        error = messages[-1][1]
        self.assertEqual((error["ename"], error["evalue"]), ("R006", "/: division by zero"))
        plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in error["traceback"]]
        self.assertRegex(plain[0], r"^<cell \d+>:3:6: error\[R006\]")
        self.assertEqual(plain[1:3], ["   3 | (/ a 0)", "     |      ^"])
        self.assertEqual(self.run_cell("(nosuch 1)")[1][-1][1]["ename"], "F001")
        self.assertEqual(self.run_cell("(+ 1")[1][-1][1]["ename"], "S001")
        self.assertEqual(self.value("(ex-message *e)"), "\"'(' is never closed\"")

    def test_pictures_and_tables(self):
        status, messages = self.run_cell("(histogram [1 2 2 3])\n(list-plot [1 2 3])\n(+ 1 1)")
        self.assertEqual([kind for kind, _ in messages], ["display_data", "display_data", "execute_result"])
        for _, content in messages[:2]:
            self.assertIn("<svg ", content["data"]["text/html"])
            self.assertNotIn("<script", content["data"]["text/html"])
            self.assertIn("┤", content["data"]["text/plain"])
        _, messages = self.run_cell("(table-view [[1 2]] :columns [:a :b])")
        self.assertIn("<table", messages[0][1]["data"]["text/html"])
        _, messages = self.run_cell('(latex-view "x^2")')
        self.assertEqual(messages[0][1]["data"]["text/latex"], "$$x^2$$")
        _, messages = self.run_cell("(image-view [[0 1] [1 0]])")
        self.assertIn("data:image/png;base64,", messages[0][1]["data"]["text/html"])

    def test_inference(self):
        self.run_cell(COIN)
        status, messages = self.run_cell(":infer coin -v [10] -a lmh -n 2000 --seed 1\n(count *draws*)")
        self.assertEqual((status, [kind for kind, _ in messages]), ("ok", ["display_data", "execute_result"]))
        self.assertIn("<code>:p</code>", messages[0][1]["data"]["text/html"])
        self.assertRegex(messages[0][1]["data"]["text/plain"], r":p +0\.6")
        self.assertEqual(messages[1][1]["data"]["text/plain"], "2000")
        _, messages = self.run_cell("(take 500 (doquery :importance coin [10]))")
        self.assertIn("500 draws", messages[0][1]["data"]["text/html"])
        for code, text in ((":infer nosuch", "there is no query named nosuch"), (":infer coin -a nosuch -v [10]", "nosuch"),
                           (":infer coin -n x", "--samples"), (":infer coin", "needs a value for n"), (":doc nosuchname", "nosuchname")):
            status, messages = self.run_cell(code)
            self.assertEqual(status, "error", code)
            self.assertIn(text, messages[-1][1]["evalue"])
        self.assertIn("usage: :infer", self.run_cell(":infer --help")[1][0][1]["data"]["text/plain"])

    def test_dialects(self):
        self.assertIsNone(self.value("[assume p (beta 1 1)]\n[observe (flip p) true]\n[predict p]"))
        _, messages = self.run_cell(":infer -a importance -n 100")
        self.assertIn("<code>p</code>", messages[0][1]["data"]["text/html"])
        self.assertIsNone(self.value(":dialect textbook\n(let [x (sample (normal 50 1))] x)"))
        self.run_cell(":infer main -a importance -n 100")
        self.assertTrue(45 < float(self.value("(mean (map :result *draws*))")) < 55)
        self.assertEqual(self.value("(+ 1 2)"), "3")  # the next cell is what it was

    def test_interrupt_keeps_the_draws(self):
        self.run_cell(COIN)
        status, messages = self.run_cell("(def some (doall (take 1000000000 (doquery :lmh coin [10]))))\n(count some)", interrupt_after=0.5)
        self.assertEqual(status, "ok", messages)
        notice = next(c["text"] for kind, c in messages if kind == "stream" and c["name"] == "stderr")
        draws = int(re.search(r"continuing with (\d+) draws", notice).group(1))
        self.assertGreater(draws, 100)
        self.assertEqual(self.value("(count some)"), str(draws))
        self.run_cell("(def some nil)")

    def test_interrupt_of_infer_keeps_the_draws(self):
        self.run_cell(COIN)
        status, messages = self.run_cell(":infer coin -v [10] -a lmh -n 1000000000", wait_for="draws")
        self.assertEqual(status, "ok", messages)
        self.assertIn("update_display_data", [kind for kind, _ in messages])  # progress
        summary = [c for kind, c in messages if kind == "display_data" and "text/html" in c["data"]]
        self.assertIn("<code>:p</code>", summary[0]["data"]["text/html"])
        self.assertGreater(int(self.value("(count *draws*)")), 100)

    def test_interrupt_stops_other_cells(self):
        begun = time.monotonic()
        status, messages = self.run_cell("(loop [] (recur))", interrupt_after=0.3)
        self.assertEqual((status, messages[-1][1]["ename"]), ("error", "L005"))
        self.assertLess(time.monotonic() - begun, 5 * PATIENCE)
        self.manager.interrupt_kernel()  # of nothing
        self.assertEqual(self.value("(+ 40 2)"), "42")

    def test_progress(self):
        self.run_cell(COIN)
        status, messages = self.run_cell("(count (take 1000000000 (doquery :lmh coin [10])))", wait_for=" draws")
        self.assertEqual(status, "ok")
        first = next(c for kind, c in messages if kind == "display_data")
        self.assertRegex(first["data"]["text/plain"], r"^lmh: \d+ draws, \d\.\d s")
        self.assertIn("display_id", first["transient"])

    def test_completion(self):
        self.run_cell(COIN)
        reply = self.ask(self.client.complete, "(uniform-c", 10)
        self.assertEqual((reply["matches"], reply["cursor_start"], reply["cursor_end"]), (["uniform-continuous"], 1, 10))
        self.assertEqual(self.ask(self.client.complete, '(str "äö" (coi', 14)["cursor_start"], 11)
        self.assertIn("coin", self.ask(self.client.complete, "(coi", 4)["matches"])
        self.assertEqual(self.ask(self.client.complete, ":infer co", 9)["matches"], ["coin"])
        self.assertEqual(self.ask(self.client.complete, ":inf", 4)["matches"], [":infer"])
        self.assertEqual(self.ask(self.client.complete, ":infer coin -a imp", 18)["matches"], ["importance"])
        self.assertIn(":smc", self.ask(self.client.complete, "(doquery :sm", 12)["matches"])
        self.assertEqual(self.ask(self.client.complete, "", 0)["matches"], [])

    def test_inspection(self):
        self.run_cell('(defn twice "Two of them." [x] (* 2 x))')
        for code, cursor, text in (("(normal 0 1)", 4, "normal [mean sd]"), ("(normal 0 1)", 10, "normal [mean sd]"), ("(twice 3)", 2, "Two of them.")):
            reply = self.ask(self.client.inspect, code, cursor)
            self.assertTrue(reply["found"])
            self.assertIn(text, reply["data"]["text/plain"])
        self.assertIn("(defn twice", self.ask(self.client.inspect, "twice", 2, detail_level=1)["data"]["text/plain"])
        self.assertFalse(self.ask(self.client.inspect, "nosuch", 3)["found"])

    def test_other_questions(self):
        self.assertEqual(self.ask(self.client.is_complete, "(+ 1 2)")["status"], "complete")
        self.assertEqual(self.ask(self.client.is_complete, "(defn f [")["status"], "incomplete")
        self.assertEqual(self.ask(self.client.is_complete, ":infer coin")["status"], "complete")
        self.value('(+ 1000 234)')
        self.assertIn("(+ 1000 234)", str(self.ask(self.client.history, hist_access_type="tail", n=2)["history"]))
        info = self.ask(self.client.kernel_info)
        self.assertEqual((info["implementation"], info["language_info"]["file_extension"]), ("chancel", ".clj"))

    def test_silent_cells_say_nothing(self):
        message = self.client.execute('(println "x") (+ 1 2)', silent=True)
        self.client.get_shell_msg(timeout=TIMEOUT)
        kinds = []
        with self.assertRaises(queue.Empty):
            while True:
                m = self.client.get_iopub_msg(timeout=0.5)
                if m["parent_header"].get("msg_id") == message:
                    kinds.append(m["msg_type"])
        self.assertEqual(set(kinds) - {"status"}, set())


class Notebooks(unittest.TestCase):
    def test_example(self):
        with tempfile.TemporaryDirectory() as folder:
            install(folder, "--seed", "1")
            environment = {**os.environ, "JUPYTER_DATA_DIR": folder, "HOME": folder}
            out = pathlib.Path(folder) / "done.ipynb"
            done = subprocess.run([sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--output", str(out), str(NOTEBOOK)],
                                  env=environment, capture_output=True, text=True, check=False, timeout=4 * TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr)
            cells = [cell for cell in json.loads(out.read_text())["cells"] if cell["cell_type"] == "code"]
            self.assertEqual(len(cells), 10)
            self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, 11)))
            outputs = [output for cell in cells for output in cell["outputs"]]
            self.assertNotIn("error", [output["output_type"] for output in outputs])
            html = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
            self.assertEqual(sum("<svg " in text for text in html), 3)
            summary = next(text for text in html if "<code>:delta</code>" in text)
            mean = float(re.search(r":delta</code></th><td>([^<]*)<", summary).group(1))
            self.assertAlmostEqual(mean, 5.6, delta=0.5)  # sample means differ by 5.68; the prior shrinks that a little
            page = pathlib.Path(folder) / "page.html"
            subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--output", str(page), str(out)], env=environment,
                           capture_output=True, check=True, timeout=TIMEOUT)
            self.assertIn("<svg ", page.read_text(encoding="utf-8"))

    def test_it_is_kept_without_its_outputs(self):
        for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
            self.assertEqual(cell.get("outputs", []), [])


if __name__ == "__main__":
    if "--program" in sys.argv:
        at = sys.argv.index("--program")
        PROGRAM = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    try:
        import jupyter_client  # noqa: F401
        import nbconvert  # noqa: F401
    except ImportError as missing:
        print(f"not tested: {missing}; scripts/setup --test-all installs it")
        sys.exit(77)
    unittest.main()
