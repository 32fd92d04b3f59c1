// SPDX-License-Identifier: Apache-2.0
#include "column.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace py = pybind11;

namespace chancel::python {

namespace {

// NumPy has arrays of at most 32 dimensions, and chains and draws take two.
constexpr std::size_t kMostDimensions = 30;

// Whether a real can stand for it.
bool is_exact(std::int64_t integer) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  return integer >= -kMost && integer <= kMost;
}

bool all_exact(const std::vector<std::int64_t>& integers) {
  return std::all_of(integers.begin(), integers.end(), is_exact);
}

}  // namespace

void Column::add(std::size_t row, const ValueView& value) {
  // Most draws: one number like the one before.
  if (rows_ == row && shape_.empty()) {
    const ValueView::Kind kind = value.kind();
    if (kind_ == Kind::Real && kind == ValueView::Kind::Real) {
      reals_.push_back(value.number());
      ++rows_;
      return;
    }
    if (kind_ == Kind::Integer && kind == ValueView::Kind::Integer) {
      integers_.push_back(value.integer());
      ++rows_;
      return;
    }
  }
  pad(row);
  leaf_ = Kind::Empty;
  value_shape_.clear();
  value_reals_.clear();
  value_integers_.clear();
  if (kind_ != Kind::Object && flatten(value, 0) && leaf_ != Kind::Empty)
    add_numbers();
  else
    add_object(value);
  ++rows_;
}

bool Column::flatten(const ValueView& value, std::size_t depth) {
  const ValueView::Kind kind = value.kind();
  if (kind != ValueView::Kind::Vector && kind != ValueView::Kind::List)
    return depth == value_shape_.size() && add_leaf(value);
  const std::vector<ValueView> items = value.items();
  if (items.empty() || depth == kMostDimensions) return false;
  const bool seen = leaf_ != Kind::Empty;  // a leaf came before, so all depths are known
  if (depth == value_shape_.size()) {
    if (seen) return false;
    value_shape_.push_back(items.size());
  } else if (value_shape_[depth] != items.size()) {
    return false;
  }
  for (const ValueView& item : items)
    if (!flatten(item, depth + 1)) return false;
  return true;
}

bool Column::add_leaf(const ValueView& value) {
  constexpr std::size_t kMostNumbers = std::size_t{1}
                                       << 26;  // of one value, which may share its parts
  if (value_reals_.size() + value_integers_.size() == kMostNumbers)
    throw std::length_error(
        "a value of the program has more than 67108864 numbers, too many for Python: predict less "
        "of it");
  switch (value.kind()) {
    case ValueView::Kind::Boolean:
      if (leaf_ != Kind::Empty && leaf_ != Kind::Boolean) return false;
      leaf_ = Kind::Boolean;
      value_integers_.push_back(value.boolean() ? 1 : 0);
      return true;
    case ValueView::Kind::Integer:
      if (leaf_ == Kind::Boolean) return false;
      if (leaf_ == Kind::Real) {
        if (!is_exact(value.integer())) return false;
        value_reals_.push_back(value.number());
        return true;
      }
      leaf_ = Kind::Integer;
      value_integers_.push_back(value.integer());
      return true;
    case ValueView::Kind::Real:
    case ValueView::Kind::Ratio:
      if (leaf_ == Kind::Boolean) return false;
      if (leaf_ == Kind::Integer) {
        if (!all_exact(value_integers_)) return false;
        value_reals_.assign(value_integers_.begin(), value_integers_.end());
        value_integers_.clear();
      }
      leaf_ = Kind::Real;
      value_reals_.push_back(value.number());
      return true;
    default:
      return false;
  }
}

void Column::add_numbers() {
  if (kind_ == Kind::Empty) {
    kind_ = leaf_;
    shape_ = value_shape_;
    width_ = leaf_ == Kind::Real ? value_reals_.size() : value_integers_.size();
  } else if (shape_ != value_shape_ || (kind_ == Kind::Boolean) != (leaf_ == Kind::Boolean) ||
             (kind_ == Kind::Integer && leaf_ == Kind::Real && !all_exact(integers_)) ||
             (kind_ == Kind::Real && leaf_ == Kind::Integer && !all_exact(value_integers_))) {
    to_objects();
    Column value;
    value.kind_ = leaf_;
    value.shape_ = value_shape_;
    value.width_ = leaf_ == Kind::Real ? value_reals_.size() : value_integers_.size();
    value.reals_ = value_reals_;
    value.integers_ = value_integers_;
    value.booleans_.assign(value_integers_.begin(), value_integers_.end());
    objects_.push_back(static_cast<std::uint32_t>(distinct_.size()));
    distinct_.push_back(value.rebuild(0));
    return;
  } else if (kind_ == Kind::Integer && leaf_ == Kind::Real) {
    to_reals();
  }
  if (kind_ == Kind::Boolean) {
    booleans_.insert(booleans_.end(), value_integers_.begin(), value_integers_.end());
  } else if (kind_ == Kind::Integer) {
    integers_.insert(integers_.end(), value_integers_.begin(), value_integers_.end());
  } else if (leaf_ == Kind::Real) {
    reals_.insert(reals_.end(), value_reals_.begin(), value_reals_.end());
  } else {
    reals_.insert(reals_.end(), value_integers_.begin(), value_integers_.end());
  }
}

void Column::add_object(const ValueView& value) {
  to_objects();
  Datum datum = copy_value(value);
  const auto next = static_cast<std::uint32_t>(distinct_.size());
  const Datum::Part& whole = datum.parts.front();
  const bool shared = whole.kind == Datum::Kind::Text || whole.kind == Datum::Kind::Keyword ||
                      whole.kind == Datum::Kind::Nil;
  if (shared) {
    const std::string key = static_cast<char>('0' + static_cast<int>(whole.kind)) + whole.text;
    const auto [found, is_new] = known_.emplace(key, next);
    objects_.push_back(found->second);
    if (!is_new) return;
  } else {
    objects_.push_back(next);
  }
  distinct_.push_back(std::move(datum));
}

void Column::to_reals() {
  reals_.assign(integers_.begin(), integers_.end());
  integers_ = {};
  kind_ = Kind::Real;
}

void Column::to_objects() {
  if (kind_ == Kind::Object) return;
  if (kind_ != Kind::Empty) {
    for (std::size_t row = 0; row < rows_; ++row) {
      objects_.push_back(static_cast<std::uint32_t>(distinct_.size()));
      distinct_.push_back(rebuild(row));
    }
  }
  booleans_ = {};
  integers_ = {};
  reals_ = {};
  shape_.clear();
  kind_ = Kind::Object;
}

void Column::pad(std::size_t row) {
  if (rows_ >= row) return;
  to_objects();
  for (; rows_ < row; ++rows_) add_object(ValueMaker::nil());
}

// The value of a row of numbers, as it was.
Datum Column::rebuild(std::size_t row) const {
  Datum datum;
  std::size_t at = row * width_;
  const auto part = [&](const auto& self, std::size_t depth) -> void {
    if (depth < shape_.size()) {
      datum.add_list(shape_[depth]);
      for (std::size_t i = 0; i < shape_[depth]; ++i) self(self, depth + 1);
    } else if (kind_ == Kind::Real) {
      datum.add(reals_[at++]);
    } else if (kind_ == Kind::Boolean) {
      datum.add(booleans_[at++] != 0);
    } else {
      datum.add(integers_[at++]);
    }
  };
  part(part, 0);
  return datum;
}

namespace {

// An array over the memory of a vector, which it keeps.
template <class Element, class Stored>
py::array adopt(std::vector<Stored> numbers, const std::vector<py::ssize_t>& shape) {
  static_assert(sizeof(Element) == sizeof(Stored));
  auto owned = std::make_unique<std::vector<Stored>>(std::move(numbers));
  const auto* data = reinterpret_cast<const Element*>(owned->data());
  const py::capsule keeper(owned.get(),
                           [](void* p) { delete static_cast<std::vector<Stored>*>(p); });
  owned.release();
  return py::array_t<Element>(shape, data, keeper);
}

}  // namespace

py::array Column::take(std::size_t rows) {
  pad(rows);
  Column taken = std::exchange(*this, Column());
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows)};
  for (const std::size_t n : taken.shape_) shape.push_back(static_cast<py::ssize_t>(n));
  switch (taken.kind_) {
    case Kind::Boolean:
      return adopt<bool>(std::move(taken.booleans_), shape);
    case Kind::Integer:
      return adopt<std::int64_t>(std::move(taken.integers_), shape);
    case Kind::Real:
      return adopt<double>(std::move(taken.reals_), shape);
    case Kind::Empty:
      return adopt<double>(std::vector<double>{}, shape);
    case Kind::Object:
      break;
  }
  std::vector<py::object> values;
  values.reserve(taken.distinct_.size());
  for (const Datum& d : taken.distinct_) values.push_back(to_python(d));
  py::array out(py::dtype("O"), shape);
  auto** cells = static_cast<PyObject**>(out.mutable_data());
  for (std::size_t row = 0; row < rows; ++row) {
    Py_XDECREF(cells[row]);
    cells[row] = values[taken.objects_[row]].inc_ref().ptr();
  }
  return out;
}

}  // namespace chancel::python
