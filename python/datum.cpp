// SPDX-License-Identifier: Apache-2.0
#include "datum.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

namespace py = pybind11;

namespace chancel::python {

using Kind = Datum::Kind;
using Part = Datum::Part;

void Datum::add(std::int64_t value) {
  Part& part = parts.emplace_back();
  part.kind = Kind::Integer;
  part.integer = value;
}

void Datum::add(double value) {
  Part& part = parts.emplace_back();
  part.kind = Kind::Real;
  part.real = value;
}

void Datum::add(bool value) {
  Part& part = parts.emplace_back();
  part.kind = Kind::Boolean;
  part.integer = value ? 1 : 0;
}

void Datum::add_list(std::size_t count) {
  Part& part = parts.emplace_back();
  part.kind = Kind::List;
  part.count = count;
}

namespace {

constexpr std::size_t kDeepestKey = 64;                   // tuples in tuples, and so on
constexpr std::size_t kMostParts = std::size_t{1} << 24;  // of one value: 1 GB

class Copier {
 public:
  Datum copy(const ValueView& value) {
    add(value, 0);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next == top.items.size()) {
        open_.pop_back();
        continue;
      }
      const std::size_t at = top.next++;
      const ValueView item = top.items[at];
      const bool is_key = top.kind == Kind::Set || (top.kind == Kind::Map && at % 2 == 0);
      const bool doubtful = is_key && top.doubtful;
      const std::size_t key_depth = top.key_depth > 0 || is_key ? top.key_depth + 1 : 0;
      if (doubtful) out_.edn[out_.parts.size()] = item.print();
      add(item, key_depth);
    }
    return std::move(out_);
  }

 private:
  struct Open {  // a collection whose elements are being copied
    Kind kind;
    std::vector<ValueView> items;
    bool doubtful;          // Python may take two keys to be equal
    std::size_t key_depth;  // 0: not in a key
    std::size_t part;
    std::size_t next = 0;
  };

  void add(const ValueView& value, std::size_t key_depth) {
    if (out_.parts.size() == kMostParts)
      throw std::length_error(
          "a value of the program has more than 16777216 parts, too many for "
          "Python: predict less of it");
    const std::size_t at = out_.parts.size();
    out_.parts.emplace_back();
    if (key_depth > kDeepestKey && is_collection(value.kind())) {
      out_.parts[at].kind = Kind::Edn;
      out_.parts[at].text = value.print();
    } else {
      fill(value, at, key_depth);
    }
    out_.parts[at].is_key = key_depth > 0;
    if (out_.parts[at].is_changed)  // and so are the keys that it is in
      for (auto o = open_.rbegin(); o != open_.rend() && o->key_depth > 0; ++o)
        out_.parts[o->part].is_changed = true;
  }

  static bool is_collection(ValueView::Kind kind) {
    using From = ValueView::Kind;
    return kind == From::List || kind == From::Vector || kind == From::Map || kind == From::Set;
  }

  void fill(const ValueView& value, std::size_t at, std::size_t key_depth) {
    using From = ValueView::Kind;
    Part& part = out_.parts[at];
    const auto text = [&](Kind kind, std::string made) {
      part.kind = kind;
      part.text = std::move(made);
    };
    switch (value.kind()) {
      case From::Nil:
        break;
      case From::Boolean:
        part.kind = Kind::Boolean;
        part.integer = value.boolean() ? 1 : 0;
        break;
      case From::Integer:
        part.kind = Kind::Integer;
        part.integer = value.integer();
        break;
      case From::BigInteger:
        text(Kind::BigInteger, value.integer_bytes());
        break;
      case From::Real:
      case From::Ratio:
        part.kind = Kind::Real;
        part.real = value.number();
        part.is_changed = value.kind() == From::Ratio;
        break;
      case From::Keyword:
        text(Kind::Keyword, value.text());
        break;
      case From::String:
        text(Kind::Text, value.text());
        break;
      case From::List:
      case From::Vector:
        collect(Kind::List, value.items(), at, key_depth);
        break;
      case From::Set:
        collect(Kind::Set, value.items(), at, key_depth);
        break;
      case From::Map: {
        std::vector<ValueView> items;
        for (const auto& [key, item] : value.entries()) {
          items.push_back(key);
          items.push_back(item);
        }
        collect(Kind::Map, std::move(items), at, key_depth);
        break;
      }
      case From::Character:
        text(Kind::Text, value.print(false));
        part.is_changed = true;
        break;
      case From::Symbol:
      case From::Function:
      case From::Distribution:
      case From::Other:
        text(Kind::Text, value.print());
        part.is_changed = true;
        break;
    }
  }

  void collect(Kind kind, std::vector<ValueView> items, std::size_t at, std::size_t key_depth) {
    out_.parts[at].kind = kind;
    out_.parts[at].count = items.size();
    const bool doubtful = kind != Kind::List && may_collide(items, kind == Kind::Map ? 2 : 1);
    open_.push_back({kind, std::move(items), doubtful, key_depth, at});
  }

  // Keys of one of these kinds are as different in Python as they are in a program.
  static bool may_collide(const std::vector<ValueView>& items, std::size_t step) {
    using From = ValueView::Kind;
    const auto kind_of = [](const ValueView& value) {
      const From kind = value.kind();
      return kind == From::BigInteger ? From::Integer : kind;
    };
    if (items.size() <= step) return false;
    const From kind = kind_of(items[0]);
    if (kind != From::Keyword && kind != From::String && kind != From::Integer &&
        kind != From::Boolean)
      return true;
    for (std::size_t i = step; i < items.size(); i += step)
      if (kind_of(items[i]) != kind) return true;
    return false;
  }

  Datum out_;
  std::vector<Open> open_;
};

// The classes of the package.
py::object make(const char* name, const std::string& text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  auto text_object = py::reinterpret_steal<py::object>(made);
  if (name == nullptr) return text_object;
  return py::module_::import("chancel._data").attr(name)(text_object);
}

py::object leaf(const Part& part) {
  switch (part.kind) {
    case Kind::Boolean:
      return py::bool_(part.integer != 0);
    case Kind::Integer:
      return py::int_(part.integer);
    case Kind::BigInteger:
      return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyLong_Type))
          .attr("from_bytes")(py::bytes(part.text), "little", py::arg("signed") = true);
    case Kind::Real:
      return py::float_(part.real);
    case Kind::Text:
      return make(nullptr, part.text);
    case Kind::Keyword:
      return make("Keyword", part.text);
    case Kind::Edn:
      return make("Edn", part.text);
    default:
      return py::none();
  }
}

struct Made {
  py::object object;
  std::size_t part;
};

bool holds(const py::handle& container, const py::handle& key) {
  const int found = PySequence_Contains(container.ptr(), key.ptr());
  if (found < 0) throw py::error_already_set();
  return found == 1;
}

// Keywords and integers stay what they are, then what goes back as what it was.
int rank_of(const Part& key) {
  if (key.kind == Kind::Keyword || key.kind == Kind::Integer) return 0;
  return key.is_changed ? 2 : 1;
}

// Replaces keys that Python takes to be equal to others.
void tell_apart(const Datum& datum, std::span<Made> items, std::size_t step) {
  py::set all;
  for (int rank = 0; rank < 3; ++rank)
    for (std::size_t i = 0; i < items.size(); i += step) {
      Made& key = items[i];
      if (rank_of(datum.parts[key.part]) != rank) continue;
      if (holds(all, key.object)) {
        const auto known = datum.edn.find(key.part);
        const std::string text =
            known != datum.edn.end() ? known->second : std::string(py::str(key.object));
        key.object = make("Edn", text);
        // Functions may print alike.
        for (int n = 2; holds(all, key.object); ++n)
          key.object = make("Edn", text + " " + std::to_string(n));
      }
      all.add(key.object);
    }
}

py::tuple tuple_of(std::span<const Made> items) {
  py::tuple out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) out[i] = items[i].object;
  return out;
}

py::object set_of(const Datum& datum, std::span<Made> items) {
  py::frozenset out(tuple_of(items));
  if (out.size() == items.size()) return out;
  tell_apart(datum, items, 1);
  return py::frozenset(tuple_of(items));
}

py::object map_of(const Datum& datum, std::span<Made> items, bool is_key) {
  py::dict out;
  const auto fill = [&] {
    out = py::dict();
    for (std::size_t i = 0; i < items.size(); i += 2) out[items[i].object] = items[i + 1].object;
  };
  fill();
  if (2 * out.size() != items.size()) {
    tell_apart(datum, items, 2);
    fill();
  }
  // A map inside a set: the set of its pairs.
  return is_key ? py::object(py::frozenset(out.attr("items")())) : py::object(std::move(out));
}

py::object collection(const Datum& datum, const Part& part, std::span<Made> items) {
  if (part.kind == Kind::Set) return set_of(datum, items);
  if (part.kind == Kind::Map) return map_of(datum, items, part.is_key);
  if (part.is_key) return tuple_of(items);
  py::list out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) out[i] = std::move(items[i].object);
  return out;
}

}  // namespace

Datum copy_value(const ValueView& value) { return Copier().copy(value); }

py::object to_python(const Datum& datum) {
  // From the last part to the first: elements lie ready, the first of them on top, when their
  // collection comes.
  std::vector<Made> ready;
  for (std::size_t at = datum.parts.size(); at-- > 0;) {
    const Part& part = datum.parts[at];
    const bool has_items =
        part.kind == Kind::List || part.kind == Kind::Map || part.kind == Kind::Set;
    if (!has_items) {
      ready.push_back({leaf(part), at});
      continue;
    }
    const auto first = ready.end() - static_cast<std::ptrdiff_t>(part.count);
    std::reverse(first, ready.end());
    py::object made = collection(datum, part, {first, ready.end()});
    ready.erase(first, ready.end());
    ready.push_back({std::move(made), at});
  }
  return ready.empty() ? py::object(py::none()) : ready.back().object;
}

}  // namespace chancel::python
