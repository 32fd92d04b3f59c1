#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/engines/comparison.md and docs/engines/scale.md from measured results.

Renew the results, then run this script; with --check nothing is written and it fails when a page does not follow from them:
  build/release/test/measure/measure_test --table bench/results/measure.json
  build/release/bench/scale --json bench/results/scale.json
(rows of several runs of scale may be put together, with "turn": 1, 2 ... for --part threads)
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEASURE = "bench/results/measure.json"
SCALE = "bench/results/scale.json"
HEAD = """# Engines compared

Every engine on every model of [models](../../models/README.md), measured by the gate `test/measure` against exact answers. Made by
`scripts/generate_engine_pages.py` from `bench/results/measure.json`, which is the output of `measure_test --table`; not written by hand.

A cell is 40 independent runs. The gate compares every probability, moment, quantile and evidence with the exact value. A statistic
that is off by more than 3.56 standard errors (Student's t with 39 degrees of freedom, one in 1000 by chance) sends the cell into
a second set of runs, four times as long, and fails beyond 6.51 standard errors there (one in 10^7): one false alarm in 10^10, and with
fewer than 10^4 statistics one in a million for the whole gate.

A cell is run until it is sharp enough to be judged: the smallest bias that it catches with probability 0.99 must be at most 0.1
posterior standard deviations, for each of its statistics.
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


def load(name):
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def comparison():
    cells = load(MEASURE)
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

    text.append("""## Smallest bias caught

In posterior standard deviations of the statistic concerned, the largest over the statistics of a cell: a larger bias fails the gate with
probability 0.99 or more. E: compared with the exact values to rounding (random-length: to the mass that was left out).
""")
    rows = []
    for program in programs:
        row = [program.split("/")[1]]
        for engine in engines:
            c = at.get((engine, program), {"skipped": ""})
            row.append("-" if "skipped" in c else "E" if c["exact"] else f"{c['smallest_bias']:.3f}")
        rows.append(row)
    text.append(table(["program", *engines], rows))

    text.append("""## Deviations and evidence

For each engine over all programs: the largest deviation in standard errors (with thousands of statistics, values up to about 4 are what chance
gives; alarms beyond 3.56 were looked into and not confirmed), and the largest deviation of the log evidence with its standard error.
""")
    rows = []
    for engine in engines:
        mine = [c for c in run if c["engine"] == engine and c["ok"] and not c["exact"]]
        exact = [c for c in run if c["engine"] == engine and c["ok"] and c["exact"]]
        if exact:
            worst = max(exact, key=lambda c: c["error"])
            rows.append([engine, str(len(exact)), f"exact, error {worst['error']:.1g} ({worst['program']})", ""])
        if not mine:
            continue
        t = max(mine, key=lambda c: c["t"] or 0)
        z = max((c for c in mine if "log_evidence_error" in c), default=None, key=lambda c: abs(c["log_evidence_error"]))
        rows.append([engine, str(len(mine)), f"{t['t']:.1f} ({t['program']})",
                     f"{z['log_evidence_error']:+.3f} ± {z['log_evidence_se']:.3f} ({z['program']})" if z else ""])
    text.append(table(["engine", "programs", "largest t", "largest error of log evidence"], rows))

    text.append("## Left out\n\nPairs that cannot work, not in any useful time, or that another test covers:\n")
    reasons = {}
    for c in cells:
        if "skipped" in c:
            reasons.setdefault((c["program"], c["skipped"]), []).append(c["engine"])
    text.append(table(["program", "engines", "why"], [[p, ", ".join(e), why] for (p, why), e in reasons.items()]))
    return "\n".join(text)


SCALE_HEAD = """# How engines grow

The paper's HMM, its data repeated to the length wanted (`bench/models/scale.cpp`; the evidence is checked against the forward
recursion before a time counts). CPU time on a virtual machine with two cores (AMD EPYC) that does other work as well. Made by
`scripts/generate_engine_pages.py` from `bench/results/scale.json`; not written by hand.
"""


def scale():
    rows = load(SCALE)
    part = lambda name: [r for r in rows if r["part"] == name]
    text = [SCALE_HEAD]
    mega = 1 << 20
    text.append("""## smc: observations and particles

Time should be linear in particles times observations, memory within C (T + N log N) nodes (Jacob, Murray & Rubenthaler 2015: what N paths of
length T share). Up to some thousand particles everything is in the cache; beyond, a step waits for memory now and then, and collections copy the
live part: at a million particles they take a sixth of the time. (The filter by hand of `bench/yardstick` keeps five bytes for a particle and step and reads them in
order: it does not grow.) A heap grows to 8 MB before it is collected, so C means something for large N only.
""")
    text.append(table(["observations x particles", "seconds", "ns a particle and observation", "by hand", "peak heap", "bytes over T + N log2 N"],
                      [[f"{r['observes']} x {r['particles']}", f"{r['cpu_seconds']:.2f}", f"{r['ns_per_particle_observe']:.0f}",
                        f"{r['ns_by_hand']:.1f}", f"{r['heap_bytes'] / mega:.0f} MB", f"{r['bytes_per_node_bound']:.0f}"] for r in part("smc")]))
    text.append("## pgibbs: sweeps\n\n100 particles on the paper's 16 observations.\n")
    text.append(table(["sweeps", "ns a simulation", "peak heap"],
                      [[str(r["sweeps"]), f"{r['ns_per_simulation']:.0f}", f"{r['heap_bytes'] / mega:.1f} MB"] for r in part("pgibbs")]))
    text.append("## lmh: observations\n\nA step goes on from the draw it changes, so it costs half an execution on average.\n")
    text.append(table(["observations", "ns a step"], [[str(r["observes"]), f"{r['ns_per_step']:.0f}"] for r in part("lmh")]))
    text.append("""## Two threads against one

Wall time, best of nine, on a machine that has nothing else to do. The control is two runs that share nothing, one on each core, against one: what the
machine allows.
""")
    turns = sorted({r.get("turn", 1) for r in part("threads")})
    names = list(dict.fromkeys(r["what"] for r in part("threads")))
    speed = {(r["what"], r.get("turn", 1)): f"{r['wall_speedup']:.2f}x" for r in part("threads")}
    text.append(table(["what", *[f"turn {t}" for t in turns]], [[n, *[speed.get((n, t), "") for t in turns]] for n in names]))
    return "\n".join(text)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__)
        return 64
    stale = []
    for name, make in [("docs/engines/comparison.md", comparison), ("docs/engines/scale.md", scale)]:
        path = ROOT / name
        text = make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if stale and sys.argv[1:]:
        print(f"does not follow from the results: {', '.join(stale)}; run scripts/generate_engine_pages.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
