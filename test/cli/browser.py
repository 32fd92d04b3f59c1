# SPDX-License-Identifier: Apache-2.0
"""Pages in headless Chromium, for the tests of this folder: no console error, every chart painted."""
import html.parser
import pathlib
import subprocess
import program
from program import ProgramTest

# Runs in the page after its own scripts: marks the canvases that have something on them.
PROBE = """<script>
for (const c of document.querySelectorAll('canvas')) {
  const pixels = c.width && c.height ? c.getContext('2d').getImageData(0, 0, c.width, c.height).data : [];
  if (pixels.some((v) => v !== 0)) c.dataset.painted = 'yes';
}
document.body.dataset.probed = 'yes';
</script></body>"""


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


class BrowserTest(ProgramTest):
    def load(self, text):
        """(document after its scripts have run, lines of the console)"""
        self.assertEqual(text.count("</body>"), 1)
        path = pathlib.Path(self.write("page.html", text.replace("</body>", PROBE)))
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}/profile",
             "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom", f"{path.as_uri()}#all"],
            capture_output=True, text=True, timeout=200 * program.PATIENCE, env=self.environment(), check=True)
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return done.stdout, console

    def check(self, text, charts):
        """Every chart of the page is drawn and painted, and the charts named are among them."""
        document, console = self.load(text)
        self.assertEqual(console, [])
        tags = Tags(document)
        self.assertEqual([b.get("data-probed") for b in tags.all("body")], ["yes"])
        canvases = tags.all("canvas")
        self.assertEqual([c for c in canvases if c.get("data-drawn") != "yes" or c.get("data-painted") != "yes"], [])
        kinds = [c["data-chart"] for c in canvases]
        for chart, least in charts.items():
            self.assertGreaterEqual(kinds.count(chart), least, f"{chart} in {kinds}")
        return tags
