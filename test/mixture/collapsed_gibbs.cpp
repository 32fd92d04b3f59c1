// SPDX-License-Identifier: Apache-2.0
// Collapsed Gibbs sampling of the Dirichlet process mixture of dp-mixture.clj, by hand (Neal 2000,
// algorithm 3): the truth that engines are compared with. Nothing of Chancel is used.
//   collapsed_gibbs SWEEPS SEED ALPHA MU BETA A B < values
// prints JSON: the number of clusters and the predictive density at -1, 0 and 1, each as mean and
// standard error by batch means.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

struct Prior {
  double alpha, mu, beta, a, b;
};

struct Cluster {
  double n = 0, sum = 0, squares = 0;
  void add(double y, double sign) {
    n += sign;
    sum += sign * y;
    squares += sign * y * y;
  }
};

// The log density of y given a cluster: Student's t of the normal-gamma posterior.
double log_predictive(const Prior& p, const Cluster& c, double y) {
  const double beta = p.beta + c.n;
  const double mean = (p.beta * p.mu + c.sum) / beta;
  const double a = p.a + c.n / 2;
  const double spread = c.squares - (c.n > 0 ? c.sum * c.sum / c.n : 0);
  const double shift = c.n > 0 ? c.sum / c.n - p.mu : 0;
  const double b = p.b + spread / 2 + p.beta * c.n * shift * shift / (2 * beta);
  const double scale = b * (beta + 1) / beta;
  int sign = 0;
  return lgamma_r(a + 0.5, &sign) - lgamma_r(a, &sign) -
         0.5 * std::log(2 * 3.14159265358979323846 * scale) -
         (a + 0.5) * std::log1p((y - mean) * (y - mean) / (2 * scale));
}

struct Batches {
  std::vector<double> means;
  double sum = 0;
  long count = 0;
  void add(double x, long batch) {
    sum += x;
    if (++count == batch) {
      means.push_back(sum / static_cast<double>(count));
      sum = 0;
      count = 0;
    }
  }
  void print(const char* name, const char* end) const {
    double mean = 0;
    double square = 0;
    const auto n = static_cast<double>(means.size());
    for (const double m : means) mean += m / n;
    for (const double m : means) square += (m - mean) * (m - mean) / (n - 1);
    std::printf("\"%s\": [%.6f, %.6f]%s", name, mean, std::sqrt(square / n), end);
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) return 64;
  const long sweeps = std::atol(argv[1]);
  std::mt19937_64 random(static_cast<std::uint64_t>(std::atol(argv[2])));
  const Prior p{std::atof(argv[3]), std::atof(argv[4]), std::atof(argv[5]), std::atof(argv[6]),
                std::atof(argv[7])};
  std::vector<double> ys;
  for (double y = 0; std::scanf("%lf", &y) == 1;) ys.push_back(y);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::size_t> at(ys.size(), 0);
  std::vector<Cluster> clusters(1);
  for (const double y : ys) clusters[0].add(y, 1);
  Batches count, density[3];
  const double points[3] = {-1, 0, 1};
  const auto total = static_cast<double>(ys.size()) + p.alpha;
  const long batch = sweeps / 50;
  std::vector<double> weights;
  for (long sweep = -sweeps / 10; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < ys.size(); ++i) {
      clusters[at[i]].add(ys[i], -1);
      if (clusters[at[i]].n < 0.5) {
        clusters[at[i]] = clusters.back();
        for (std::size_t& k : at)
          if (k == clusters.size() - 1) k = at[i];
        clusters.pop_back();
      }
      weights.clear();
      double sum = 0;
      for (const Cluster& c : clusters)
        weights.push_back(sum += c.n * std::exp(log_predictive(p, c, ys[i])));
      sum += p.alpha * std::exp(log_predictive(p, Cluster{}, ys[i]));
      const double u = uniform(random) * sum;
      std::size_t k = 0;
      while (k < weights.size() && u >= weights[k]) ++k;
      if (k == clusters.size()) clusters.emplace_back();
      at[i] = k;
      clusters[k].add(ys[i], 1);
    }
    if (sweep < 0) continue;
    count.add(static_cast<double>(clusters.size()), batch);
    for (int d = 0; d < 3; ++d) {
      double sum = p.alpha / total * std::exp(log_predictive(p, Cluster{}, points[d]));
      for (const Cluster& c : clusters)
        sum += c.n / total * std::exp(log_predictive(p, c, points[d]));
      density[d].add(sum, batch);
    }
  }
  std::printf("{");
  count.print("clusters", ", ");
  density[0].print("density-1", ", ");
  density[1].print("density-2", ", ");
  density[2].print("density-3", "}\n");
}
