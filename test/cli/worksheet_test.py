# SPDX-License-Identifier: Apache-2.0
"""chancel run --page: every worksheet of examples/worksheets in headless Chromium, and what becomes of mistakes."""
import re
import program
from browser import BrowserTest
from program import COIN, REPOSITORY

# Name -> charts and images that its page has at least.
WORKSHEETS = {"bumpers": (9, 0), "captcha": (3, 4), "crp-mixture": (5, 1), "decision": (6, 0), "first-steps": (3, 0),
              "gaussian-process": (6, 0), "hmm": (2, 0), "kalman": (4, 0), "mixture": (4, 0), "poisson-trace": (3, 0),
              "regression": (4, 0), "satisfiability": (2, 0), "scalar-implicature": (7, 0)}


class Worksheets(BrowserTest):
    def page(self, file, *options, code=0):
        out = self.folder / "page.html"
        _, err = self.run_chancel("run", "--seed", "1", *options, file, "--page", out, code=code)
        return out.read_text(encoding="utf-8"), err

    def test_all_are_here(self):
        self.assertEqual(sorted(WORKSHEETS), sorted(f.stem for f in (REPOSITORY / "examples/worksheets").glob("*.clj")))

    @program.needs_tools
    def test_examples(self):
        for name, (charts, images) in WORKSHEETS.items():
            with self.subTest(name):
                text, err = self.page(REPOSITORY / f"examples/worksheets/{name}.clj")
                self.assertIn(f"{charts + images} pictures", err)
                tags = self.check(text, {"plot": charts})
                self.assertEqual(len([i for i in tags.all("img") if i["src"].startswith("data:image/")]), images)
                self.assertGreaterEqual(len(tags.all("h2")), 2)  # its Markdown
                self.assertEqual(len(tags.all("script")), 4)  # data, Chart.js, ours, the probe
                self.assertNotIn('class="error"', text)
                self.assertNotIn("gorilla-repl.fileformat", text)
                self.assertNotIn('class="tex"', text)  # all formulas are known

    @program.needs_tools
    def test_failures_do_not_stop_the_page(self):
        file = self.write("w.clj", "(+ 1 2)\n(/ 1 0)\n(nosuch)\n(list-plot [1 2])\n(println \"after\")\n")
        text, err = self.page(file, code=65)
        self.assertIn("w.clj:2:6: error[R006]", err)
        self.assertIn("5 forms, 1 picture, 2 failed", err)
        self.check(text, {"plot": 1})
        for part in ("error[R006]", "error[F001]", '<pre class="output">after</pre>'):
            self.assertIn(part, text)
        self.assertRegex(text, r"\n     \|      \^</pre>")  # the caret below its column

    def test_limits_end_the_page_early(self):
        file = self.write("w.clj", "(inc 1)\n(loop [] (recur))\n(inc 3)")
        text, err = self.page(file, "--timeout", "0.3", code=70)
        self.assertIn("error[L002]", err)
        self.assertIn("not evaluated", text)

    @program.needs_tools
    def test_texts_of_programs_are_texts(self):
        file = self.write("w.clj", """;; **
;;; # </title><script>throw 1</script>
;; **
"</script><script>throw 2</script>"
(println "</pre><script>throw 3</script>")
(list-plot [1 2] :x-title "</script><script>throw 4</script>" :color "nocolour")
(bar-chart ["<b>" "</script><script>throw 5"] [1 2])
(html-view "<img src=x onerror=throw> <b>bold</b>")
(table-view [["<script>throw 6</script>" (list-plot [1 2])]])
""")
        text, _ = self.page(file)
        tags = self.check(text, {"plot": 3})
        self.assertEqual(len(tags.all("script")), 4)
        self.assertEqual(tags.all("img"), [])

    @program.needs_tools
    def test_numbers_at_the_ends_of_the_range(self):
        file = self.write("w.clj", """(list-plot [1.7976931348623157E308 -1.7976931348623157E308 1])
(list-plot [1e-310 2e-310] :joined true)
(histogram [1e308 -1e308 0.0])
(histogram [5 5 5])
(list-plot [Double/NaN])
(bar-chart [:a] [0])
(list-plot [[1 1]] :plot-range [[5 5] [2 1]])
(compose (histogram []) (list-plot []))
""")
        text, _ = self.page(file)
        self.check(text, {"plot": 8})

    def test_dialects(self):
        text, _ = self.page(REPOSITORY / "models/hmm/hmm.vnt")
        self.assertIn("assume", re.sub("<[^>]*>", "", text))


class Values(BrowserTest):
    """What chancel run shows, and where."""
    SHEET = COIN + """(def x 20)
(println "printed")
(+ x 1)
nil
(take 200 (doquery :importance coin nil))
(histogram (range 50))
(vec (range 100000))
(range)
"""

    def test_pipe_terminal_and_options(self):
        file = self.write("s.clj", self.SHEET)
        out, err = self.run_chancel("run", "--seed", 1, file)
        self.assertEqual(out, "printed\n")
        self.assertIn("line 16: the value is a longer sequence", err)
        out, _ = self.run_chancel("run", "--seed", 1, "--show", file)
        self.assertRegex(out, r"^printed\n21\n +Mean")
        self.assertIn("200 draws", out)
        self.assertIn("┤", out)
        self.assertIn(" …]\n(0 1 2", out)
        self.assertLess(len(out), 8000)
        self.assertNotIn("nil", out)
        shown = self.run_on_terminal("run", "--seed", 1, file, stdout=True)
        self.assertIn("200 draws", shown)
        self.assertEqual(self.run_on_terminal("run", "--no-show", "--seed", 1, file, stdout=True), "printed\r\n")
        _, err = self.run_chancel("run", "--show", "--no-show", file, code=64)
        self.assertIn("--show and --no-show exclude each other", err)

    def test_page_after_the_file(self):
        file = self.write("s.clj", "(prn *command-line-args*)")
        page = self.folder / "p.html"
        self.assertEqual(self.run_chancel("run", file, f"--page={page}", "a", "--show")[0], '("a" "--show")\n')
        self.assertTrue(page.exists())
        self.assertEqual(self.run_chancel("run", file, "--", "--page", "b")[0], '("--page" "b")\n')
        self.run_chancel("run", file, "--page", code=64)
        _, err = self.run_chancel("run", file, "--page", self.folder / "no" / "p.html", code=70)
        self.assertIn("U004", err)


if __name__ == "__main__":
    program.main()
