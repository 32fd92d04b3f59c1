#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/cookbook: the data of each example, and what its posterior says about them.

Run: scripts/draw_cookbook.py [--program build/release/chancel] [NAME...]
It runs each example with the seed of its page and writes docs/cookbook/NAME.svg.
"""
import argparse
import csv
import io
import math
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 300, 56, 44, 12, 12
INK, DATA, POSTERIOR = "#444", "#222", "#2b6cb0"


class Picture:
    """A chart as SVG: axes with round ticks, and shapes in the units of the data."""

    def __init__(self, xs, ys, x_name, y_name):
        (self.x0, self.x1), (self.y0, self.y1) = xs, ys
        self.parts = []
        for value in ticks(*xs):
            self.parts.append(f'<text x="{self.x(value):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:g}</text>')
        for value in ticks(*ys):
            y = self.y(value)
            self.parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        self.parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{x_name}</text>')
        self.parts.append(f'<text transform="translate(13 {(HEIGHT - BOTTOM + TOP) / 2:.0f}) rotate(-90)" text-anchor="middle">{y_name}</text>')

    def x(self, value):
        return LEFT + (value - self.x0) / (self.x1 - self.x0) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - (value - self.y0) / (self.y1 - self.y0) * (HEIGHT - BOTTOM - TOP)

    def path(self, points):
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)

    def points(self, points):
        self.parts += [f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.6" fill="{DATA}"/>' for x, y in points]

    def line(self, points, width=1.8):
        self.parts.append(f'<polyline points="{self.path(points)}" fill="none" stroke="{POSTERIOR}" stroke-width="{width}"/>')

    def band(self, xs, low, high):
        outline = self.path(list(zip(xs, low)) + list(zip(xs, high))[::-1])
        self.parts.append(f'<polygon points="{outline}" fill="{POSTERIOR}" fill-opacity="0.2"/>')

    def bars(self, bars, width, colour=POSTERIOR):
        for x, height in bars:
            top, bottom = self.y(height), self.y(max(self.y0, 0))
            self.parts.append(f'<rect x="{self.x(x - width / 2):.1f}" y="{top:.1f}" width="{max(self.x(width) - self.x(0) - 1, 1):.1f}" '
                              f'height="{bottom - top:.1f}" fill="{colour}" fill-opacity="0.5"/>')

    def text(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" '
                f'fill="{INK}">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def ticks(low, high):
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def quantile(values, p):
    values = sorted(values)
    return values[min(int(p * len(values)), len(values) - 1)]


def fan(picture, xs, functions):
    """The median and the 90 % interval of functions of x, a line and a band."""
    columns = [[f(x) for f in functions] for x in xs]
    picture.band(xs, [quantile(c, 0.05) for c in columns], [quantile(c, 0.95) for c in columns])
    picture.line([(x, quantile(c, 0.5)) for x, c in zip(xs, columns)])


def histogram(values, low, high, bins):
    width = (high - low) / bins
    counts = [0] * bins
    for v in values:
        if low <= v < high:
            counts[int((v - low) / width)] += 1
    return [(low + (i + 0.5) * width, n / len(values) / width) for i, n in enumerate(counts)], width


def grid(low, high, n=60):
    return [low + (high - low) * i / n for i in range(n + 1)]


def linear_regression(data, draws):
    picture = Picture((1.2, 5.7), (5, 37), "weight (1000 lb)", "miles per gallon, mean at 100 hp")
    fan(picture, grid(1.3, 5.6), [lambda x, d=d: d[":intercept"] + d[":b-wt"] * x + d[":b-hp"] * 100 for d in draws])
    picture.points(zip(data["wt"], data["mpg"]))
    return picture


def logistic_regression(data, draws):
    picture = Picture((30, 82), (-0.05, 1.05), "temperature at launch (°F)", "probability of damage")
    fan(picture, grid(31, 82), [lambda x, d=d: 1 / (1 + math.exp(-max(-700, d[":intercept"] + d[":slope"] * x))) for d in draws])
    picture.points(zip(data["temperature"], data["damaged"]))
    return picture


def eight_schools(data, draws):
    picture = Picture((0.5, 8.5), (-20, 45), "school (points: measured; lines: 90 % of the true effect)", "effect of coaching")
    for i in range(8):
        values = [d[f":theta[{i}]"] for d in draws]
        picture.line([(i + 1, quantile(values, 0.05)), (i + 1, quantile(values, 0.95))], 3)
    picture.points(zip(range(1, 9), data["effect"]))
    return picture


def change_point(data, draws):
    picture = Picture((1850, 1963), (0, 6.5), "year", "disasters, and their rate")
    fan(picture, data["year"], [lambda x, d=d: d[":early"] if x < d[":change"] else d[":late"] for d in draws])
    picture.points(zip(data["year"], data["disasters"]))
    return picture


def ab_test(_, draws):
    bars, width = histogram([d[":relative-risk"] for d in draws], 0.3, 1.1, 40)
    picture = Picture((0.3, 1.1), (0, 1.1 * max(h for _, h in bars)), "risk on aspirin over risk on placebo", "posterior density")
    picture.bars(bars, width)
    return picture


def mixture(data, draws):
    bars, width = histogram(data["velocity"], 5, 40, 35)
    picture = Picture((5, 40), (0, 0.25), "velocity (1000 km/s)", "density")
    picture.bars(bars, width, DATA)

    def density(x, d):
        return sum(d[f":weights[{k}]"] * math.exp(-0.5 * ((x - d[f":means[{k}]"]) / d[":sd"]) ** 2) for k in range(3)) / \
            (d[":sd"] * math.sqrt(2 * math.pi))

    fan(picture, grid(5, 40, 120), [lambda x, d=d: density(x, d) for d in draws])
    return picture


def dp_mixture(data, _):
    bars, width = histogram(data["eruptions"], 1.4, 5.4, 40)
    picture = Picture((1.4, 5.4), (0, 0.9), "length of the eruption (minutes)", "share per minute")
    picture.bars(bars, width, DATA)
    return picture


def state_space(data, draws):
    picture = Picture((1870, 1971), (400, 1400), "year", "flow of the Nile, and its level")
    fan(picture, data["year"], [lambda x, d=d: d[f":level[{int(x) - 1871}]"] for d in draws])
    picture.points(zip(data["year"], data["flow"]))
    return picture


def sir(data, draws):
    def infected(d):
        gamma = 1 / d[":days-ill"]
        beta, s, i, values, steps = d[":r0"] * gamma, 762.0, 1.0, [1.0], 20
        for _ in range(15 * steps):
            new = beta * s * i / 763 / steps
            s, i = s - new, i + new - gamma * i / steps
            values.append(i)
        return lambda x: values[round(x * steps)]

    picture = Picture((0, 15), (0, 350), "day", "boys in bed, and infected")
    fan(picture, grid(0, 15), [infected(d) for d in draws])
    picture.points(zip(data["day"], data["in_bed"]))
    return picture


EXAMPLES = {"linear-regression": ("cars", linear_regression), "logistic-regression": ("orings", logistic_regression),
            "eight-schools": ("schools", eight_schools), "change-point": ("coal", change_point), "ab-test": ("aspirin", ab_test),
            "mixture": ("galaxies", mixture), "dp-mixture": ("faithful", dp_mixture), "state-space": ("nile", state_space),
            "sir": ("influenza", sir)}
DRAWS = 400  # of the run, evenly spaced


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def rows(text):
    return [{name: number(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(text))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--program", default=str(ROOT / "build/release/chancel"))
    given = parser.parse_args()
    for name in given.names or EXAMPLES:
        file, draw = EXAMPLES[name]
        path = ROOT / "examples/data" / f"{file}.csv"
        table = rows(path.read_text())
        data = {column: [row[column] for row in table] for column in table[0]}
        draws = []
        if draw is not dp_mixture:
            command = [given.program, "infer", str(ROOT / f"examples/{name}.clj"), "--data", str(path), "--seed", "1", "-q", "--format", "csv"]
            draws = rows(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            draws = draws[::max(len(draws) // DRAWS, 1)]
        (ROOT / f"docs/cookbook/{name}.svg").write_text(draw(data, draws).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
