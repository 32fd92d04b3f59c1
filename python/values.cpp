// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace py = pybind11;

namespace chancel::python {

namespace {

py::object our_class(const char* name) { return py::module_::import("chancel._data").attr(name); }

std::string text_of(py::handle object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) throw py::error_already_set();
  return {text, static_cast<std::size_t>(size)};
}

// Of long texts, the beginning.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // in a character
  return text.substr(0, end) + "...";
}

ValueView keyword(const std::string& name) {
  if (name.empty() || name.find_first_of(" \t\r\n\f\v()[]{}\",;@^`~\\") != std::string::npos)
    throw py::value_error("not the name of a keyword: '" + shortened(name) +
                          "' (keys of dicts become keywords; chancel.Edn('\"a b\"') is a string)");
  return ValueMaker::keyword(name);
}

ValueView int_of(ValueMaker& maker, py::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return ValueMaker::integer(value);
  }
  constexpr std::size_t kMostBits = std::size_t{1} << 21;  // ValueMaker::integer_of_bytes
  const auto bits = object.attr("bit_length")().cast<std::size_t>();
  if (bits > kMostBits) {
    PyErr_Format(PyExc_OverflowError, "integers of programs have at most %zu bits, got one of %zu",
                 kMostBits, bits);
    throw py::error_already_set();
  }
  const py::bytes bytes = object.attr("to_bytes")(bits / 8 + 1, "little", py::arg("signed") = true);
  return maker.integer_of_bytes(std::string_view(bytes));
}

// The part of an array below the first `depth` indices, whose numbers begin at `at`.
template <class Number, class Make>
ValueView nested(ValueMaker& maker, const py::array_t<Number, py::array::c_style>& array,
                 py::ssize_t depth, const Number*& at, const Make& make) {
  const auto count = static_cast<std::size_t>(array.shape(depth));
  if (depth + 1 == array.ndim()) {
    const std::span<const Number> row(at, count);
    at += count;
    return make(row);
  }
  std::vector<ValueView> items;
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    items.push_back(nested(maker, array, depth + 1, at, make));
  return maker.vector(items);
}

template <class Number, class Make>
ValueView numbers(ValueMaker& maker, const py::array& array, const Make& make) {
  const auto dense = py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!dense) throw py::error_already_set();
  const Number* at = dense.data();
  return nested<Number>(maker, py::array_t<Number, py::array::c_style>(dense), 0, at, make);
}

bool is_a(py::handle object, const char* module, const char* name) {
  return py::isinstance(object, py::module_::import(module).attr(name));
}

// False: its elements have to be looked at one by one.
bool from_array(ValueMaker& maker, py::handle object, ValueView* out) {
  if (!py::isinstance<py::array>(object) || is_a(object, "numpy.ma", "MaskedArray")) return false;
  const auto array = py::reinterpret_borrow<py::array>(object);
  const char kind = array.dtype().kind();
  if (array.ndim() == 0) return false;
  if (kind == 'f' && array.itemsize() <= 8) {
    *out = numbers<double>(maker, array, [&](std::span<const double> x) { return maker.reals(x); });
  } else if (kind == 'i' || (kind == 'u' && array.itemsize() < 8)) {
    *out = numbers<std::int64_t>(
        maker, array, [&](std::span<const std::int64_t> x) { return maker.integers(x); });
  } else if (kind == 'b') {
    *out = numbers<bool>(maker, array, [&](std::span<const bool> x) { return maker.of(x); });
  } else {
    return false;
  }
  return true;
}

ValueView parse(ValueMaker& maker, const std::string& edn) {
  const auto value = maker.parse(edn);
  if (!value) throw py::value_error("not one value of EDN: " + shortened(edn));
  return *value;
}

std::string type_name(py::handle object) {
  return py::str(py::type::handle_of(object).attr("__name__"));
}

// What to do instead.
std::string remedy(py::handle object) {
  const py::handle type = py::type::handle_of(object);
  const std::string module = py::str(type.attr("__module__"));
  if (PyIter_Check(object.ptr())) return "make a list of it first";
  if (PyComplex_Check(object.ptr()) || is_a(object, "numbers", "Complex"))
    return "give its parts, [z.real, z.imag]";
  if (module == "decimal") return "float() makes a number of it, fractions.Fraction() an exact one";
  if (module == "datetime" || module == "numpy" || module.starts_with("pandas._libs"))
    return "give numbers: a date as its days since the first, say";
  if (module.starts_with("pandas") || module.starts_with("polars"))
    return "give its columns by name, a list or an array each";
  return "numbers, str, lists, dicts, sets and NumPy arrays can";
}

[[noreturn]] void refuse(py::handle object) {
  std::string shown;
  try {
    shown = ", " + shortened(py::repr(object));
  } catch (py::error_already_set&) {  // what cannot be shown either
  }
  throw py::type_error("a " + type_name(object) + " cannot be a value of a program" + shown + ": " +
                       remedy(object));
}

// Python objects from the outside in, with a stack of its own: any depth of nesting works.
class Reader {
 public:
  explicit Reader(ValueMaker& maker) : maker_(maker) {}

  ValueView read(py::handle object) {
    ValueView value;
    bool is_done = start(object, false, &value);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (is_done) top.made.push_back(value);
      if (top.next < top.parts.size()) {
        const std::size_t at = top.next++;
        const py::object part = top.parts[at];
        is_done = start(part, top.kind == Kind::Map && at % 2 == 0, &value);
        continue;
      }
      value = end(top);
      if (is_shared(top.object)) known_.emplace(top.object.ptr(), Known{top.object, value});
      if (top.kind == Kind::Plain) --plain_;
      on_path_.erase(top.object.ptr());
      open_.pop_back();
      is_done = true;
    }
    return value;
  }

 private:
  enum class Kind { List, Set, Map, Plain /* what an object says it is */ };
  struct Open {
    Kind kind;
    py::object object;
    py::tuple parts;  // of a map: keys and values in turn
    std::vector<ValueView> made;
    std::size_t next = 0;
  };

  struct Known {
    py::object object;  // its place in memory is its own as long as this holds it
    ValueView value;
  };

  // It has an owner beside its container, the tuple of its container's parts, and Open. A list of lists that are one
  // list has exponentially many parts otherwise.
  static bool is_shared(const py::object& object) { return object.ref_count() > 3; }

  // True: `*out` is its value; false: its parts come first.
  bool start(py::handle object, bool is_key, ValueView* out) {
    constexpr std::size_t kLook = 1 << 16;  // for Ctrl-C
    if (++seen_ % kLook == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
    const auto known = known_.empty() ? known_.end() : known_.find(object.ptr());
    if (known != known_.end())
      *out = known->second.value;
    else if (object.is_none())
      *out = ValueMaker::nil();
    else if (py::isinstance<py::bool_>(object))
      *out = ValueMaker::boolean(object.ptr() == Py_True);
    else if (py::isinstance<py::str>(object))
      *out = text_value(object, is_key);
    else if (py::isinstance<py::int_>(object))
      *out = int_of(maker_, object);
    else if (py::isinstance<py::float_>(object))
      *out = ValueMaker::real(PyFloat_AS_DOUBLE(object.ptr()));
    else if (PyList_Check(object.ptr()))
      return open(Kind::List, object, PyList_AsTuple(object.ptr()));
    else if (PyTuple_Check(object.ptr()))
      return open(Kind::List, object, PySequence_Tuple(object.ptr()));
    else if (PyDict_Check(object.ptr()))
      return open_items(object, PyDict_Items(object.ptr()));
    else if (PyAnySet_Check(object.ptr()))
      return open(Kind::Set, object, PySequence_Tuple(object.ptr()));
    else if (!from_array(maker_, object, out))
      return start_foreign(object, out);
    return true;
  }

  // Numbers and collections of other libraries.
  bool start_foreign(py::handle object, ValueView* out) {
    if (is_a(object, "numpy", "generic") || py::isinstance<py::array>(object)) {
      const std::string kind = py::str(object.attr("dtype").attr("kind"));
      if (kind == "M" || kind == "m") refuse(object);
    }
    if (is_a(object, "fractions", "Fraction")) {
      *out = parse(maker_, py::str(object));
      return true;
    }
    if (py::hasattr(object, "tolist")) {
      const py::object plain = object.attr("tolist")();
      if (!py::type::handle_of(plain).is(py::type::handle_of(object)))
        return open(Kind::Plain, object, py::make_tuple(plain).release().ptr());
    }
    if (is_a(object, "numbers", "Integral")) {
      *out = int_of(maker_, py::int_(py::reinterpret_borrow<py::object>(object)));
      return true;
    }
    if (is_a(object, "numbers", "Real")) {
      *out = ValueMaker::real(py::float_(py::reinterpret_borrow<py::object>(object)));
      return true;
    }
    if (is_a(object, "collections.abc", "Mapping"))
      return open_items(object, PySequence_List(object.attr("items")().ptr()));
    if (is_a(object, "collections.abc", "Set"))
      return open(Kind::Set, object, PySequence_Tuple(object.ptr()));
    if (is_a(object, "collections.abc", "Sequence") && !PyBytes_Check(object.ptr()) &&
        !PyByteArray_Check(object.ptr()))
      return open(Kind::List, object, PySequence_Tuple(object.ptr()));
    refuse(object);
  }

  ValueView text_value(py::handle object, bool is_key) {
    if (py::isinstance(object, our_class("Edn"))) return parse(maker_, text_of(object));
    if (is_key || py::isinstance(object, our_class("Keyword"))) return keyword(text_of(object));
    return maker_.string(text_of(object));
  }

  bool open_items(py::handle object, PyObject* pairs) {
    if (pairs == nullptr) throw py::error_already_set();
    const auto items = py::reinterpret_steal<py::list>(pairs);
    py::tuple parts(2 * items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto pair = items[i].cast<py::tuple>();
      if (pair.size() != 2) throw py::value_error("items() of a mapping gives pairs");
      parts[2 * i] = pair[0];
      parts[2 * i + 1] = pair[1];
    }
    return open(Kind::Map, object, parts.release().ptr());
  }

  bool open(Kind kind, py::handle object, PyObject* parts) {
    if (parts == nullptr) throw py::error_already_set();
    auto kept = py::reinterpret_steal<py::tuple>(parts);
    constexpr std::size_t kMostPlain = 100;
    if (kind == Kind::Plain && ++plain_ > kMostPlain)
      throw py::value_error(
          "a " + type_name(object) +
          " cannot be a value of a program: its tolist() gives more such objects");
    if (!on_path_.insert(object.ptr()).second)
      throw py::value_error("a " + type_name(object) +
                            " that contains itself cannot be a value of a program");
    open_.push_back({kind, py::reinterpret_borrow<py::object>(object), std::move(kept), {}});
    open_.back().made.reserve(open_.back().parts.size());
    return false;
  }

  ValueView end(const Open& x) {
    if (x.kind == Kind::Plain) return x.made.front();
    if (x.kind == Kind::List) return maker_.vector(x.made);
    if (x.kind == Kind::Set) {
      const ValueView set = maker_.set(x.made);
      if (set.size() != x.made.size()) refuse_doubles(x.made, "elements of a set");
      return set;
    }
    std::vector<std::pair<ValueView, ValueView>> entries;
    std::vector<ValueView> keys;
    for (std::size_t i = 0; i < x.made.size(); i += 2) {
      entries.emplace_back(x.made[i], x.made[i + 1]);
      keys.push_back(x.made[i]);
    }
    const ValueView map = maker_.map(entries);
    if (map.size() != entries.size()) refuse_doubles(keys, "keys of a dict");
    return map;
  }

  // They differ in Python and not in a program: "a" and Edn(":a").
  [[noreturn]] static void refuse_doubles(const std::vector<ValueView>& keys, const char* what) {
    std::unordered_set<std::string> seen;
    std::string twice = "equal";
    for (const ValueView& key : keys)
      if (std::string text = key.print(); !seen.insert(text).second) twice = shortened(text);
    throw py::value_error(std::string("two ") + what + " are both " + twice + " in a program");
  }

  ValueMaker& maker_;
  std::vector<Open> open_;
  std::unordered_map<const PyObject*, Known> known_;  // what is shared, once it has a value
  std::unordered_set<const PyObject*> on_path_;
  std::size_t plain_ = 0, seen_ = 0;
};

}  // namespace

ValueView to_value(ValueMaker& maker, py::handle object) { return Reader(maker).read(object); }

std::vector<EngineOption> to_engine_options(const py::dict& options) {
  std::vector<EngineOption> out;
  ValueMaker maker;
  for (const auto& [key, value] : options) {
    EngineOption& option = out.emplace_back(EngineOption{text_of(key), {}});
    std::replace(option.name.begin(), option.name.end(), '_', '-');
    const ValueView v = to_value(maker, value);
    using Kind = ValueView::Kind;
    if (v.kind() == Kind::Boolean)
      option.value = v.boolean();
    else if (v.kind() == Kind::Integer)
      option.value = v.integer();
    else if (v.is_number())
      option.value = v.number();
    else if (v.kind() == Kind::Keyword || v.kind() == Kind::Symbol || v.kind() == Kind::String)
      option.value = v.text().starts_with(":") ? v.text().substr(1) : v.text();
    else
      throw py::type_error("the option " + option.name + " must be a number or a str, got " +
                           shortened(py::repr(value)));
  }
  return out;
}

}  // namespace chancel::python
