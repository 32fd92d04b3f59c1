// SPDX-License-Identifier: Apache-2.0
// See graph.hpp.
#include "record/graph.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"
#include "math/log_space.hpp"
#include "random/stream.hpp"
#include "record/array_ops.hpp"
#include "record/elementary.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMostParameters = 8;
bool any_of_rows(std::span<const NodeIndex> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](NodeIndex i) { return i >= kRowNodes; });
}
}  // namespace

double graph_value(GraphOp op, std::span<const double> x) {
  switch (op) {
#define CHANCEL_UNARY(name, value, dx) \
  case GraphOp::name:                  \
    return elementary::name::of(x[0]);
#define CHANCEL_BINARY(name, value, dx, dy) \
  case GraphOp::name:                       \
    return elementary::name::of(x[0], x[1]);
#include "record/graph_ops.def"
    case GraphOp::LogSumExp:
      return log_sum_exp(x);
    default:
      CHANCEL_ASSERT(false, "not a function of numbers");
      return 0;
  }
}

NodeIndex Graph::add(const Node& node, std::span<const NodeIndex> operands, double value) {
  const auto index = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back(node);
  nodes_.back().first = static_cast<std::uint32_t>(operands_.size());
  nodes_.back().count = static_cast<std::uint32_t>(operands.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  values_.push_back(value);
  return index;
}

NodeIndex Graph::constant(double value) {
  const auto [at, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
  if (is_new) at->second = add({GraphOp::Constant, 0, 0}, {}, value);
  return at->second;
}

NodeIndex Graph::row_constant(double value) {
  return rows_.add(GraphOp::Constant, nullptr, {}, value);
}

NodeIndex Graph::node_of(const Value& number) {
  return number.is(Tag::Node) ? static_cast<NodeIndex>(number.bits)
                              : row_constant(to_double(number));
}

NodeIndex Graph::input(double value) {
  inputs_.push_back(add({GraphOp::Input, 0, 0}, {}, value));
  return inputs_.back();
}

std::optional<NodeIndex> Graph::find(const Node& node, std::span<const NodeIndex> operands,
                                     std::uint64_t* key) const {
  *key = mix64(static_cast<std::uint64_t>(node.op) ^ reinterpret_cast<std::uintptr_t>(node.density)
                                                         << 8);
  for (const NodeIndex operand : operands) *key = mix64(*key ^ operand);
  const auto [begin, end] = known_.equal_range(*key);
  for (auto at = begin; at != end; ++at) {
    const Node& other = nodes_[at->second];
    if (other.op == node.op && other.density == node.density && other.results == node.results &&
        other.count == operands.size() &&
        std::equal(operands.begin(), operands.end(), operands_.begin() + other.first))
      return at->second;
  }
  return std::nullopt;
}

double Graph::evaluate(const Node& node, std::span<const double> x) const {
  if (node.op != GraphOp::LogProb) return graph_value(node.op, x);
  Lane lanes[kMostParameters];
  const std::size_t count = x.size() - 1;
  for (std::size_t i = 0; i < count; ++i) lanes[i] = {&x[i], 0};
  double value;
  node.density->log_prob(lanes, {&x[count], 0}, 1, &value);
  return value;
}

NodeIndex Graph::find_or_add(Node node, std::span<const NodeIndex> operands) {
  std::uint64_t key;
  if (const auto known = find(node, operands, &key)) return *known;
  double numbers[8];
  std::vector<double> more;
  double* x = numbers;
  if (operands.size() > std::size(numbers)) {
    more.resize(operands.size());
    x = more.data();
  }
  for (std::size_t i = 0; i < operands.size(); ++i) x[i] = values_[operands[i]];
  const double value = evaluate(node, {x, operands.size()});
  if (std::all_of(operands.begin(), operands.end(), [&](NodeIndex i) { return is_constant(i); }))
    return constant(value);
  const NodeIndex index = add(node, operands, value);
  known_.emplace(key, index);
  return index;
}

NodeIndex Graph::apply(GraphOp op, std::span<const NodeIndex> operands) {
  return any_of_rows(operands) ? add_to_row({op, 0, 0}, operands)
                               : find_or_add({op, 0, 0}, operands);
}

NodeIndex Graph::apply(GraphOp op, std::span<const NodeIndex> operands, std::uint32_t results) {
  Node node{op, 0, 0};
  node.results = results;
  if (any_of_rows(operands)) {
    std::vector<NodeIndex> as_shared;
    for (const NodeIndex i : operands) as_shared.push_back(shared(i));
    return apply(op, as_shared, results);
  }
  std::uint64_t key;
  if (const auto known = find(node, operands, &key)) return *known;
  std::vector<double> x, values(results);
  for (const NodeIndex i : operands) x.push_back(values_[i]);
  array_values(op, x, values);
  const NodeIndex first = add(node, operands, values[0]);
  for (std::uint32_t k = 1; k < results; ++k) add({GraphOp::Element, 0, 0}, {&first, 1}, values[k]);
  known_.emplace(key, first);
  return first;
}

NodeIndex Graph::log_prob(const Density* density, std::span<const NodeIndex> parameters,
                          NodeIndex x) {
  NodeIndex operands[kMostParameters];
  CHANCEL_ASSERT(parameters.size() < std::size(operands),
                 "distributions with this many parameters are wide operations");
  std::copy(parameters.begin(), parameters.end(), operands);
  operands[parameters.size()] = x;
  Node node{GraphOp::LogProb, 0, 0};
  node.density = density;
  const std::span<const NodeIndex> all{operands, parameters.size() + 1};
  return any_of_rows(all) ? add_to_row(node, all) : find_or_add(node, all);
}

namespace {
// Parameters of distributions are the same where they are one object, one node of the graph, or vectors of the same.
bool same_parameter(const Value& a, const Value& b, const Graph& graph) {
  if (a.tag != b.tag) return false;
  if (a.bits == b.bits) return true;
  if (a.is(Tag::Node))
    return graph.resolved(static_cast<NodeIndex>(a.bits)) ==
           graph.resolved(static_cast<NodeIndex>(b.bits));
  if (!a.is(Tag::Vector) || a.as<Vector>()->count != b.as<Vector>()->count) return false;
  for (std::uint32_t i = 0; i < a.as<Vector>()->count; ++i)
    if (!same_parameter(vector_nth(a.as<Vector>(), i), vector_nth(b.as<Vector>(), i), graph))
      return false;
  return true;
}
std::uint64_t parameter_hash(const Value& v, std::uint64_t key, const Graph& graph) {
  if (v.is(Tag::Node)) return mix64(key ^ graph.resolved(static_cast<NodeIndex>(v.bits)));
  if (!v.is(Tag::Vector)) return mix64(key ^ v.bits);
  for (std::uint32_t i = 0; i < v.as<Vector>()->count; ++i)
    key = parameter_hash(vector_nth(v.as<Vector>(), i), key, graph);
  return mix64(key);
}
bool same_distribution(const WideDistribution& a, const WideDistribution& b, const Graph& graph) {
  return a.type == b.type &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [&](const Value& x, const Value& y) { return same_parameter(x, y, graph); });
}
}  // namespace

NodeIndex Graph::log_prob(WideDistribution distribution, std::span<const NodeIndex> operands,
                          double value) {
  Node node{GraphOp::WideLogProb, 0, 0};
  node.wide = distribution.same = static_cast<std::uint32_t>(wide_.size());
  std::uint64_t key = reinterpret_cast<std::uintptr_t>(distribution.type);
  std::vector<NodeIndex> as_shared;
  for (const NodeIndex i : operands) as_shared.push_back(shared(i));
  for (const Value& arg : distribution.args) key = parameter_hash(arg, key, *this);
  const auto [begin, end] = known_distributions_.equal_range(key);
  const auto first = std::find_if(begin, end, [&](const auto& at) {
    return same_distribution(wide_[at.second], distribution, *this);
  });
  if (first == end)
    known_distributions_.emplace(key, distribution.same);
  else
    distribution.same = first->second;
  wide_.push_back(std::move(distribution));
  return add(node, as_shared, value);
}

std::size_t Graph::bytes() const {
  constexpr std::size_t kEntry = 48;  // of a table, with its share of the buckets
  return nodes_.capacity() * sizeof(Node) + operands_.capacity() * sizeof(NodeIndex) +
         values_.capacity() * sizeof(double) + wide_.capacity() * sizeof(WideDistribution) +
         (constants_.size() + known_.size() + known_distributions_.size()) * kEntry +
         rows_.bytes() + plate_bytes_;
}

}  // namespace chancel
