// SPDX-License-Identifier: Apache-2.0
// chancel._chancel: the public C++ interface for the Python package chancel, which is what people
// use. Only what is close to the data is here (columns, waiting, messages); names, defaults and
// documentation are in python/chancel/*.py. _chancel.pyi has the types.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>

#include "chancel/chancel.hpp"
#include "messages.hpp"
#include "run.hpp"
#include "values.hpp"

namespace py = pybind11;
using namespace py::literals;

namespace chancel::python {
namespace {

std::shared_ptr<PythonModel> compile(const std::string& text, const std::string& name,
                                     const std::string& dialect, bool no_files) {
  CompileOptions options;
  options.name = name;
  options.dialect = dialect;
  options.files = !no_files;
  options.output = print_later;
  std::shared_ptr<PythonModel> model;
  const Interrupt interrupt = options.interrupt;
  run_interruptibly(interrupt, [&](const Stop&) {
    model = std::make_shared<PythonModel>(Model::compile(text, std::move(options)));
  });
  return model;
}

py::list queries(const PythonModel& model) {
  const py::object type = py::module_::import("chancel._model").attr("Query");
  py::list out;
  for (const QueryInfo& q : model.model.queries())
    out.append(type(q.name, py::tuple(py::cast(q.parameters)), q.doc, q.line, q.has_default_value));
  return out;
}

std::unique_ptr<Run> start(const std::shared_ptr<PythonModel>& model, const std::string& program,
                           const std::string& query, const std::string& engine,
                           const py::dict& engine_options, std::optional<std::uint64_t> samples,
                           std::optional<std::uint64_t> ess, std::optional<std::uint64_t> warmup,
                           std::optional<std::uint64_t> burn, std::optional<std::uint64_t> rounds,
                           std::uint64_t thin, unsigned chains, std::uint64_t seed,
                           unsigned threads, const py::object& value, double timeout,
                           std::size_t max_memory, bool prior, bool keep_summary) {
  InferOptions options;
  options.algorithm = engine;
  options.engine_options = to_engine_options(engine_options);
  options.samples = samples;
  options.ess = ess;
  options.log_joint = true;
  options.warmup = warmup;
  options.burn = burn;
  options.rounds = rounds;
  options.thin = thin;
  options.chains = chains;
  options.seed = seed;
  options.threads = threads;
  options.prior = prior;
  RunInfo info;
  if (!value.is_none()) {
    Arguments& arguments = options.arguments.emplace();
    const ValueView all = to_value(arguments.maker(), value);
    arguments.bind_all(all);
    constexpr std::size_t kMostText = std::size_t{1}
                                      << 24;  // a value that shares its parts may have no end of it
    if (keep_summary) info.value = all.print(true, kMostText);
  }
  options.limits.timeout = timeout;
  options.limits.max_memory = max_memory;
  info.program = program;
  info.query = query;
  info.algorithm = engine;
  info.engine_options = options.engine_options;
  info.samples = samples;
  info.ess = ess;
  info.warmup = warmup;
  info.burn = burn;
  info.rounds = rounds;
  info.thin = thin;
  info.chains = chains;
  info.seed = seed;
  info.prior = prior;
  return std::make_unique<Run>(model, std::move(info), std::move(options), keep_summary);
}

py::list engine_list() {
  py::list out;
  for (const EngineInfo& e : engines()) {
    py::list options;
    for (const EngineInfo::Option& o : e.options)
      options.append(py::make_tuple(o.name, o.values, o.doc));
    out.append(py::make_tuple(e.name, e.summary, options));
  }
  return out;
}

}  // namespace
}  // namespace chancel::python

PYBIND11_MODULE(_chancel, m) {
  using namespace chancel::python;
  m.doc() = "The native part of chancel; use the package chancel.";
  register_errors();
  m.attr("version") = chancel::version();
  m.def("engines", &engine_list,
        "Name, what it is, and options (name, values, what for) of each engine.");

  py::class_<PythonModel, std::shared_ptr<PythonModel>>(m, "Model", "A compiled program.")
      .def(py::init(&compile), "text"_a, "name"_a, "dialect"_a, "no_files"_a)
      .def(
          "dialect", [](const PythonModel& x) { return x.model.dialect(); },
          "clojure, venture or textbook.")
      .def("queries", &queries, "The queries of the program.")
      .def(
          "default_query", [](const PythonModel& x) { return x.model.default_query(); },
          "The query to use when none is named.")
      .def(
          "warnings", [](const PythonModel& x) { return to_list(x.model.warnings()); },
          "What the compiler remarked.")
      .def(
          "dump",
          [](const PythonModel& x, const std::string& stage) { return x.model.dump(stage); },
          "stage"_a, "The program after the stage read, core or code.")
      .def("start", &start, "program"_a, "query"_a, "engine"_a, "engine_options"_a, "samples"_a,
           "ess"_a, "warmup"_a, "burn"_a, "rounds"_a, "thin"_a, "chains"_a, "seed"_a, "threads"_a,
           "value"_a, "timeout"_a, "max_memory"_a, "prior"_a, "keep_summary"_a,
           "Starts a run; nothing is drawn yet.");

  py::class_<Run>(m, "Run", "A run of inference, taken in parts.")
      .def("collect", &Run::collect, "limit"_a, "seconds"_a,
           "Makes up to `limit` draws (0 = all) for about `seconds` (0 = no limit); True at the "
           "end of the run.")
      .def("count", &Run::count, "How many draws there are since the last take.")
      .def("take", &Run::take,
           "(labels, arrays, log_weight, chain, sweep, index, log_joint) of the draws since the "
           "last "
           "call.")
      .def("finish", &Run::finish, "Ends the run and gives its memory back.")
      .def("statistics", &Run::statistics, "What the run says about itself.")
      .def("table", &Run::table, "The summary as text.")
      .def("json", &Run::json, "The summary as JSON.")
      .def("html", &Run::html, "The summary as an HTML fragment.")
      .def("page", &Run::page, "The report, an HTML page.");
}
