// SPDX-License-Identifier: Apache-2.0
#include "datum.hpp"

namespace py = pybind11;

namespace chancel::python {

Datum Datum::of(std::int64_t value) {
  Datum d;
  d.kind = Kind::Integer;
  d.integer = value;
  return d;
}

Datum Datum::of(double value) {
  Datum d;
  d.kind = Kind::Real;
  d.real = value;
  return d;
}

Datum Datum::of(bool value) {
  Datum d;
  d.kind = Kind::Boolean;
  d.integer = value ? 1 : 0;
  return d;
}

Datum copy_value(const ValueView& value) {
  using From = ValueView::Kind;
  Datum d;
  switch (value.kind()) {
    case From::Nil:
      break;
    case From::Boolean:
      return Datum::of(value.boolean());
    case From::Integer:
      return Datum::of(value.integer());
    case From::Real:
    case From::Ratio:
    case From::BigInteger:
      return Datum::of(value.number());
    case From::Keyword:
      d.kind = Datum::Kind::Keyword;
      d.text = value.text();
      break;
    case From::String:
      d.kind = Datum::Kind::Text;
      d.text = value.text();
      break;
    case From::List:
    case From::Vector:
    case From::Set:
      d.kind = value.kind() == From::Set ? Datum::Kind::Set : Datum::Kind::List;
      for (const ValueView& item : value.items()) d.items.push_back(copy_value(item));
      break;
    case From::Map:
      d.kind = Datum::Kind::Map;
      for (const auto& [key, item] : value.entries()) {
        d.items.push_back(copy_value(key));
        d.items.push_back(copy_value(item));
      }
      break;
    case From::Character:
      d.kind = Datum::Kind::Text;
      d.text = value.print(false);
      break;
    case From::Symbol:
    case From::Function:
    case From::Distribution:
    case From::Other:
      d.kind = Datum::Kind::Text;
      d.text = value.print();
      break;
  }
  return d;
}

namespace {

py::object to_str(const std::string& text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object to_keyword(const std::string& text) {
  return py::module_::import("chancel._data").attr("Keyword")(to_str(text));
}

py::tuple to_tuple(const std::vector<Datum>& items) {
  py::tuple out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) out[i] = to_python(items[i], true);
  return out;
}

}  // namespace

py::object to_python(const Datum& d, bool as_key) {
  switch (d.kind) {
    case Datum::Kind::Nil:
      return py::none();
    case Datum::Kind::Boolean:
      return py::bool_(d.integer != 0);
    case Datum::Kind::Integer:
      return py::int_(d.integer);
    case Datum::Kind::Real:
      return py::float_(d.real);
    case Datum::Kind::Text:
      return to_str(d.text);
    case Datum::Kind::Keyword:
      return to_keyword(d.text);
    case Datum::Kind::Set:
      return py::frozenset(to_tuple(d.items));
    case Datum::Kind::List: {
      if (as_key) return to_tuple(d.items);
      py::list out(d.items.size());
      for (std::size_t i = 0; i < d.items.size(); ++i) out[i] = to_python(d.items[i]);
      return out;
    }
    case Datum::Kind::Map: {
      if (as_key) {  // a map inside a set: the set of its pairs
        py::set pairs;
        for (std::size_t i = 0; i + 1 < d.items.size(); i += 2)
          pairs.add(py::make_tuple(to_python(d.items[i], true), to_python(d.items[i + 1], true)));
        return py::frozenset(pairs);
      }
      py::dict out;
      for (std::size_t i = 0; i + 1 < d.items.size(); i += 2)
        out[to_python(d.items[i], true)] = to_python(d.items[i + 1]);
      return out;
    }
  }
  return py::none();
}

}  // namespace chancel::python
