#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact posteriors of every model here, by methods that share nothing with Chancel's engines.

Enumeration, forward-backward, Kalman smoothing, conjugacy, partition sums and one-dimensional quadrature, in plain
Python without packages. `compute_truth.py` rewrites every truth.json; `compute_truth.py --check` compares instead
(relative 1e-9) and fails on a difference. Takes a few seconds.

truth.json: {"model", "how", "programs": {FILE: {"query", "log_evidence", "predicts": {LABEL: MARGINAL}}}}.
LABEL is the printed label of the predict. MARGINAL has a "kind":
  discrete   support, probabilities                     one value out of a countable set, its far tail left out
  marginals  support, probabilities (one row an entry)  a vector of such values, its entries one by one
  normal     mean, sd                                   exactly normal
  normals    means, sds                                 a vector whose entries are normal
  beta       a, b
  moments    mean, variance                             neither of these, but with known moments
"""
import itertools
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def log_normal(x, mean, sd):
    return -0.5 * ((x - mean) / sd) ** 2 - math.log(sd) - 0.5 * math.log(2 * math.pi)


def log_poisson(k, rate):
    if rate == 0:
        return 0.0 if k == 0 else -math.inf
    return k * math.log(rate) - rate - math.lgamma(k + 1)


def log_sum_exp(terms):
    top = max(terms)
    return top + math.log(math.fsum(math.exp(t - top) for t in terms))


def discrete(weights, log_scale=0.0):
    """{value: weight} -> (log evidence, marginal)."""
    total = math.fsum(weights.values())
    kept = {v: w / total for v, w in sorted(weights.items()) if w / total > 1e-300}
    return math.log(total) + log_scale, {
        "kind": "discrete", "support": list(kept), "probabilities": list(kept.values())}


def truth(model, how, **programs):
    return model, {"model": model, "how": how,
                   "programs": {name.replace("__", ".").replace("_", "-"): p for name, p in programs.items()}}


def program(query, log_evidence, predicts):
    return {"query": query, "log_evidence": log_evidence, "predicts": predicts}


# --- the paper's four ------------------------------------------------------------------------------------------------

HMM_OBSERVATIONS = [0.9, 0.8, 0.7, 0, -0.025, 5, 2, 0.1, 0, 0.13, 0.45, 6, 0.2, 0.3, -1, -1]


def forward_backward(initial, transition, log_likelihood, steps):
    """State 0 is unobserved, states 1..steps are observed. Gives the log evidence and the smoothed marginals."""
    states = range(len(initial))
    alphas, log_evidence = [list(initial)], 0.0
    for t in range(1, steps + 1):
        raw = [math.fsum(alphas[-1][i] * transition[i][j] for i in states) * math.exp(log_likelihood(t, j))
               for j in states]
        total = math.fsum(raw)
        log_evidence += math.log(total)
        alphas.append([r / total for r in raw])
    beta, gammas = [1.0] * len(initial), []
    for t in range(steps, -1, -1):
        raw = [a * b for a, b in zip(alphas[t], beta)]
        total = math.fsum(raw)
        gammas.append([r / total for r in raw])
        if t:
            beta = [math.fsum(transition[i][j] * math.exp(log_likelihood(t, j)) * beta[j] for j in states)
                    for i in states]
            scale = sum(beta)
            beta = [b / scale for b in beta]
    return log_evidence, gammas[::-1]


def hmm():
    means = [-1, 1, 0]
    log_evidence, gammas = forward_backward(
        [1 / 3] * 3, [[.1, .5, .4], [.2, .2, .6], [.15, .15, .7]],
        lambda t, j: log_normal(HMM_OBSERVATIONS[t - 1], means[j], 1), 16)
    return truth(
        "hmm", "forward-backward",
        hmm__clj=program("hmm", log_evidence, {
            ":states": {"kind": "marginals", "support": [0, 1, 2], "probabilities": gammas}}),
        hmm__vnt=program("main", log_evidence, {
            f"(get-state {t})": {"kind": "discrete", "support": [0, 1, 2], "probabilities": g}
            for t, g in enumerate(gammas)}))


DP_DATA = [1.0, 1.1, 1.2, -10, -15, -20, 0.01, 0.1, 0.05, 0]


def normal_gamma_log_evidence(block, mu, kappa, a, b):
    n = len(block)
    mean = math.fsum(block) / n
    spread = math.fsum((x - mean) ** 2 for x in block)
    b_n = b + 0.5 * spread + kappa * n * (mean - mu) ** 2 / (2 * (kappa + n))
    return (math.lgamma(a + n / 2) - math.lgamma(a) + a * math.log(b) - (a + n / 2) * math.log(b_n)
            + 0.5 * math.log(kappa / (kappa + n)) - n / 2 * math.log(2 * math.pi))


def scale_family_log_evidence(block):
    """v = 10/g, g ~ Gamma(1, rate 10), m ~ N(0, sd v), x ~ N(m, sd v): m integrates out, g by quadrature over log g."""
    n = len(block)
    square = math.fsum(x * x for x in block) - math.fsum(block) ** 2 / (n + 1)
    constant = -n / 2 * math.log(2 * math.pi) - 0.5 * math.log(n + 1)

    def log_integrand(t):  # includes the Jacobian g dt
        g = math.exp(t)
        return math.log(10) - 10 * g + n * (t - math.log(10)) - square * g * g / 200 + t

    # The trapezium rule is exact to rounding for a smooth integrand that dies at both ends. Its mode is well inside.
    step = 0.01
    return constant + math.log(step) + log_sum_exp([log_integrand(-45 + step * i) for i in range(5001)])


def partition_posterior(data, alpha, log_evidence):
    """P(K | data) under a CRP, by the recursion over the block that holds the first remaining point."""
    n = len(data)
    block_weight = {}
    for mask in range(1, 1 << n):
        block = [data[i] for i in range(n) if mask >> i & 1]
        block_weight[mask] = alpha * math.factorial(len(block) - 1) * math.exp(log_evidence(block))
    table = {0: [1.0] + [0.0] * n}
    for mask in range(1, 1 << n):
        low = mask & -mask
        rest, row = mask ^ low, [0.0] * (n + 1)
        sub = rest
        while True:
            w, tail = block_weight[sub | low], table[rest ^ sub]
            for k in range(n):
                row[k + 1] += w * tail[k]
            if sub == 0:
                break
            sub = (sub - 1) & rest
        table[mask] = row
    rising = math.fsum(math.log(alpha + i) for i in range(n))
    return discrete({k: w for k, w in enumerate(table[(1 << n) - 1]) if k}, -rising)


def dp_mixture():
    new = partition_posterior(DP_DATA, 1.72, lambda x: normal_gamma_log_evidence(x, 0, 100, 1, 10))
    original = partition_posterior(DP_DATA, 1.72, scale_family_log_evidence)
    return truth(
        "dp-mixture", "sum over all 115975 partitions (subset recursion); clj: normal-gamma evidence in closed form; "
        "vnt: evidence of a block by quadrature over the scale",
        dp_mixture__clj=program("crp-mixture", new[0], {":num-clusters": new[1]}),
        dp_mixture__vnt=program("main", original[0], {"(K)": original[1]}))


def branching():
    def posterior(fib):
        weights = {}
        for r in range(60):
            if r > 4:
                likelihood = math.exp(log_poisson(6, 6))
            else:
                likelihood = math.fsum(math.exp(log_poisson(x, 4) + log_poisson(6, fib[3 * r] + x))
                                       for x in range(200))
            weights[r] = math.exp(log_poisson(r, 4)) * likelihood
        return discrete(weights)

    from_zero, from_one = [0, 1], [1, 1]
    for sequence in (from_zero, from_one):
        while len(sequence) < 13:
            sequence.append(sequence[-1] + sequence[-2])
    new, original = posterior(from_zero), posterior(from_one)
    return truth("branching", "exact sums over r and the inner draw",
                 branching__clj=program("branching", new[0], {":r": new[1]}),
                 branching__vnt=program("main", original[0], {"r": original[1]}))


def marsaglia():
    precision = 1 / 5 + 2 / 2
    mean, sd = (1 / 5 + 17 / 2) / precision, math.sqrt(1 / precision)
    log_evidence = log_normal(9, 1, math.sqrt(7))
    after_first = 1 / (1 / 5 + 1 / 2)
    log_evidence += log_normal(8, after_first * (1 / 5 + 9 / 2), math.sqrt(after_first + 2))
    marginal = {"kind": "normal", "mean": mean, "sd": sd}
    return truth("marsaglia", "a Marsaglia draw is exactly normal, so mu is conjugate",
                 marsaglia__clj=program("gaussian-marsaglia", log_evidence, {":mu": marginal}),
                 marsaglia__vnt=program("main", log_evidence, {"mu": marginal}))


# --- small models for the inference gate -----------------------------------------------------------------------------


def two_state():
    log_evidence, marginal = discrete({False: .5 * .75 * .25, True: .5 * .25 * .75})
    return truth("two-state", "two states by hand", two_state__clj=program("two-state", log_evidence, {":s": marginal}))


def gaussian_chain():
    x = {"kind": "normal", "mean": 1.0, "sd": math.sqrt(2 / 3)}
    y = {"kind": "normal", "mean": 2.0, "sd": math.sqrt(2 / 3)}
    return truth("gaussian-chain", "jointly normal: Cov(x,o)=1, Cov(y,o)=2, Var(o)=3",
                 gaussian_chain__clj=program("gaussian-chain", log_normal(3, 0, math.sqrt(3)), {":x": x, ":y": y}))


def lgss():
    ys = [0.4, 1.1, 0.6, -0.3, -1.2, -0.9, 0.2, 2.1, 1.7, 0.8]
    predicted, filtered, log_evidence = [], [], 0.0
    mean, variance = 0.0, 4.0
    for y in ys:
        predicted.append((mean, variance))
        log_evidence += log_normal(y, mean, math.sqrt(variance + 0.25))
        gain = variance / (variance + 0.25)
        mean, variance = mean + gain * (y - mean), (1 - gain) * variance
        filtered.append((mean, variance))
        mean, variance = 0.9 * mean, 0.81 * variance + 1
    smoothed = [filtered[-1]]
    for t in range(len(ys) - 2, -1, -1):
        (m, v), (pm, pv) = filtered[t], predicted[t + 1]
        back = 0.9 * v / pv
        smoothed.insert(0, (m + back * (smoothed[0][0] - pm), v + back * back * (smoothed[0][1] - pv)))
    return truth("lgss", "Kalman filter and Rauch-Tung-Striebel smoother", lgss__clj=program("lgss", log_evidence, {
        ":xs": {"kind": "normals", "means": [m for m, _ in smoothed], "sds": [math.sqrt(v) for _, v in smoothed]}}))


def hmm_parameter():
    ys = [0.1, -0.4, 0.3, 1.2, 0.9, 1.1, 0.8, 0.2]
    stays, ones = {}, [0.0] * (len(ys) + 1)
    for stay in (0.2, 0.5, 0.8):
        for path in itertools.product((0, 1), repeat=len(ys) + 1):
            log_w = math.log(1 / 3 * 0.5)
            for previous, state, y in zip(path, path[1:], ys):
                log_w += math.log(stay if state == previous else 1 - stay) + log_normal(y, state, 0.7)
            w = math.exp(log_w)
            stays[stay] = stays.get(stay, 0.0) + w
            for t, state in enumerate(path):
                ones[t] += w * state
    log_evidence, stay = discrete(stays)
    total = math.exp(log_evidence)
    return truth("hmm-parameter", "enumeration of 3 parameters x 512 paths",
                 hmm_parameter__clj=program("hmm-parameter", log_evidence, {
                     ":stay": stay,
                     ":states": {"kind": "marginals", "support": [0, 1],
                                 "probabilities": [[1 - o / total, o / total] for o in ones]}}))


def log_beta(a, b):
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def urn():
    a, b = 2 + 5, 3 + 2
    p = a / (a + b)
    return truth("urn", "beta-Bernoulli conjugacy", urn__clj=program(
        "urn", log_beta(a, b) - log_beta(2, 3),
        {":p": {"kind": "beta", "a": a, "b": b},
         ":next": {"kind": "discrete", "support": [False, True], "probabilities": [1 - p, p]}}))


def crp():
    scores, alpha = [0.1, 2.2, -0.3, 4.1, 1.9, 0.4], 1.5
    rows, tables_used = [{} for _ in scores], {}

    def seat(tables, log_w):
        i = len(tables)
        if i == len(scores):
            w = math.exp(log_w)
            used = len(set(tables))
            tables_used[used] = tables_used.get(used, 0.0) + w
            for row, table in zip(rows, tables):
                row[table] = row.get(table, 0.0) + w
            return
        occupied = max(tables, default=-1) + 1
        for table in range(occupied + 1):
            share = tables.count(table) if table < occupied else alpha
            seat(tables + [table],
                 log_w + math.log(share / (i + alpha)) + log_normal(scores[i], 2 * table, 1))

    seat([], 0.0)
    log_evidence, used = discrete(tables_used)
    support = list(range(len(scores)))
    total = math.exp(log_evidence)
    marginals = [[row.get(t, 0.0) / total for t in support] for row in rows]
    guest = {i: {"kind": "discrete", "support": support, "probabilities": marginals[i]} for i in (1, 3)}
    return truth(
        "crp", "enumeration of the 203 seatings",
        crp__clj=program("crp", log_evidence, {
            ":num-tables": used,
            ":tables": {"kind": "marginals", "support": support, "probabilities": marginals}}),
        crp__vnt=program("main", log_evidence, {
            "(table 1)": guest[1], "(table 3)": guest[3],
            "(count (unique (list (table 0) (table 1) (table 2) (table 3) (table 4) (table 5))))": used}))


def random_length():
    positions, steps = {}, {}
    for n in range(150):
        for k in range(n + 1):
            w = 0.3 * 0.7 ** n * math.comb(n, k) * 0.5 ** n * math.exp(log_normal(2.3, k, 1))
            positions[k] = positions.get(k, 0.0) + w
            steps[n] = steps.get(n, 0.0) + w
    log_evidence, position = discrete(positions)
    return truth("random-length", "sum over the number of steps (geometric) and the position (binomial), 150 terms",
                 random_length__clj=program("random-length", log_evidence, {
                     ":position": position, ":steps": discrete(steps)[1]}))


def unaligned():
    log_evidence, k = discrete({k: 0.2 * 0.7 ** k * (0.4 if k % 2 else 1) for k in range(1, 6)})
    return truth("unaligned", "five cases by hand", unaligned__clj=program("unaligned", log_evidence, {":k": k}))


def dirac():
    firsts, largest = {}, {}
    for throw in itertools.product(range(1, 7), repeat=3):
        if sum(throw) == 5:
            firsts[throw[0]] = firsts.get(throw[0], 0) + 1 / 216
            largest[max(throw)] = largest.get(max(throw), 0) + 1 / 216
    log_evidence, a = discrete(firsts)
    return truth("dirac", "enumeration of 216 throws",
                 dirac__clj=program("dirac-sum", log_evidence, {":a": a, ":largest": discrete(largest)[1]}))


def dying():
    log_evidence, door = discrete({1: .3 * .9 / 6 * .9, 2: .3 * .9 / 6 * .4})
    return truth("dying", "two cases by hand", dying__clj=program("dying", log_evidence, {":door": door}))


def mixture():
    ys = [-1.2, -0.4, 1.5, 2.1, 0.6]
    total = 0.0
    together = {i: 0.0 for i in (1, 2, 4)}
    first, of_first = [0.0, 0.0], [0.0, 0.0]
    for labels in itertools.product((0, 1), repeat=len(ys)):
        log_w, posterior = math.log(0.5) * len(ys), []
        for component in (0, 1):
            mean, variance = 0.0, 9.0
            for y, label in zip(ys, labels):
                if label == component:
                    log_w += log_normal(y, mean, math.sqrt(variance + 1))
                    gain = variance / (variance + 1)
                    mean, variance = mean + gain * (y - mean), (1 - gain) * variance
            posterior.append((mean, variance))
        w = math.exp(log_w)
        total += w
        for i in together:
            together[i] += w * (labels[0] == labels[i])
        for moments, (m, v) in ((first, posterior[0]), (of_first, posterior[labels[0]])):
            moments[0] += w * m
            moments[1] += w * (v + m * m)
    predicts = {f":together-0-{i}": {"kind": "discrete", "support": [False, True],
                                     "probabilities": [1 - t / total, t / total]} for i, t in together.items()}
    for label, (m, s) in ((":first-mean", first), (":mean-of-first", of_first)):
        predicts[label] = {"kind": "moments", "mean": m / total, "variance": s / total - (m / total) ** 2}
    return truth("mixture", "enumeration of 32 labellings, the means integrated out",
                 mixture__clj=program("mixture", math.log(total), predicts))


def conditional():
    inner = .36 / (.36 + .16)
    log_evidence, a = discrete({False: (1 - inner) * .9, True: inner * .5})
    met = {k: p * p / (p * p + (1 - p) ** 2) / 4 for k in range(1, 5) for p in [k / 5]}
    log_evidence_met, p = discrete(met)
    return truth("conditional", "the inner posterior 9/13 and the outer one by hand",
                 conditional__clj=program("conditional-meets", log_evidence, {":a": a}),
                 exact__clj=program("conditional-exact", log_evidence, {":a": a}),
                 observed__clj=program("conditional-observed", log_evidence_met, {":p": p}))


def kept():
    # clipped: E x^2 of beta(c, c) is (c + 1) / (2 (2c + 1)). P(gamma(a, 1) < e) = e^a / Gamma(a + 1) (1 + O(e)).
    clipped = {}
    for z, c, a in ((True, .01, .001), (False, .05, .003)):
        below = math.exp(a * math.log(1e-300) - math.lgamma(a + 1))
        clipped[z] = .5 * (c + 1) / (2 * (2 * c + 1)) * (.3 * below + .9 * (1 - below))
    log_clipped, z_clipped = discrete(clipped)
    # atoms: (y1, y2) is normal with variances 2 and covariance 1 when both values are one, else 0.
    ya, yb = .5, -.5
    atoms = {}
    for same, cov in ((True, 1.), (False, 0.)):
        det = 4 - cov * cov
        quad = (2 * ya * ya - 2 * cov * ya * yb + 2 * yb * yb) / det
        atoms[same] = .5 * math.exp(-.5 * quad) / (2 * math.pi * math.sqrt(det))
    log_atoms, same = discrete(atoms)
    # lengths: [1] or [1 2] | [1 2] or [3], then [1 2 3] or [1] | [1] or [2].
    log_lengths, z_lengths = discrete({True: .5 * (.5 * .4 + .5 * .8) * (.5 * .9 + .5 * .6),
                                       False: .5 * (.25 * .8 + .75 * .4) * (.5 * .6 + .5 * .2)})
    log_points, z_points = discrete({True: .45 * .8 * .5, False: .55 * .4 * .5})
    _, f_points = discrete({True: .75, False: .25})
    return truth("kept", "moments, normals and enumeration by hand",
                 clipped__clj=program("clipped", log_clipped, {":z": z_clipped}),
                 atoms__clj=program("atoms", log_atoms, {":same": same}),
                 spike__clj=program("spiked", log_atoms, {":same": same}),
                 lengths__clj=program("lengths", log_lengths, {":z": z_lengths}),
                 points__clj=program("points", log_points, {":z": z_points, ":f": f_points}))


def supports():
    # 7 of 10 for the share; 4 for the rate; outcomes 0 and 2 for weights dirichlet(1, 2, 3).
    log_evidence = (math.log(math.comb(10, 7)) + log_beta(2 + 7, 3 + 3) - log_beta(2, 3)
                    + math.lgamma(2 + 4) - math.lgamma(2) - math.lgamma(5) - 6 * math.log(2)
                    + math.log(1 / 6 * 3 / 7))
    # top is gamma(3, 1); of what is below it: E = E top / 2, Var = E top^2 / 12 + Var top / 4.
    return truth("supports", "conjugacy; moments of the last two by hand", supports__clj=program("supports", log_evidence, {
        ":share": {"kind": "beta", "a": 9, "b": 6},
        ":rate": {"kind": "moments", "mean": 3, "variance": 1.5},
        ":first": {"kind": "beta", "a": 2, "b": 6},
        ":last": {"kind": "beta", "a": 4, "b": 4},
        ":top": {"kind": "moments", "mean": 3, "variance": 3},
        ":below": {"kind": "moments", "mean": 1.5, "variance": 1.75}}))


MODELS = [hmm, dp_mixture, branching, marsaglia, two_state, gaussian_chain, lgss, hmm_parameter, urn, crp,
          random_length, unaligned, dirac, dying, mixture, conditional, kept, supports]


def differences(a, b, path):
    """Places where two JSON values differ by more than 1e-9 (numbers) or at all (the rest)."""
    number = (int, float)
    if isinstance(a, number) and isinstance(b, number) and not isinstance(a, bool) and not isinstance(b, bool):
        return [] if abs(a - b) <= 1e-9 * max(1e-3, abs(a), abs(b)) else [f"{path}: {a} != {b}"]
    if type(a) is not type(b) or (isinstance(a, (list, dict)) and len(a) != len(b)):
        return [f"{path}: shapes differ"]
    if isinstance(a, list):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, f"{path}[{i}]")]
    if isinstance(a, dict):
        return [d for k in a for d in (differences(a[k], b[k], f"{path}.{k}") if k in b else [f"{path}.{k}: missing"])]
    return [] if a == b else [f"{path}: {a} != {b}"]


def main():
    check = "--check" in sys.argv[1:]
    wrong = []
    for compute in MODELS:
        name, result = compute()
        path = HERE / name / "truth.json"
        if check:
            wrong += differences(json.loads(path.read_text()), result, name)
        else:
            path.write_text(json.dumps(result, indent=1) + "\n")
    print("\n".join(wrong) or f"{len(MODELS)} models {'agree' if check else 'written'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
