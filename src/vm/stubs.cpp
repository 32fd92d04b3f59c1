// SPDX-License-Identifier: Apache-2.0
// Code that no compiler made: the machine's own little frames. They make memo, forcing, observe* of
// the program's own distributions and entry ordinary frames, so that an execution may stop at a checkpoint in the middle of any of them.
#include <array>

#include "base/symbol.hpp"
#include "vm/frame.hpp"
#include "vm/machine_parts.hpp"

namespace chancel {

namespace {
struct Stub {
  FunctionProto proto;
  CodeBlock code;
  Stub(const char* name, std::vector<Instr> instrs) {
    proto.name = intern(name);
    code.proto = &proto;
    code.set_frame_size(kStubRegisters);
    code.spans.resize(instrs.size());
    code.instrs = std::move(instrs);
  }
};
}  // namespace

const CodeBlock* entry_stub(std::uint32_t args) {
  auto entry = [](std::uint16_t n) {
    return Stub("entry", {{Op::Call, 0, 0, n}, {Op::Exit, 0, 0, 0}});
  };
  static const std::array<Stub, kMostStartArguments + 1> stubs = {entry(0), entry(1), entry(2),
                                                                  entry(3), entry(4)};
  return &stubs[args].code;
}

const CodeBlock* memo_stub() {
  static const Stub stub("mem",
                         {{Op::Apply, 2, 2, 0}, {Op::MemoStore, 0, 1, 2}, {Op::Return, 2, 0, 0}});
  return &stub.code;
}

const CodeBlock* observe_stub() {
  static const Stub stub("observe",
                         {{Op::Call, 2, 2, 2}, {Op::ObserveScore, 2, 0, 1}, {Op::Return, 2, 0, 0}});
  return &stub.code;
}

const CodeBlock* continuation_stub() {
  static const Stub stub(
      "continuation",
      {{Op::Apply, 2, 2, 0}, {Op::Move, 3, 0, 0}, {Op::Call, 1, 1, 2}, {Op::Return, 1, 0, 0}});
  return &stub.code;
}

const CodeBlock* force_one_stub() {
  static const Stub stub(
      "force", {{Op::Call, 1, 1, 0}, {Op::LazyStore, 0, 1, 0}, {Op::ReturnRetry, 0, 0, 0}});
  return &stub.code;
}

const CodeBlock* force_all_stub() {
  static const Stub stub("force-all", {{Op::ForceNext, 0, 1, 0}, {Op::ReturnRetry, 0, 0, 0}});
  return &stub.code;
}

}  // namespace chancel
