// SPDX-License-Identifier: Apache-2.0
// See truth.hpp.
#include "truth.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace measure {

namespace {

using Json = nlohmann::json;

double number(const Json& j) {
  return j.is_boolean() ? (j.get<bool>() ? 1.0 : 0.0) : j.get<double>();
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> out;
  for (const Json& j : list) out.push_back(number(j));
  return out;
}

Distribution discrete(const Json& support, const Json& probabilities) {
  Distribution distribution;
  distribution.support = numbers(support);
  distribution.probabilities = numbers(probabilities);
  return distribution;
}

Distribution normal(double mean, double sd) {
  Distribution distribution;
  distribution.kind = Distribution::Kind::Normal;
  distribution.mean = mean;
  distribution.sd = sd;
  return distribution;
}

void add_predict(const std::string& label, const Json& m, std::vector<Scalar>& out) {
  const std::string kind = m.at("kind");
  if (kind == "discrete") {
    out.push_back({label, -1, discrete(m.at("support"), m.at("probabilities"))});
  } else if (kind == "marginals") {
    int entry = 0;
    for (const Json& row : m.at("probabilities"))
      out.push_back({label, entry++, discrete(m.at("support"), row)});
  } else if (kind == "normal") {
    out.push_back({label, -1, normal(m.at("mean"), m.at("sd"))});
  } else if (kind == "normals") {
    for (std::size_t i = 0; i < m.at("means").size(); ++i)
      out.push_back({label, static_cast<int>(i), normal(m.at("means")[i], m.at("sds")[i])});
  } else if (kind == "beta") {
    Distribution distribution;
    distribution.kind = Distribution::Kind::Beta;
    distribution.a = m.at("a");
    distribution.b = m.at("b");
    const double n = distribution.a + distribution.b;
    distribution.mean = distribution.a / n;
    distribution.sd = std::sqrt(distribution.a * distribution.b / (n * n * (n + 1)));
    out.push_back({label, -1, distribution});
  } else if (kind == "moments") {
    Distribution distribution = normal(m.at("mean"), std::sqrt(m.at("variance").get<double>()));
    distribution.kind = Distribution::Kind::Moments;
    out.push_back({label, -1, distribution});
  } else {
    throw std::runtime_error("truth.json: unknown kind " + kind);
  }
}

Json read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return Json::parse(in);
}

}  // namespace

double Distribution::cdf(double x) const {
  if (kind == Kind::Normal) return 0.5 * std::erfc(-(x - mean) / (sd * std::sqrt(2.0)));
  // Beta with whole parameters: P(at least a successes in a + b - 1 trials).
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double n = a + b - 1;
  double sum = 0, choose = 1;  // n over j
  for (double j = 0; j <= n; ++j) {
    if (j >= a) sum += choose * std::pow(x, j) * std::pow(1 - x, n - j);
    choose *= (n - j) / (j + 1);
  }
  return sum;
}

Truth read_truth(const std::string& models, const std::string& program) {
  const std::filesystem::path path = std::filesystem::path(models) / program;
  const Json j =
      read(path.parent_path() / "truth.json").at("programs").at(path.filename().string());
  Truth out{program, j.at("query"), j.at("log_evidence"), {}};
  for (const auto& [label, marginal] : j.at("predicts").items())
    add_predict(label, marginal, out.scalars);
  return out;
}

std::vector<std::string> programs_with_truth(const std::string& models) {
  std::vector<std::string> out;
  for (const auto& folder : std::filesystem::directory_iterator(models)) {
    const auto file = folder.path() / "truth.json";
    if (!std::filesystem::exists(file)) continue;
    const Json programs = read(file).at("programs");
    for (const auto& [name, unused] : programs.items())
      out.push_back(folder.path().filename().string() + "/" + name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace measure
