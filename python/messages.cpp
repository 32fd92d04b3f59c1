// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <exception>
#include <string>

namespace py = pybind11;

namespace chancel::python {

py::list to_list(const std::vector<Message>& messages) {
  const py::object diagnostic = py::module_::import("chancel._errors").attr("Diagnostic");
  py::list out;
  for (const Message& m : messages)
    out.append(diagnostic(m.code, m.message, m.file, m.line, m.column, m.hint,
                          m.error ? "error" : "warning", m.end_line, m.end_column, m.text));
  return out;
}

void register_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& e) {
      const py::object type = py::module_::import("chancel._errors").attr("Error");
      const py::object made = type(py::tuple(to_list(e.messages())));
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

}  // namespace chancel::python
