// SPDX-License-Identifier: Apache-2.0
// See flow_rows.hpp.
#include "record/flow_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include "base/planted.hpp"
#include "math/log_space.hpp"
#include "record/dataflow.hpp"
#include "record/recordable.hpp"

namespace chancel {

FlowRows::FlowRows(std::shared_ptr<const Plate> plate, std::vector<NodeIndex> shared,
                   std::vector<std::uint32_t> numbers)
    : program_(plate,
               [&shared](NodeIndex i) {
                 return static_cast<std::uint32_t>(std::find(shared.begin(), shared.end(), i) -
                                                   shared.begin());
               }),
      shared_(std::move(shared)),
      numbers_(std::move(numbers)),
      scores_(plate->rows),
      others_(plate->rows),
      cost_(1 + plate->rows * plate->steps.size() / 16) {}

bool FlowRows::change(const double* values, double* gain, bool* impossible) {
  *impossible = false;
  other_sum_ = program_.run(values, nullptr, 1, others_.data());
  if (CHANCEL_UNLIKELY(!std::isfinite(other_sum_))) {
    *impossible =
        std::all_of(others_.begin(), others_.end(), [](double x) { return x < INFINITY; });
    return false;
  }
  *gain = other_sum_ - sum_;
  put_back();
  return true;
}

void FlowRows::put_back() {
  scores_.swap(others_);
  std::swap(sum_, other_sum_);
}

std::size_t FlowRows::bytes() const {
  return program_.bytes() + program_.plate().bytes() + shared_.capacity() * sizeof(NodeIndex) +
         (numbers_.capacity() * sizeof(std::uint32_t)) +
         (scores_.capacity() + others_.capacity()) * sizeof(double);
}

namespace {

using Kind = Plate::Operand::Kind;
constexpr std::size_t kFewRows = 16;
constexpr std::size_t kMostNodes = 64;  // of a row
constexpr double kExactIntegers = 0x1p53;

struct Row {
  NodeIndex score;
  std::vector<NodeIndex> nodes;  // its own, ascending; the score comes last
};
// Rows that differ in their numbers only.
struct Group {
  Plate shape;  // without rows
  std::vector<Row> rows;
  std::vector<double> numbers;  // columns of a row, then those of the next one
};

class Gathering {
 public:
  explicit Gathering(Dataflow& flow) : flow_(flow), uses_(flow.size(), 0) {}
  void run();

 private:
  void count_uses();
  bool find_row(NodeIndex score, Row* row);
  bool describe(const Row& row, Plate* shape, std::vector<double>* numbers);
  std::optional<Plate::Operand> operand(const Value& v, Plate* shape, std::vector<double>* numbers);
  bool call(const FlowNode& n, Plate* shape, std::vector<double>* numbers, Plate::Operand* out);
  Plate::Operand add(Plate* shape, GraphOp op, const Density* density,
                     const std::vector<Plate::Operand>& operands);
  void take_out(Group& group);

  Dataflow& flow_;
  std::vector<std::uint32_t> uses_;           // of a node, by others
  std::map<NodeIndex, Plate::Operand> made_;  // of the row that is described
};

void Gathering::count_uses() {
  for (NodeIndex i = 0; i < flow_.size(); ++i)
    for (const Value& v : flow_.arguments_of(i))
      if (v.is(Tag::Node)) ++uses_[v.bits];
}

// From the score back to what others use as well.
bool Gathering::find_row(NodeIndex score, Row* row) {
  row->score = score;
  row->nodes.assign(1, score);
  std::map<NodeIndex, std::uint32_t> used;  // by the row
  for (std::size_t next = 0; next < row->nodes.size(); ++next) {
    for (const Value& v : flow_.arguments_of(row->nodes[next])) {
      if (!v.is(Tag::Node)) continue;
      const auto i = static_cast<NodeIndex>(v.bits);
      const FlowNode& n = flow_.node(i);
      if (n.pinned || n.shown || n.weighs) continue;
      if (n.op != FlowOp::Construct && (n.op != FlowOp::Call || !n.value.is(Tag::Double))) continue;
      if (++used[i] == uses_[i]) row->nodes.push_back(i);
    }
    if (row->nodes.size() > kMostNodes) return false;
  }
  std::sort(row->nodes.begin(), row->nodes.end());
  return true;
}

std::optional<Plate::Operand> Gathering::operand(const Value& v, Plate* shape,
                                                 std::vector<double>* numbers) {
  if (v.is(Tag::Node)) {
    const auto i = static_cast<NodeIndex>(v.bits);
    if (const auto made = made_.find(i); made != made_.end()) return made->second;
    if (!flow_.node(i).value.is(Tag::Double)) return std::nullopt;
    return Plate::Operand{Kind::Shared, i};
  }
  double x;
  if (v.is(Tag::Double))
    x = v.d;
  else if (v.is(Tag::Int) && std::fabs(static_cast<double>(v.i)) <= kExactIntegers)
    x = static_cast<double>(v.i);
  else
    return std::nullopt;
  numbers->push_back(x);
  return Plate::Operand{Kind::Column, shape->columns++};
}

Plate::Operand Gathering::add(Plate* shape, GraphOp op, const Density* density,
                              const std::vector<Plate::Operand>& operands) {
  const auto first = static_cast<std::uint32_t>(shape->operands.size());
  shape->operands.insert(shape->operands.end(), operands.begin(), operands.end());
  shape->steps.push_back({op, density, first, static_cast<std::uint32_t>(operands.size())});
  return {Kind::Step, static_cast<std::uint32_t>(shape->steps.size() - 1)};
}

bool Gathering::call(const FlowNode& n, Plate* shape, std::vector<double>* numbers,
                     Plate::Operand* out) {
  using How = Recordable::Kind;
  const Recordable how = recordable(*static_cast<const NativeDef*>(n.what));
  std::vector<Plate::Operand> operands;
  for (const Value& v : flow_.arguments_of(n)) {
    const auto o = operand(v, shape, numbers);
    if (!o) return false;
    operands.push_back(*o);
  }
  const auto one = [&] {
    numbers->push_back(1);
    return Plate::Operand{Kind::Column, shape->columns++};
  };
  const auto chain = [&](GraphOp op) {
    *out = operands[0];
    for (std::size_t k = 1; k < operands.size(); ++k)
      *out = add(shape, op, nullptr, {*out, operands[k]});
    return true;
  };
  const std::size_t count = operands.size();
  switch (how.kind) {
    case How::Numeric:
      *out = add(shape, how.op, nullptr, operands);
      return count == (how.op >= GraphOp::Add ? 2u : 1u) && how.op != GraphOp::Pow;
    case How::Sum:
      return count > 0 && chain(GraphOp::Add);
    case How::Product:
      return count > 0 && chain(GraphOp::Multiply);
    case How::Difference:
      if (count > 1) return chain(GraphOp::Subtract);
      *out = add(shape, GraphOp::Negate, nullptr, operands);
      return count == 1;
    case How::Quotient:
      if (count > 1) return chain(GraphOp::Divide);
      *out = count == 1 ? add(shape, GraphOp::Divide, nullptr, {one(), operands[0]})
                        : Plate::Operand{};
      return count == 1;
    case How::Increment:
    case How::Decrement:
      *out = add(shape, how.kind == How::Increment ? GraphOp::Add : GraphOp::Subtract, nullptr,
                 {operands[0], one()});
      return count == 1;
    case How::Itself:
      *out = operands[0];
      return count == 1;
    default:
      return false;
  }
}

// The row as steps. False: there is more in it than functions of numbers.
bool Gathering::describe(const Row& row, Plate* shape, std::vector<double>* numbers) {
  made_.clear();
  bool constructs = false;
  for (const NodeIndex i : row.nodes) {
    const FlowNode& n = flow_.node(i);
    if (n.op == FlowOp::Construct) {
      if (constructs) return false;
      constructs = true;
      continue;
    }
    if (i == row.score) break;
    Plate::Operand at{};
    if (!call(n, shape, numbers, &at)) return false;
    made_.emplace(i, at);
  }
  const Value& of = flow_.arguments_of(row.score)[0];
  const Value& x = flow_.arguments_of(row.score)[1];
  if (!constructs || !of.is(Tag::Node) || x.is(Tag::Node)) return false;
  const auto construct = static_cast<NodeIndex>(of.bits);
  const FlowNode& n = flow_.node(construct);
  const auto* type = static_cast<const DistType*>(n.what);
  double observed;
  if (n.op != FlowOp::Construct ||
      !std::binary_search(row.nodes.begin(), row.nodes.end(), construct) || !type->density ||
      n.arguments != type->parameter_count || n.arguments > 7 || !type->density->read(x, &observed))
    return false;
  std::vector<Plate::Operand> operands;
  for (const Value& v : flow_.arguments_of(construct)) {
    const auto o = operand(v, shape, numbers);
    if (!o) return false;
    operands.push_back(*o);
  }
  numbers->push_back(observed);
  operands.push_back({Kind::Column, shape->columns++});
  shape->root = add(shape, GraphOp::LogProb, type->density, operands);
  return true;
}

std::vector<std::uint64_t> key_of(const Plate& shape) {
  std::vector<std::uint64_t> key;
  for (const Plate::Step& s : shape.steps)
    key.insert(key.end(), {static_cast<std::uint64_t>(s.op),
                           std::bit_cast<std::uint64_t>(s.density), s.count});
  for (const Plate::Operand& o : shape.operands)
    key.push_back(static_cast<std::uint64_t>(o.kind) << 32 | o.at);
  return key;
}

// Columns with the same number in all rows become that number.
std::shared_ptr<const Plate> plate_of(const Group& group) {
  auto plate = std::make_shared<Plate>(group.shape);
  const std::uint32_t columns = plate->columns;
  const std::size_t rows = group.rows.size();
  std::vector<std::uint32_t> kept;
  std::vector<Plate::Operand> now(columns);
  for (std::uint32_t c = 0; c < columns; ++c) {
    const auto bits = [&](std::size_t r) {
      return std::bit_cast<std::uint64_t>(group.numbers[r * columns + c]);
    };
    bool same = true;
    for (std::size_t r = 1; same && r < rows; ++r) same = bits(r) == bits(0);
    if (same) {
      now[c] = {Kind::Number, static_cast<std::uint32_t>(plate->numbers.size())};
      plate->numbers.push_back(group.numbers[c]);
    } else {
      now[c] = {Kind::Column, static_cast<std::uint32_t>(kept.size())};
      kept.push_back(c);
    }
  }
  for (Plate::Operand& o : plate->operands)
    if (o.kind == Kind::Column) o = now[o.at];
  plate->columns = static_cast<std::uint32_t>(kept.size());
  std::vector<double> numbers(kept.size() + 1);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < kept.size(); ++k) numbers[k] = group.numbers[r * columns + kept[k]];
    plate->add_row(numbers.data());
  }
  return plate;
}

void Gathering::take_out(Group& group) {
  const std::shared_ptr<const Plate> plate = plate_of(group);
  std::vector<NodeIndex> shared = nodes_of(*plate);
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  std::vector<std::uint32_t> numbers;
  std::vector<double> values;
  for (const Row& row : group.rows) numbers.push_back(flow_.node(row.score).number);
  for (const NodeIndex i : shared) values.push_back(flow_.node(i).value.d);
  FlowRows rows(plate, std::move(shared), std::move(numbers));
  double gain;
  bool impossible;
  if (!rows.change(values.data(), &gain, &impossible)) return;
  // As in every recording: the loops are right where they give the bits of the program.
  for (std::size_t r = 0; r < group.rows.size(); ++r)
    if (!identical(Value::real(rows.score(r)), flow_.node(group.rows[r].score).value)) return;
  for (const Row& row : group.rows)
    for (const NodeIndex i : row.nodes) flow_.take_out(i);
  flow_.add_rows(std::move(rows));
}

void Gathering::run() {
  count_uses();
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  std::vector<Group> groups;  // in the order of the program
  for (const FlowScore& s : flow_.scores) {
    if (!s.value.is(Tag::Node)) continue;
    const auto score = static_cast<NodeIndex>(s.value.bits);
    const FlowNode& n = flow_.node(score);
    if (n.op != FlowOp::Observe || n.pinned || n.shown || uses_[score] > 0) continue;
    Row row;
    Plate shape;
    std::vector<double> numbers;
    if (!find_row(score, &row) || !describe(row, &shape, &numbers)) continue;
    const std::size_t at = known.try_emplace(key_of(shape), groups.size()).first->second;
    if (at == groups.size()) groups.emplace_back();
    Group& group = groups[at];
    group.shape = std::move(shape);
    group.rows.push_back(std::move(row));
    group.numbers.insert(group.numbers.end(), numbers.begin(), numbers.end());
  }
  for (Group& group : groups)
    if (group.rows.size() >= kFewRows) take_out(group);
}

}  // namespace

void gather_rows(Dataflow& flow) { Gathering(flow).run(); }

}  // namespace chancel
