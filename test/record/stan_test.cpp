// SPDX-License-Identifier: Apache-2.0
// The whole log density of the models in models/posteriordb and its gradient against Stan's, which
// bench/stan/record_references.R has written down, at ten points each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "data/json.hpp"
#include "recorded_program.hpp"

namespace {

using namespace recorded;
using chancel::data::Document;
using chancel::data::NodeKind;
namespace fs = std::filesystem;

const fs::path kRoot = CHANCEL_SOURCE_DIR;
constexpr double kTolerance = 1e-8;

struct Point {
  Eigen::VectorXd q, gradient;
  double log_density = 0;
};

double number(const chancel::data::Node& node) {
  return node.kind == NodeKind::Integer ? static_cast<double>(node.integer) : node.real;
}
Eigen::VectorXd numbers(const Document& d, std::size_t array) {
  std::vector<double> list;
  for (std::size_t i = array + 1; i < d.nodes[array].next; i = d.nodes[i].next)
    list.push_back(number(d.nodes[i]));
  return Eigen::Map<Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}
// The value of a key of an object.
std::size_t find(const Document& d, std::size_t object, const std::string& key) {
  for (std::size_t i = object + 1; i < d.nodes[object].next; i = d.nodes[i + 1].next)
    if (d.nodes[i].text == key) return i + 1;
  throw std::runtime_error("no key " + key);
}
std::vector<Point> read_points(const fs::path& file) {
  Document d;
  chancel::data::DataError error;
  if (!chancel::data::read_json(read_file(file), &d, &error)) throw std::runtime_error("no JSON");
  std::vector<Point> points;
  const std::size_t list = find(d, 0, "points");
  for (std::size_t i = list + 1; i < d.nodes[list].next; i = d.nodes[i].next)
    points.push_back({numbers(d, find(d, i, "unconstrained")), numbers(d, find(d, i, "gradient")),
                      number(d.nodes[find(d, i, "log_density")])});
  return points;
}

class Stan : public testing::TestWithParam<std::string> {};

TEST_P(Stan, HasTheSameDensityAndGradient) {
  const fs::path folder = kRoot / "models/posteriordb";
  Source source(read_file(folder / (GetParam() + ".clj")),
                read_file(folder / "data" / (GetParam() + ".json")));
  const std::unique_ptr<RecordedProgram> program =
      RecordedProgram::of(source, source.queries().back());
  ASSERT_TRUE(program);
  ASSERT_EQ(program->begin(1), "");
  const std::vector<Point> points =
      read_points(kRoot / "test/record/stan" / (GetParam() + ".json"));
  // Improper priors have no constant of their own: densities are compared up to one.
  const auto smallest =
      std::min_element(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return std::fabs(a.log_density) < std::fabs(b.log_density);
      });
  Eigen::VectorXd gradient(program->density().dimension());
  ASSERT_EQ(smallest->q.size(), gradient.size());
  const double constant = program->density().at(smallest->q, gradient) - smallest->log_density;
  for (const Point& p : points) {
    const double ours = program->density().at(p.q, gradient);
    EXPECT_NEAR(ours, p.log_density + constant,
                kTolerance * std::max(1.0, std::fabs(p.log_density)));
    EXPECT_EQ(program->density().difference(p.q), "");
    const double size = std::max(1.0, p.gradient.lpNorm<Eigen::Infinity>());
    for (Eigen::Index i = 0; i < gradient.size(); ++i)
      EXPECT_NEAR(gradient[i], p.gradient[i], kTolerance * std::max(size, std::fabs(p.gradient[i])))
          << "coordinate " << i;
  }
  EXPECT_EQ(program->density().pinned_by(), "");
}

std::vector<std::string> models() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(kRoot / "test/record/stan"))
    if (entry.path().extension() == ".json") found.push_back(entry.path().stem());
  std::sort(found.begin(), found.end());
  return found;
}
INSTANTIATE_TEST_SUITE_P(Posteriordb, Stan, testing::ValuesIn(models()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
