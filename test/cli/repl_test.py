# SPDX-License-Identifier: Apache-2.0
"""chancel repl: from a pipe, and on a terminal (prompt, several lines, completion, history, Ctrl-C)."""
import os
import pty
import re
import select
import signal
import subprocess
import time
import program
from program import COIN, ProgramTest


class Piped(ProgramTest):
    def test_values_without_prompt(self):
        out, err = self.run_chancel("repl", stdin="(+ 1 2)\n(def x 5)\n(* x\n   2)\n\n\"text\" :k\n")
        lines = out.splitlines()
        self.assertEqual([lines[0]] + lines[2:], ["3", "10", '"text"', ":k"])
        self.assertEqual(err, "")

    def test_the_session_continues_after_errors(self):
        out, err = self.run_chancel("repl", stdin="(/ 1 0)\n(foo)\n(+ 1 1)\n", code=65)
        self.assertEqual(out, "2\n")
        self.assertIn("error[R006]", err)
        self.assertIn("error[F001]", err)

    def test_commands(self):
        out, err = self.run_chancel("repl", stdin=":doc normal\n:help\n:quit\n(+ 1 1)\n")
        self.assertIn("normal", out)
        self.assertIn(":load FILE", out)
        self.assertNotIn("\n2\n", out)
        file = self.write("lib.clj", "(def y 7)")
        self.assertEqual(self.run_chancel("repl", stdin=f":load {file}\ny\n")[0], "7\n")
        self.assertEqual(self.run_chancel("repl", file, stdin="(inc y)")[0], "8\n")
        _, err = self.run_chancel("repl", stdin=":doc norml\n")
        self.assertIn("did you mean", err)

    def test_names(self):
        text = '(defn twice "Two of them." [x] (* 2 x))\n(doc twice)\n(doc normal)\n(source twice)\n(apropos "gamma")\n:apropos nosuchname\n'
        out, err = self.run_chancel("repl", stdin=text)
        self.assertIn("twice [x]\n  Two of them.\n", out)
        self.assertIn("normal [mean sd]", out)
        self.assertIn('(defn twice "Two of them." [x] (* 2 x))\n', out)
        self.assertIn("digamma gamma", out)
        self.assertIn("no name has 'nosuchname' in it", err)

    def test_last_values(self):
        out, _ = self.run_chancel("repl", stdin="1\n2\n3\n[*1 *2 *3]\n(/ 1 0)\n(ex-message *e)\n", code=70)
        self.assertEqual(out.splitlines()[3:], ["[3 2 1]", '"/: division by zero"'])

    def test_inference(self):
        out, err = self.run_chancel("repl", stdin=COIN + ":infer coin -a smc --particles 100 -n 1000 --seed 1\n"
                                    "(count *draws*)\n:infer --help\n")
        self.assertRegex(out, r":bias +0\.6")
        self.assertIn("Log evidence", out)
        self.assertIn("\n1000\n", out)
        self.assertIn("usage: :infer [QUERY]", out)
        for text, wanted, code in ((":infer\n", "there is no query yet", 64), (COIN + ":infer coni\n", "did you mean coin?", 64),
                                   (COIN + ":infer coin -a nosuch\n", "error[I001]", 64), (COIN + ":infer -n x\n", "--samples", 64)):
            _, err = self.run_chancel("repl", stdin=text, code=code)
            self.assertIn(wanted, err)

    def test_dialects(self):
        out, _ = self.run_chancel("repl", stdin=":dialect textbook\n(let [x (sample (normal 5 0.1))] x)\n:infer -a importance -n 200\n"
                                  ":dialect auto\n(+ 1 2)\n")
        self.assertRegex(out, r":result +[45]\.")
        self.assertTrue(out.endswith("\n3\n"))

    def test_values(self):
        out, _ = self.run_chancel("repl", stdin="(histogram [1 2 2])\n(vec (range 5000))\n(range)\n")
        self.assertIn("┤", out)
        self.assertIn(" 4999]\n", out)  # a pipe has all of it
        self.assertTrue(out.endswith("…)\n"))

    def test_unclosed_form_at_the_end(self):
        _, err = self.run_chancel("repl", stdin="(+ 1 2\n", code=65)
        self.assertIn("error[S001]", err)


class OnATerminal(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text = ""
        self.open_session()

    def open_session(self):
        self.primary, secondary = pty.openpty()
        environment = {**self.environment(), "TERM": "xterm"}
        self.process = subprocess.Popen([program.PROGRAM, "repl", "--seed", "1"], stdin=secondary, stdout=secondary,
                                        stderr=secondary, env=environment, preexec_fn=self.take_terminal(secondary))
        os.close(secondary)
        self.addCleanup(self.process.kill)
        self.wait_for("chancel> ")

    @staticmethod
    def take_terminal(terminal):
        def setup():
            import fcntl
            import termios
            os.setsid()
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        return setup

    def wait_for(self, wanted, seconds=20):
        """Reads until the text appears; returns what came up to there and drops it."""
        deadline = time.monotonic() + seconds
        while wanted not in self.text and time.monotonic() < deadline:
            if select.select([self.primary], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.primary, 4096).decode(errors="replace")
                except OSError:
                    break
        self.assertIn(wanted, self.text)
        before, self.text = self.text.split(wanted, 1)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", before)

    def send(self, text):
        os.write(self.primary, text.encode())

    def leave(self):
        self.send("\x04")
        self.assertEqual(self.process.wait(timeout=20), 0)
        os.close(self.primary)

    def test_session(self):
        self.send("(+ 1 2)\n")
        self.wait_for("3\r\n")
        self.wait_for("chancel> ")
        self.send("(let [x 4]\n")
        self.wait_for("      .. ")
        self.send("(* x x))\n")
        self.wait_for("16\r\n")
        self.wait_for("chancel> ")
        self.send("(uniform-cont\t 0 1)\n")  # completes
        self.assertIn("uniform-continuous", self.wait_for("\r\n").replace("\r", ""))
        self.wait_for("chancel> ")
        self.send("(str \"\u00e4\" \"\u20ac\")\n")
        self.wait_for('"\u00e4\u20ac"')
        self.wait_for("chancel> ")
        self.leave()

    def test_interrupt(self):
        self.send("(+ 1 ")
        self.wait_for("(+ 1 ")
        self.send("\x03")  # drops the line
        self.wait_for("chancel> ")
        self.send("(do (println (+ 100 23)) (loop [] (recur)))\n")
        self.wait_for("123\r\n")
        self.send("\x03")  # stops the run
        self.wait_for("L005")
        self.wait_for("chancel> ")
        self.send("(+ 40 2)\n")
        self.wait_for("42\r\n")
        self.wait_for("chancel> ")
        self.leave()

    def test_interrupt_keeps_draws(self):
        self.send("(defquery q (predict :x (sample (normal 0 1))))\n")
        self.wait_for("chancel> ")
        self.send("(count (do (println (+ 100 23)) (doall (take 100000000 (doquery :lmh q nil)))))\n")
        self.wait_for("123\r\n")
        time.sleep(0.3)
        self.send("\x03")
        self.wait_for("continuing with ")
        draws = int(self.wait_for(" draws"))
        self.wait_for(f"{draws}\r\n")
        self.wait_for("chancel> ")
        self.send(":infer q -a lmh -n 100000000\n")
        time.sleep(0.5)
        self.send("\x03")
        self.wait_for("interrupted")
        self.wait_for("chancel> ")
        self.send("(> (count *draws*) 10)\n")
        self.wait_for("true\r\n")
        self.send("(vec (range 100000))\n")
        self.wait_for("…]\r\n")
        self.wait_for("chancel> ")
        self.leave()

    def test_history_outlives_the_session(self):
        self.send("(+ 1000 234)\n")
        self.wait_for("1234\r\n")
        self.wait_for("chancel> ")
        self.leave()
        self.assertTrue((self.folder / ".chancel_history").exists())
        self.text = ""
        self.open_session()
        self.send("\x10\n")  # Ctrl-P: the line before
        self.wait_for("1234\r\n")
        self.wait_for("chancel> ")
        self.leave()


if __name__ == "__main__":
    program.main()
