// SPDX-License-Identifier: Apache-2.0
#include "front/foreign_names.hpp"

#include <fmt/format.h>

#include <cctype>

namespace chancel::front {

namespace {

struct Foreign {
  std::string_view theirs;  // as squashed() gives it
  const char* ours;         // a name, or a form to write
};

constexpr Foreign kForeign[] = {
    // distributions
    {"gaussian", "normal"},
    {"norm", "normal"},
    {"normalidglm", "normal"},
    {"stdnormal", "(normal 0 1)"},
    {"randn", "(sample (normal 0 1))"},
    {"randint", "uniform-discrete"},
    {"integers", "uniform-discrete"},
    {"discreteuniform", "uniform-discrete"},
    {"choice", "categorical"},
    {"multinormal", "mvn"},
    {"mvnormal", "mvn"},
    {"multivariatenormal", "mvn"},
    {"multistudentt", "multivariate-t"},
    {"mvstudentt", "multivariate-t"},
    {"studentt", "student-t-loc-scale"},
    {"halft", "half-student-t"},
    {"doubleexponential", "laplace"},
    {"expon", "exponential"},
    {"invgamma", "inverse-gamma"},
    {"invwishart", "inverse-wishart"},
    {"chisquare", "chi-squared"},
    {"chi2", "chi-squared"},
    {"lognorm", "log-normal"},
    {"negbinomial2", "neg-binomial"},
    {"negbinomial2log", "neg-binomial-log"},
    {"lkjcorr", "lkj"},
    {"lkjcorrcholesky", "lkj-cholesky"},
    {"bernoullilogitglm", "bernoulli-logit"},
    {"poissonlogglm", "poisson-log"},
    {"improperuniform", "flat"},
    {"pointmass", "dirac"},
    {"delta", "dirac"},
    // statements
    {"target", "factor"},
    {"potential", "factor"},
    {"deterministic", "predict"},
    {"plate", "doseq"},
    // functions
    {"invlogit", "sigmoid"},
    {"expit", "sigmoid"},
    {"lgamma", "log-gamma-fn"},
    {"gammaln", "log-gamma-fn"},
    {"dotproduct", "dot"},
    {"matmul", "mmul"},
    {"arange", "range"},
    {"len", "count"},
    {"append", "conj"},
};

// Small letters and digits alone: half_normal, HalfNormal and half-normal are one.
std::string squashed(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '-' || c == '_') continue;
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// Without the module in front and Stan's suffix.
std::string_view bare(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size()) name.remove_prefix(dot + 1);
  for (const std::string_view end : {"rng", "lpdf", "lpmf", "lupdf", "lupmf"}) {
    if (name.size() > end.size() + 1 && name.ends_with(end)) {
      const char before = name[name.size() - end.size() - 1];
      if (before == '_' || before == '-') name.remove_suffix(end.size() + 1);
    }
  }
  return name;
}

}  // namespace

std::string foreign_name_hint(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string plain = squashed(bare(name));
  if (plain == "irisdata")
    return "anglib's set of 149 rows is not here; iris-setosa, iris-versicolor and iris-virginica "
           "have 50 "
           "flowers each, and (map #(conj % :Iris-setosa) iris-setosa) labels them";
  for (const Foreign& f : kForeign) {
    if (f.theirs != plain) continue;
    if (f.ours[0] == '(') return fmt::format("write {}", f.ours);
    for (const std::string& c : candidates)
      if (c == f.ours) return fmt::format("did you mean {}?", c);
  }
  const std::string* same = nullptr;
  for (const std::string& c : candidates)
    if (squashed(c) == plain && c != name && (same == nullptr || c < *same)) same = &c;
  return same != nullptr ? fmt::format("did you mean {}?", *same) : "";
}

}  // namespace chancel::front
