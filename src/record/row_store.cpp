// SPDX-License-Identifier: Apache-2.0
// See row_store.hpp.
#include "record/row_store.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"
#include "base/planted.hpp"
#include "random/stream.hpp"

namespace chancel {

namespace {

constexpr std::size_t kMostNodes = 4096;  // of a row of a plate
// A plate of this many rows keeps the nodes that its rows share: rows that differ in one of them begin another plate, at
// most kMostPlates of one shape.
constexpr std::size_t kYoung = 8, kMostPlates = 16;

using Kind = Plate::Operand::Kind;
bool is_outside(Kind kind) { return kind == Kind::Shared || kind == Kind::Gathered; }
std::uint64_t mix(std::uint64_t key, std::uint64_t part) { return mix64(key ^ part); }

}  // namespace

NodeIndex RowStore::add(GraphOp op, const Density* density, std::span<const NodeIndex> operands,
                        double value) {
  CHANCEL_ASSERT(next_ < kNone, "too many nodes in a recording");
  kept_.push_back({op, static_cast<std::uint32_t>(operands_.size()),
                   static_cast<std::uint32_t>(operands.size()), density});
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  values_.push_back(value);
  return next_++;
}

const RowStore::Span& RowStore::span_of(NodeIndex i) const {
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), i,
                                      [](NodeIndex at, const Span& s) { return at < s.first; });
  CHANCEL_ASSERT(after != spans_.begin(), "a node of no row");
  return after[-1];
}

std::size_t RowStore::position(NodeIndex i) const {
  if (is_open(i)) return open_at_ + (i - open_from_);
  const Span& span = span_of(i);
  CHANCEL_ASSERT(span.plate == kNoPlate, "a node of a plate has no place of its own");
  return span.from + (i - span.first);
}

bool RowStore::is_constant(NodeIndex i) const {
  if (!is_open(i)) {
    const Span& span = span_of(i);
    if (span.plate != kNoPlate)
      return plates_[span.plate].layout[(i - span.first) % span.nodes] < 0;
  }
  return kept_[position(i)].op == GraphOp::Constant;
}

RowStore::Node RowStore::node(NodeIndex i) const {
  if (is_open(i) || span_of(i).plate == kNoPlate) {
    const Kept& kept = kept_[position(i)];
    return {kept.op, kept.density, {operands_.data() + kept.first, kept.count}};
  }
  const Span& span = span_of(i);
  const OpenPlate& p = plates_[span.plate];
  const std::size_t row = span.from + (i - span.first) / span.nodes;
  const NodeIndex first = i - (i - span.first) % span.nodes;
  const std::int32_t place = p.layout[i - first];
  decoded_.clear();
  if (place < 0) return {GraphOp::Constant, nullptr, {}};
  const Plate::Step& step = p.plate.steps[static_cast<std::size_t>(place)];
  for (std::uint32_t k = 0; k < step.count; ++k) {
    const Plate::Operand& operand = p.plate.operands[step.first + k];
    decoded_.push_back(operand.kind == Kind::Shared     ? operand.at
                       : operand.kind == Kind::Gathered ? p.plate.gathered[operand.at][row]
                       : operand.kind == Kind::Column   ? first + p.column_node[operand.at]
                                                        : first + p.step_node[operand.at]);
  }
  return {step.op, step.density, decoded_};
}

std::optional<double> RowStore::value(NodeIndex i) const {
  if (is_open(i)) return values_[position(i)];
  const Span& span = span_of(i);
  if (span.plate == kNoPlate) return values_[position(i)];
  const OpenPlate& p = plates_[span.plate];
  const std::int32_t place = p.layout[(i - span.first) % span.nodes];
  if (place >= 0) return std::nullopt;
  return p.plate.number(span.from + (i - span.first) / span.nodes,
                        static_cast<std::uint32_t>(~place));
}

NodeIndex RowStore::resolved(NodeIndex i) const {
  if (!is_open(i) && span_of(i).plate != kNoPlate) {
    const auto known = resolved_.find(i);
    return known == resolved_.end() ? kNone : known->second;
  }
  const std::size_t at = position(i);
  return at < resolved_kept_.size() ? resolved_kept_[at] : kNone;
}

void RowStore::resolve(NodeIndex i, NodeIndex as) {
  if (!is_open(i) && span_of(i).plate != kNoPlate) {
    resolved_[i] = as;
    return;
  }
  const std::size_t at = position(i);
  if (at >= resolved_kept_.size()) resolved_kept_.resize(kept_.size(), kNone);
  resolved_kept_[at] = as;
}

RowStore::Reach RowStore::reach(NodeIndex i) {
  const Span& span = span_of(i);
  if (!span.pure) return Reach::Chain;
  if (span.plate != kNoPlate) return copied_.insert(i).second ? Reach::Copy : Reach::Share;
  const std::size_t at = position(i);
  if (at >= copied_kept_.size()) copied_kept_.resize(kept_.size(), false);
  const bool before = copied_kept_[at];
  copied_kept_[at] = true;
  return before ? Reach::Share : Reach::Copy;
}

NodeIndex RowStore::copy_of(NodeIndex i) const {
  const auto known = copies_.find(i);
  return known == copies_.end() ? kNone : known->second;
}

void RowStore::note_copy(NodeIndex i, NodeIndex copy) {
  copies_[i] = copy;
  open_pure_ = false;
}

void RowStore::encode(NodeIndex root, TermKind kind) {
  steps_.clear();
  codes_.clear();
  numbers_.clear();
  layout_.clear();
  kind_ = kind;
  const auto code = [&](NodeIndex i) -> Plate::Operand {
    if (i < kRowNodes) return {Kind::Shared, i};
    CHANCEL_ASSERT(i >= open_from_, "a row uses a node of an earlier one");
    const std::int32_t place = layout_[i - open_from_];
    if (place < 0) return {Kind::Column, static_cast<std::uint32_t>(~place)};
    return {Kind::Step, static_cast<std::uint32_t>(place)};
  };
  for (std::size_t at = open_at_; at < kept_.size(); ++at) {
    const Kept& kept = kept_[at];
    if (kept.op == GraphOp::Constant) {
      layout_.push_back(~static_cast<std::int32_t>(numbers_.size()));
      numbers_.push_back(values_[at]);
      continue;
    }
    const auto first = static_cast<std::uint32_t>(codes_.size());
    for (std::uint32_t k = 0; k < kept.count; ++k)
      codes_.push_back(code(operands_[kept.first + k]));
    layout_.push_back(static_cast<std::int32_t>(steps_.size()));
    steps_.push_back({kept.op, kept.density, first, kept.count});
  }
  root_ = code(root);
}

bool RowStore::same_shape(const OpenPlate& p) const {
  if (p.plate.kind != kind_ || !(p.plate.root == root_) || p.layout != layout_ ||
      p.plate.steps != steps_)
    return false;
  for (std::size_t k = 0; k < codes_.size(); ++k) {
    const Plate::Operand &a = p.plate.operands[k], &b = codes_[k];
    if (is_outside(a.kind) ? !is_outside(b.kind) : !(a == b)) return false;
  }
  return true;
}

bool RowStore::fits(const OpenPlate& p) const {
  for (std::size_t k = 0; k < codes_.size(); ++k)
    if (p.plate.operands[k].kind == Kind::Shared && p.plate.operands[k].at != codes_[k].at)
      return false;
  return true;
}

void RowStore::gather(OpenPlate& p) {
  for (std::size_t k = 0; k < codes_.size(); ++k) {
    Plate::Operand& operand = p.plate.operands[k];
    if (operand.kind != Kind::Shared || operand.at == codes_[k].at) continue;
    if (planted(Mistake::GatheredAsShared)) continue;
    const NodeIndex shared = operand.at;
    operand = {Kind::Gathered, static_cast<std::uint32_t>(p.plate.gathered.size())};
    p.plate.gathered.emplace_back(p.plate.rows, shared);
  }
}

std::uint32_t RowStore::find_plate() {
  if (last_ != kNoPlate) {
    const std::uint32_t next = plates_[last_].next;
    if (next != kNoPlate && same_shape(plates_[next]) && fits(plates_[next])) return next;
  }
  std::uint64_t shape_key = mix(steps_.size(), static_cast<std::uint64_t>(kind_));
  for (const Plate::Step& s : steps_)
    shape_key = mix(mix(shape_key, std::bit_cast<std::uintptr_t>(s.density)),
                    static_cast<std::uint64_t>(s.op) << 32 | s.count);
  for (const std::int32_t place : layout_) shape_key = mix(shape_key, place < 0 ? 1 : 2);
  std::uint64_t exact = shape_key;
  for (const Plate::Operand& o : codes_) {
    const bool outside = o.kind == Kind::Shared;
    shape_key = mix(shape_key, static_cast<std::uint64_t>(o.kind) << 32 | (outside ? 0 : o.at));
    if (outside) exact = mix(exact, o.at);
  }
  shape_key = mix(shape_key, static_cast<std::uint64_t>(root_.kind) << 32 | root_.at);
  exact = mix(exact, shape_key);
  const auto right = [&](std::uint32_t p) { return same_shape(plates_[p]); };
  if (const auto known = exact_.find(exact); known != exact_.end())
    if (right(known->second) && fits(plates_[known->second])) return known->second;
  Shape& shape = shapes_[shape_key];
  if (!shape.seen) {  // the first one is kept as it is
    shape.seen = true;
    return kNoPlate;
  }
  if (shape.gathering == kNoPlate && !shape.plates.empty() && right(shape.plates.back()) &&
      plates_[shape.plates.back()].plate.rows < kYoung)
    shape.gathering = shape.plates.back();
  if (shape.gathering != kNoPlate) {
    if (!right(shape.gathering)) return kNoPlate;
    gather(plates_[shape.gathering]);
    return shape.gathering;
  }
  return make_plate(shape, exact);
}

std::uint32_t RowStore::make_plate(Shape& shape, std::uint64_t exact) {
  const auto index = static_cast<std::uint32_t>(plates_.size());
  OpenPlate& p = plates_.emplace_back();
  p.plate.steps = steps_;
  p.plate.operands = codes_;
  p.plate.root = root_;
  p.plate.kind = kind_;
  p.plate.columns = static_cast<std::uint32_t>(numbers_.size());
  p.layout = layout_;
  for (std::uint32_t i = 0; i < layout_.size(); ++i)
    (layout_[i] < 0 ? p.column_node : p.step_node).push_back(i);
  shape.plates.push_back(index);
  exact_[exact] = index;
  if (shape.plates.size() == kMostPlates) shape.gathering = index;
  return index;
}

void RowStore::add_to(std::uint32_t plate) {
  OpenPlate& p = plates_[plate];
  for (std::size_t k = 0; k < codes_.size(); ++k)
    if (const Plate::Operand& o = p.plate.operands[k]; o.kind == Kind::Gathered)
      p.plate.gathered[o.at].push_back(codes_[k].at);
  const std::size_t row = p.plate.rows;
  p.plate.add_row(numbers_.data());
  const auto nodes = static_cast<std::uint32_t>(layout_.size());
  Span* back = spans_.empty() ? nullptr : &spans_.back();
  if (back && back->plate == plate && back->pure == open_pure_) {
    ++back->rows;
  } else {
    spans_.push_back({open_from_, nodes, plate, 1, row, open_pure_});
    p.starts.push_back({open_from_, row});
  }
}

void RowStore::end(NodeIndex root, TermKind kind) {
  const std::size_t nodes = next_ - open_from_;
  if (nodes > 0) {
    std::uint32_t plate = kNoPlate;
    if (root != kNone && root >= open_from_ && nodes <= kMostNodes) {
      encode(root, kind);
      plate = find_plate();
      if (last_ != kNoPlate && plate != kNoPlate) plates_[last_].next = plate;
      last_ = plate;
    }
    if (plate == kNoPlate) {
      spans_.push_back(
          {open_from_, static_cast<std::uint32_t>(nodes), kNoPlate, 1, open_at_, open_pure_});
    } else {
      add_to(plate);
      operands_.resize(kept_[open_at_].first);
      kept_.resize(open_at_);
      values_.resize(open_at_);
      // What has resolved while the row was open belongs to the row of the plate now.
      for (std::size_t at = open_at_; at < resolved_kept_.size(); ++at)
        if (resolved_kept_[at] != kNone)
          resolved_[open_from_ + static_cast<NodeIndex>(at - open_at_)] = resolved_kept_[at];
      if (resolved_kept_.size() > open_at_) resolved_kept_.resize(open_at_);
    }
  }
  open_from_ = next_;
  open_at_ = kept_.size();
  open_pure_ = true;
  if (!copies_.empty()) copies_.clear();
}

std::optional<RowStore::Place> RowStore::place(NodeIndex root) const {
  const Span& span = span_of(root);
  if (span.plate == kNoPlate) return std::nullopt;
  return Place{span.plate, span.from + (root - span.first) / span.nodes};
}

NodeIndex RowStore::start_of(std::uint32_t plate, std::size_t row) const {
  const OpenPlate& p = plates_[plate];
  const auto after =
      std::upper_bound(p.starts.begin(), p.starts.end(), row,
                       [](std::size_t at, const auto& start) { return at < start.second; });
  const auto& [first, from] = after[-1];
  return first + static_cast<NodeIndex>((row - from) * p.layout.size());
}

NodeIndex RowStore::step_node(std::uint32_t plate, std::size_t row, std::uint32_t step) const {
  return start_of(plate, row) + plates_[plate].step_node[step];
}

NodeIndex RowStore::root(std::uint32_t plate, std::size_t row) const {
  const OpenPlate& p = plates_[plate];
  const bool step = p.plate.root.kind == Kind::Step;
  return start_of(plate, row) + (step ? p.step_node : p.column_node)[p.plate.root.at];
}

std::vector<RowStore::ResolvedStep> RowStore::resolved_steps() const {
  std::vector<ResolvedStep> out;
  for (const auto& [i, as] : resolved_) {
    const Span& span = span_of(i);
    const std::int32_t place = plates_[span.plate].layout[(i - span.first) % span.nodes];
    if (place >= 0)
      out.push_back({span.plate, static_cast<std::uint32_t>(place),
                     span.from + (i - span.first) / span.nodes, as});
  }
  return out;
}

void RowStore::close() {
  end(kNone, TermKind::Prior);
  closed_ = true;
  kept_ = {};
  operands_ = {};
  values_ = {};
  copied_kept_ = {};
  copied_ = {};
  shapes_ = {};
  exact_ = {};
}

std::size_t RowStore::bytes() const {
  constexpr std::size_t kEntry = 48;  // of a table, with its share of the buckets
  std::size_t sum = kept_.capacity() * sizeof(Kept) +
                    (operands_.capacity() + resolved_kept_.capacity()) * sizeof(NodeIndex) +
                    values_.capacity() * sizeof(double) + spans_.capacity() * sizeof(Span) +
                    (resolved_.size() + copied_.size() + exact_.size()) * kEntry;
  for (const OpenPlate& p : plates_) sum += sizeof(p) + p.plate.bytes();
  return sum;
}

}  // namespace chancel
