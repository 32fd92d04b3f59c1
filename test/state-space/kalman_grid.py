#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The exact posterior of models/state-space/ar1.clj: the likelihood by a Kalman filter, on a grid of its three parameters.

The grid is a product of midpoints on the real line (logit of phi, logs of sigma and tau) that covers six standard deviations to
each side of a first, coarser one. Plain Python, about 20 seconds. Prints what state_space_test.py has as its truth.
"""
import itertools
import json
import math
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "models" / "state-space" / "data" / "ar1.json"


def log_likelihood(ys, phi, sigma, tau):
    mean = variance = total = 0.0
    for y in ys:
        mean *= phi
        variance = phi * phi * variance + sigma * sigma
        spread = variance + tau * tau
        off = y - mean
        total -= 0.5 * (math.log(spread) + off * off / spread)
        gain = variance / spread
        mean += gain * off
        variance *= 1 - gain
    return total - 0.5 * len(ys) * math.log(2 * math.pi)


def log_posterior(ys, q):
    """Of coordinates on the real line, with the priors uniform(0, 1) and half-normal(1)."""
    phi, sigma, tau = 1 / (1 + math.exp(-q[0])), math.exp(q[1]), math.exp(q[2])
    half_normals = 2 * math.log(2 / math.sqrt(2 * math.pi)) - 0.5 * (sigma * sigma + tau * tau)
    return log_likelihood(ys, phi, sigma, tau) + half_normals + math.log(phi * (1 - phi)) + q[1] + q[2]


def moments(ys, centre, half_width, count):
    """Log evidence; mean and standard deviation of the parameters; the same of the coordinates."""
    axes = [[c + w * (2 * (i + 0.5) / count - 1) for i in range(count)] for c, w in zip(centre, half_width)]
    points = [(q, log_posterior(ys, q)) for q in itertools.product(*axes)]
    top = max(value for _, value in points)
    weights = [math.exp(value - top) for _, value in points]
    total = math.fsum(weights)

    def mean_and_sd(of):
        values = [of(q) for q, _ in points]
        mean = math.fsum(w * v for w, v in zip(weights, values)) / total
        return mean, math.sqrt(math.fsum(w * (v - mean) ** 2 for w, v in zip(weights, values)) / total)

    cell = math.prod(2 * w / count for w in half_width)
    parameters = {"phi": lambda q: 1 / (1 + math.exp(-q[0])), "sigma": lambda q: math.exp(q[1]), "tau": lambda q: math.exp(q[2])}
    return (top + math.log(total * cell), {name: mean_and_sd(of) for name, of in parameters.items()},
            [mean_and_sd(lambda q, k=k: q[k]) for k in range(3)])


def main():
    ys = json.loads(DATA.read_text())["ys"]
    coarse = moments(ys, [2.2, -0.7, 0.0], [2.0, 1.0, 0.5], 21)[2]
    evidence, truth, _ = moments(ys, [m for m, _ in coarse], [6 * sd for _, sd in coarse], 36)
    print(f"log evidence {evidence:.6f}")
    for name, (mean, sd) in truth.items():
        print(f'    "{name}": ({mean:.6f}, {sd:.6f}),')


if __name__ == "__main__":
    main()
