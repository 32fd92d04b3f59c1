#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/engines/comparison.md from the results of the measure gate.

Run: build/release/test/measure/measure_test --table results.json && scripts/generate_engine_pages.py results.json
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = """# Engines compared

Every engine on every model of [models](../../models/README.md), measured by the gate `test/measure` against exact answers. Made by
`scripts/generate_engine_pages.py` from the output of `measure_test --table`; not written by hand.

A cell is 40 independent runs. The gate compares every probability, moment, quantile and evidence with the exact figure: the mean
over runs must lie within 8.74 standard errors (Student's t with 39 degrees of freedom, one false alarm in 10^10; with fewer
than 10^4 figures, one in a million for the whole gate), and the standard error itself must be small enough to tell.
"""


def short(number):
    if number >= 1e6:
        return f"{number / 1e6:.1f}M"
    if number >= 9950:
        return f"{number / 1e3:.0f}k"
    if number >= 995:
        return f"{number / 1e3:.1f}k"
    return f"{number:.0f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 64
    cells = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    engines = list(dict.fromkeys(c["engine"] for c in cells))
    programs = list(dict.fromkeys(c["program"] for c in cells))
    at = {(c["engine"], c["program"]): c for c in cells}
    run = [c for c in cells if "skipped" not in c]
    text = [HEAD]
    text.append(f"{sum(c['ok'] for c in run)} of {len(run)} cells pass; {len(cells) - len(run)} are left out (below).\n")

    text.append("""## Effective draws in a second

How many independent draws one second of one processor is worth, for the figure that is hardest: p(1-p) over the squared standard error,
over processor time. Settings are those of the gate (few particles, short runs), chosen to show mistakes and not to be fast, so
read the table across, with a grain of salt: a factor of two means little. **Bold**: best of the row. E: exact, no sampling error.
""")
    rows = []
    for program in programs:
        rates = {}
        for engine in engines:
            c = at.get((engine, program))
            if c and "effective" in c and c["ok"] and c["effective"]:
                rates[engine] = c["effective"] / max(c["seconds"], 1e-3)
        best = max(rates.values(), default=0)
        row = [program.split("/")[1]]
        for engine in engines:
            c = at.get((engine, program), {"skipped": ""})
            if "skipped" in c:
                row.append("-")
            elif not c["ok"]:
                row.append("FAILS")
            elif c["exact"]:
                row.append("E")
            else:
                row.append(f"**{short(rates[engine])}**" if rates[engine] == best else short(rates[engine]))
        rows.append(row)
    text.append(table(["program", *engines], rows))

    text.append("""## Error and evidence

For each engine over all programs: the largest deviation in standard errors (with thousands of figures, values up to about 4.5 are what chance
gives), the largest standard error of a probability, and the largest deviation of the log evidence with its standard error.
""")
    rows = []
    for engine in engines:
        mine = [c for c in run if c["engine"] == engine and c["ok"] and not c["exact"]]
        exact = [c for c in run if c["engine"] == engine and c["ok"] and c["exact"]]
        if exact:
            worst = max(exact, key=lambda c: c["error"])
            rows.append([engine, str(len(exact)), "exact", f"error {worst['error']:.1g} ({worst['program']})", ""])
        if not mine:
            continue
        t = max(mine, key=lambda c: c["t"] or 0)
        se = max(mine, key=lambda c: c["mcse"])
        z = max((c for c in mine if "log_evidence_error" in c), default=None, key=lambda c: abs(c["log_evidence_error"]))
        rows.append([engine, str(len(mine)), f"{t['t']:.1f} ({t['program']})", f"{se['mcse']:.3f} ({se['program']})",
                     f"{z['log_evidence_error']:+.3f} ± {z['log_evidence_se']:.3f} ({z['program']})" if z else ""])
    text.append(table(["engine", "programs", "largest t", "largest standard error", "largest error of log evidence"], rows))

    text.append("## Left out\n\nPairs that cannot work, or not in any useful time:\n")
    reasons = {}
    for c in cells:
        if "skipped" in c:
            reasons.setdefault((c["program"], c["skipped"]), []).append(c["engine"])
    text.append(table(["program", "engines", "why"], [[p, ", ".join(e), why] for (p, why), e in reasons.items()]))
    path = ROOT / "docs/engines/comparison.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(text), encoding="utf-8")
    print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
