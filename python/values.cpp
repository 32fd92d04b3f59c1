// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <span>
#include <string>

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

ValueView keyword(const std::string& name) {
  if (name.empty() || name.find_first_of(" \t\r\n\f\v()[]{}\",;@^`~\\") != std::string::npos)
    throw py::value_error("not the name of a keyword: '" + name + "'");
  return ValueMaker::keyword(name);
}

std::int64_t int_of(py::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) {
    PyErr_SetString(
        PyExc_OverflowError,
        ("integers of programs have 64 bits, got " + std::string(py::str(object))).c_str());
    throw py::error_already_set();
  }
  if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return value;
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

// False: its elements have to be looked at one by one.
bool from_array(ValueMaker& maker, const py::array& array, ValueView* out) {
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

std::vector<ValueView> items_of(ValueMaker& maker, py::handle sequence) {
  std::vector<ValueView> items;
  for (const py::handle item : sequence) items.push_back(to_value(maker, item));
  return items;
}

ValueView map_of(ValueMaker& maker, const py::dict& dict) {
  std::vector<std::pair<ValueView, ValueView>> entries;
  const py::object edn = our_class("Edn");
  for (const auto& [key, value] : dict) {
    const bool name = py::isinstance<py::str>(key) && !py::isinstance(key, edn);
    const ValueView made = name ? keyword(text_of(key)) : to_value(maker, key);
    entries.emplace_back(made, to_value(maker, value));
  }
  return maker.map(entries);
}

ValueView parse(ValueMaker& maker, const std::string& edn) {
  const auto value = maker.parse(edn);
  if (!value) throw py::value_error("not one value of EDN: " + edn);
  return *value;
}

ValueView text_value(ValueMaker& maker, py::handle object) {
  if (py::isinstance(object, our_class("Edn"))) return parse(maker, text_of(object));
  if (py::isinstance(object, our_class("Keyword"))) return keyword(text_of(object));
  return maker.string(text_of(object));
}

// Numbers and sequences of other libraries.
ValueView foreign_value(ValueMaker& maker, py::handle object) {
  const auto is_a = [&](const char* module, const char* name) {
    return py::isinstance(object, py::module_::import(module).attr(name));
  };
  if (is_a("fractions", "Fraction")) return parse(maker, py::str(object));
  if (py::hasattr(object, "tolist")) return to_value(maker, object.attr("tolist")());
  if (is_a("numbers", "Integral"))
    return ValueMaker::integer(int_of(py::int_(py::reinterpret_borrow<py::object>(object))));
  if (is_a("numbers", "Real"))
    return ValueMaker::real(py::float_(py::reinterpret_borrow<py::object>(object)));
  throw py::type_error("a " + std::string(py::str(py::type::handle_of(object).attr("__name__"))) +
                       " cannot be a value of a program: " + std::string(py::repr(object)));
}

}  // namespace

ValueView to_value(ValueMaker& maker, py::handle object) {
  if (object.is_none()) return ValueMaker::nil();
  if (py::isinstance<py::bool_>(object)) return ValueMaker::boolean(object.ptr() == Py_True);
  if (py::isinstance<py::str>(object)) return text_value(maker, object);
  if (py::isinstance<py::int_>(object)) return ValueMaker::integer(int_of(object));
  if (py::isinstance<py::float_>(object)) return ValueMaker::real(PyFloat_AS_DOUBLE(object.ptr()));
  if (py::isinstance<py::dict>(object))
    return map_of(maker, py::reinterpret_borrow<py::dict>(object));
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    return maker.vector(items_of(maker, object));
  if (PyAnySet_Check(object.ptr())) return maker.set(items_of(maker, object));
  ValueView out;
  if (py::isinstance<py::array>(object) &&
      from_array(maker, py::reinterpret_borrow<py::array>(object), &out))
    return out;
  return foreign_value(maker, object);
}

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
                           std::string(py::repr(value)));
  }
  return out;
}

}  // namespace chancel::python
