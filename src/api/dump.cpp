// SPDX-License-Identifier: Apache-2.0
// Model::dump: a program at each stage, after each pass, and how long the passes take.
#include <fmt/format.h>

#include <map>

#include "api/model_impl.hpp"
#include "compile/passes.hpp"
#include "core/copy.hpp"
#include "native/describe.hpp"
#include "reader/reader.hpp"
#include "runs/check_doquery.hpp"
#include "runs/run_setup.hpp"
#include "segment/passes.hpp"
#include "session/messages.hpp"

namespace chancel {

namespace {

std::string read_forms(const std::string& source) {
  SourceMap sources;
  DiagnosticSink sink;
  std::string out;
  for (const Datum& d : read_all(sources, sources.add("", source), sink)) out += to_text(d) + "\n";
  return out;
}

// NAME-value of the program, if it has one.
std::optional<Value> argument_of(Session& session, const QuerySignature& query) {
  return session.globals().value(intern(query.name->full + "-value"));
}

// Runs all passes on the program again, on a copy of its core. Observes are simulated only where that
// is to be seen: the passes after it would see another program.
void run_again(const LoadedProgram& program, bool simulate, const PassObserver& observer) {
  Session& session = *program.session;
  core::NodeArena& nodes = session.evaluator().nodes;  // names of its variables are unique
  DiagnosticSink sink;
  ObserveRewriter observes(ObserveRewriter::To::Simulate);
  const core::DoqueryCheck doqueries = check_doquery;
  for (const core::Node* form : program.loaded.core) {
    CompileUnit unit{core::copy_tree(form, nodes), nodes, *session.program(), session.linker(),
                     sink};
    unit.observes = simulate ? &observes : nullptr;
    unit.doqueries = &doqueries;
    run_passes(unit, PassStage::Form, observer);
    if (!simulate) run_passes(unit, PassStage::Code, observer);
  }
  for (const QuerySignature& q : program.loaded.queries) {
    session.queries().core_of(q.name, observer);
    if (!simulate) setup_run(session, q, argument_of(session, q), StreamName{}, observer);
  }
}

std::string after_pass(const LoadedProgram& program, std::string_view name) {
  std::string out;
  run_again(program, name == "simulate", [&](const Pass& pass, const CompileUnit& unit, double) {
    if (pass.name == name)
      out += unit.code ? disassemble(*unit.code) : core::print(unit.node) + "\n";
  });
  return out;
}

std::string pass_times(const LoadedProgram& program) {
  std::map<std::string_view, double> seconds;
  const auto add = [&](const Pass& pass, const CompileUnit&, double s) { seconds[pass.name] += s; };
  run_again(program, true, add);
  seconds.erase("doqueries");  // a second time follows
  run_again(program, false, add);
  std::string out;
  for (const Pass& pass : passes())
    out += fmt::format("{:<10} {:9.3f} ms  {}\n", pass.name, 1000 * seconds[pass.name], pass.doc);
  return out;
}

}  // namespace

std::vector<PassInfo> compile_passes() {
  std::vector<PassInfo> out;
  for (const Pass& pass : passes()) out.push_back({pass.name, pass.doc});
  return out;
}

std::vector<PassInfo> segment_passes() {
  std::vector<PassInfo> out;
  for (const segment::Pass& pass : segment::passes())
    out.push_back({std::string(pass.name), pass.doc});
  return out;
}

std::string Model::dump(std::string_view stage, const std::vector<std::string>& without) const {
  for (const std::string& name : without)
    if (!segment::is_pass(name))
      throw_error(Code::U001, fmt::format("there is no pass {} of segments", name),
                  "`chancel dump --help` lists them", ExitCode::Usage);
  if (stage == "read") return read_forms(impl_->source);
  if (stage == "passes") return pass_times(*impl_);
  std::string out;
  if (stage == "core") {
    for (const core::Node* n : impl_->loaded.core) out += core::print(n) + "\n";
    return out;
  }
  if (stage == "code") {
    for (const FunctionProto* f : impl_->loaded.code) out += disassemble(*f);
    return out;
  }
  if (stage == "segments" || stage == "machine") {
    for (const QuerySignature& q : impl_->loaded.queries) {
      Session& session = *impl_->session;
      if (const auto setup = setup_run(session, q, argument_of(session, q), StreamName{}))
        out += fmt::format("query {}\n{}", q.name->full,
                           native::describe_segments(*setup, stage == "machine", without));
    }
    return out;
  }
  std::string names;
  for (const Pass& pass : passes()) {
    if (pass.name == stage) return after_pass(*impl_, stage);
    names += fmt::format("{}, ", pass.name);
  }
  throw_error(Code::U001, fmt::format("there is no stage {}", stage),
              fmt::format("the stages are read, core, passes, {}code, segments and machine", names),
              ExitCode::Usage);
}

}  // namespace chancel
