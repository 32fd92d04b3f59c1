// SPDX-License-Identifier: Apache-2.0
// The draws of a run by column as bytes: what a SummaryBuilder has collected goes into a stored state
// and comes back, so that a run which continues from there has the summary of one that was never
// stopped. Integers take a byte or two, numbers eight.
#include <cmath>

#include "report/draw_columns.hpp"

namespace chancel::report {

namespace {
constexpr std::uint8_t kReals = 0, kIntegers = 1, kEntries = 2;
constexpr double kSafeInteger = 0x1p53;
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 48;  // their sums do not overflow
constexpr std::size_t kHeapBlock =
    256;  // what a column without values takes beside itself, and more
constexpr const char* kMalformed = "its columns do not fit together";
}  // namespace

void Column::save(ByteStream& to) const {
  to.number(start_);
  to.number(missing_);
  to.byte(has_real_);
  to.byte(overflowed_);
  bool integers = all_integers();
  if (integers)
    numbers_.each([&](double x) { integers = integers && std::fabs(x) < kSafeInteger; });
  to.byte(is_dictionary_ ? kEntries : integers ? kIntegers : kReals);
  to.number(rows() - start_);
  if (is_dictionary_) {
    to.number(texts_.size());
    for (const std::string& text : texts_) {
      to.text(text);
      to.flow();
    }
    entries_.each([&](std::uint32_t e) {
      to.number(static_cast<std::uint32_t>(e + 2));  // marks become 0 and 1
      to.flow();
    });
  } else {
    numbers_.each([&](double x) {
      integers ? to.integer(static_cast<std::int64_t>(x)) : to.real(x);
      to.flow();
    });
  }
}

void Column::restore(ByteReader& from) {
  start_ = from.number();
  const std::uint64_t missing = from.number();
  missing_ = start_;
  has_real_ = from.byte() != 0;
  overflowed_ = from.byte() != 0;
  const std::uint8_t kind = from.byte();
  is_dictionary_ = kind == kEntries;
  const std::uint64_t rows = from.count(kind == kReals ? 8 : 1);
  if (kind > kEntries || start_ > kMostRows) from.fail(kMalformed);
  if (is_dictionary_) {
    const std::uint64_t texts = from.count();
    if (texts > kMaxEntries) from.fail(kMalformed);
    for (std::uint64_t i = 0; i < texts && from.ok(); ++i)
      if (intern(from.text()) != i) from.fail(kMalformed);
    for (std::uint64_t i = 0; i < rows && from.ok(); ++i) {
      const std::uint32_t e = static_cast<std::uint32_t>(from.number()) - 2;
      if (e < kOthers ? e >= texts : e == kOthers && !overflowed_) from.fail(kMalformed);
      missing_ += e == kMissing;
      entries_.push_back(e);
    }
  } else {
    for (std::uint64_t i = 0; i < rows && from.ok(); ++i) {
      const double x = kind == kReals ? from.real() : static_cast<double>(from.integer());
      if (!has_real_ && !is_mark(x) && x != std::trunc(x)) from.fail(kMalformed);
      missing_ += is_mark(x);
      numbers_.push_back(x);
    }
  }
  if (missing_ != missing) from.fail(kMalformed);
}

void Shape::save(ByteStream& to) const {
  to.byte(static_cast<std::uint8_t>(kind_));
  to.byte(list_);
  to.byte(structures_);
  if (kind_ == Kind::Leaf) return column_.save(to);
  to.number(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (kind_ == Kind::Map) to.text(keys_[i]);
    parts_[i].save(to);
  }
}

void Shape::restore(ByteReader& from, const std::shared_ptr<SpillPool>& pool, std::size_t depth) {
  pool_ = pool;
  const std::uint8_t kind = from.byte();
  list_ = from.byte() != 0;
  structures_ = from.byte() != 0;
  if (kind > static_cast<std::uint8_t>(Kind::Map) || depth > kMaxDepth + 1) from.fail(kMalformed);
  kind_ = static_cast<Kind>(kind);
  if (!from.ok() || kind_ == Kind::Leaf) {
    column_ = Column(0, pool);
    return column_.restore(from);
  }
  const std::uint64_t parts = from.count();
  if (parts == 0 || parts > kMaxLeaves) from.fail(kMalformed);
  for (std::uint64_t i = 0; i < parts && from.ok(); ++i) {
    if (!from.charge(2 * sizeof(Shape) + kHeapBlock)) break;
    if (kind_ == Kind::Map) keys_.emplace_back(from.text());
    parts_.emplace_back().restore(from, pool, depth + 1);
    if (!from.ok()) return;  // it may have no parts, and no rows to compare
    if (parts_.back().rows() != parts_.front().rows()) from.fail(kMalformed);
  }
}

void DrawColumns::save(ByteStream& to) const {
  to.number(frame.log_weights.size());
  for (const double w : frame.log_weights) {
    to.real(w);
    to.flow();
  }
  to.number(frame.stretches.size());
  for (const DrawFrame::Stretch& s : frame.stretches) {
    to.number(s.chain);
    to.number(s.rows);
    to.flow();
  }
  to.number(frame.sweep_rows.size());
  for (const std::uint32_t rows : frame.sweep_rows) {
    to.number(rows);
    to.flow();
  }
  to.number(last_sweep);
  to.number(energies.size());
  energies.each([&](double e) {
    to.real(e);
    to.flow();
  });
  to.number(divergent_rows.size());
  for (const std::size_t row : divergent_rows) to.number(row);
  to.number(labels.size());
  for (const Label& label : labels) {
    to.text(label.name);
    label.shape.save(to);
  }
}

bool DrawColumns::restore(ByteReader& from) {
  frame.log_weights.resize(from.count(8, sizeof(double)));
  for (double& w : frame.log_weights) {
    w = from.real();
    if (std::isnan(w)) from.fail(kMalformed);
  }
  const std::size_t rows = frame.log_weights.size();
  std::uint64_t in_stretches = 0, in_sweeps = 0;
  frame.stretches.resize(from.count(2, sizeof(DrawFrame::Stretch)));
  for (DrawFrame::Stretch& s : frame.stretches) {
    s.chain = static_cast<std::uint32_t>(from.number());
    s.rows = from.number();
    if (s.rows > rows - in_stretches) return from.fail(kMalformed);
    in_stretches += s.rows;
  }
  frame.sweep_rows.resize(from.count(1, sizeof(std::uint32_t)));
  for (std::uint32_t& n : frame.sweep_rows) {
    const std::uint64_t of_sweep = from.number();
    if (of_sweep == 0 || of_sweep > rows - in_sweeps) return from.fail(kMalformed);
    n = static_cast<std::uint32_t>(of_sweep);
    in_sweeps += n;
  }
  last_sweep = from.number();
  const std::uint64_t with_energy = from.count(8);
  if (with_energy > rows) from.fail(kMalformed);
  for (std::uint64_t i = with_energy; i > 0 && from.ok(); --i) energies.push_back(from.real());
  divergent_rows.resize(from.count(1, sizeof(std::size_t)));
  std::size_t next_row = 0;
  for (std::size_t& row : divergent_rows) {
    row = from.number();
    if (row < next_row || row >= rows) from.fail(kMalformed);
    next_row = row + 1;
  }
  const std::uint64_t count = from.count();
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    if (!from.charge(2 * sizeof(Label) + kHeapBlock)) break;
    std::string name(from.text());
    if (!index.try_emplace(name, labels.size()).second) from.fail(kMalformed);
    labels.push_back({std::move(name), {}});
    labels.back().shape.restore(from, pool);
    if (!from.ok()) break;
    if (labels.back().shape.rows() != rows) from.fail(kMalformed);
  }
  if (in_stretches != rows || in_sweeps != rows) from.fail(kMalformed);
  return from.ok();
}

}  // namespace chancel::report
