// SPDX-License-Identifier: Apache-2.0
// See verify.hpp: what the machine takes for granted and does not look at.
#include "bytecode/verify.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "bytecode/format.hpp"

namespace chancel {

namespace {

class Verifier {
 public:
  explicit Verifier(const Program* program) : program_(program) {}

  void function(const FunctionProto& f) {
    if (!seen_.insert(&f).second) return;
    if (f.arities.empty()) return fail("a function without code");
    for (const auto& code : f.arities) {
      block(*code);
      if (!problem_.empty()) return;
      for (const FunctionProto* inner : code->functions) function(*inner);
      for (const Value& v : code->constants) {
        if (v.is(Tag::Closure)) function(*proto_of(v.as<Closure>()));
        if (v.is(Tag::Query)) function(*proto_of(v.as<Query>()));
      }
    }
  }
  std::string problem_;

 private:
  void fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  void expect(bool holds, const char* what) {
    if (!holds) fail(fmt::format("{} at {}: bad {}", op_name(at_.op), pc_, what));
  }
  void reg(std::uint32_t r, const char* what = "register") { expect(r < code_->frame_size, what); }

  void block(const CodeBlock& code) {
    code_ = &code;
    if (code.instrs.empty()) return fail("no code");
    if (code.spans.size() != code.instrs.size())
      return fail("spans and instructions differ in number");
    if (code.params + (code.variadic ? 1u : 0u) > code.frame_size)
      return fail("the parameters do not fit into the frame");
    starts_.assign(code.instrs.size(), false);
    Op last = Op::Count_;
    for (std::size_t pc = 0; pc < code.instrs.size();) {
      last = code.instrs[pc].op;
      if (last >= Op::Count_) return fail(fmt::format("instruction {} has no such operation", pc));
      starts_[pc] = true;
      pc += 1 + static_cast<std::size_t>(op_words(last));
      if (pc > code.instrs.size()) return fail("code ends inside an instruction");
    }
    if (!leaves(last)) return fail(fmt::format("code runs out after {}", op_name(last)));
    for (pc_ = 0; pc_ < code.instrs.size() && problem_.empty();
         pc_ += 1 + static_cast<std::size_t>(op_words(at_.op))) {
      at_ = code.instrs[pc_];
      instruction();
      extension();
    }
  }

  // Nothing runs past these.
  static bool leaves(Op op) {
    switch (op) {
      case Op::Return:
      case Op::TailCall:
      case Op::TailApply:
      case Op::Jump:
      case Op::LoopJump:
      case Op::Throw:
      case Op::ThrowException:
      case Op::ReturnRetry:
      case Op::Exit:
        return true;
      default:
        return false;
    }
  }

  void jump(std::int64_t offset) {
    const std::int64_t to = static_cast<std::int64_t>(pc_) + 1 + offset;
    const bool inside = to >= 0 && to < static_cast<std::int64_t>(code_->instrs.size());
    expect(inside && starts_[static_cast<std::size_t>(to)], "jump target");
  }

  void instruction() {
    const std::size_t captures = code_->proto->captures.size();
    if (format_of(at_.op) != Format::J) reg(at_.a);
    switch (format_of(at_.op)) {
      case Format::A:
      case Format::AI:
        break;
      case Format::AG:
        global(static_cast<std::uint32_t>(at_.wide()));
        break;
      case Format::AB:
        reg(at_.b);
        if (at_.op == Op::Predict) expect(at_.c <= code_->frame_size, "live mark");
        break;
      case Format::ABC:
        if (at_.op == Op::GetCaptured)
          expect(at_.b < captures, "captured value");
        else if (at_.op != Op::PatchCapture)
          reg(at_.b);
        if (at_.op != Op::AddInt && at_.op != Op::NthOrNil) reg(at_.c);
        break;
      case Format::AK: {
        const auto k = static_cast<std::size_t>(at_.wide());
        expect(k < (at_.op == Op::MakeClosure ? code_->functions.size() : code_->constants.size()),
               "constant");
        break;
      }
      case Format::AU:
        expect(at_.b < captures, "captured value");
        break;
      case Format::J:
        expect(at_.a <= code_->frame_size, "live mark");
        jump(at_.wide());
        break;
      case Format::AJ:
        jump(at_.wide());
        break;
      case Format::ABJ:
        reg(at_.b);
        jump(static_cast<std::int16_t>(at_.c));
        break;
      case Format::CALL:
        window();
        break;
    }
  }

  // The registers that a call reads.
  void window() {
    std::uint32_t size = 1u + at_.c;  // function and arguments
    if (at_.op == Op::Native || at_.op == Op::SampleDirect) size = at_.c;
    if (at_.op == Op::Apply || at_.op == Op::TailApply || at_.op == Op::Catch) size = 2;
    if (at_.op == Op::Try) size = 3;
    expect(at_.b + size <= code_->frame_size, "call window");
  }

  void extension() {
    if (op_words(at_.op) == 0 || !problem_.empty()) return;
    const Instr word = code_->instrs[pc_ + 1];
    if (has_site(at_.op)) {
      const SiteWord site = ext_site(word);
      if (program_) expect(site.site < program_->site_count(), "site");
      expect(site.live <= code_->frame_size && site.id_register <= site.live, "live mark");
      if (op_words(at_.op) == 2) expect(word_of(code_->instrs[pc_ + 2]) != 0, "distribution");
    } else if (has_native(at_.op)) {
      expect(ext_native(word) != nullptr, "native");
      expect(ext_live(word) <= code_->frame_size, "live mark");
    } else {
      global(static_cast<std::uint32_t>(word_of(word)));
    }
  }
  void global(std::uint32_t index) {
    if (program_) expect(index < program_->global_count(), "global");
  }

  const Program* program_;
  std::unordered_set<const FunctionProto*> seen_;
  const CodeBlock* code_ = nullptr;
  std::vector<bool> starts_;
  std::size_t pc_ = 0;
  Instr at_{};
};

}  // namespace

std::string verify(const FunctionProto& function, const Program* program) {
  Verifier verifier(program);
  verifier.function(function);
  return verifier.problem_;
}

std::string verify(const FunctionProto& function) { return verify(function, nullptr); }

}  // namespace chancel
