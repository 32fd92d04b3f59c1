// SPDX-License-Identifier: Apache-2.0
#include "session/evaluator.hpp"

namespace chancel {

Evaluator::Evaluator(std::size_t most_memory, StreamName name, HostServices& services)
    : max_memory(most_memory),
      stream_name(name),
      heap(most_memory, std::make_shared<MemoryBudget>(most_memory)),
      machine(*program, program->values.data(), heap, false) {
  program->budget = &kept;
  machine.set_run(&run);
  run.services = &services;
  run.at_top_level = true;
  machine.stream.reset(stream_name.child(1, 0), 0, 0);
  program->global(intern("%derived"));  // so that every image has a place for it
}

Evaluator::~Evaluator() {
  program->budget = nullptr;  // runs may hold the program longer
}

Value Evaluator::closure(FunctionProto* code) {
  auto* made = program->constants().make<Closure>(Tag::Closure, bytes_with<Closure>(1));
  made->function = code;
  made->captured[0] = Value::nil();
  return Value::object(made);
}

}  // namespace chancel
