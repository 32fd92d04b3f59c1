// SPDX-License-Identifier: Apache-2.0
#include "compile/needed_draws.hpp"

#include <deque>
#include <map>
#include <unordered_map>

namespace chancel {
namespace {

using namespace core;

constexpr std::uint64_t kMostWork = 2'000'000;  // nodes, and steps from call to call
constexpr int kMostCalls = 24;                  // inside each other,
constexpr int kMostNested = 4000;               // and nodes

struct Frame;
struct StaticValue {  // what is known of a value
  enum Kind : std::uint8_t { Nothing, Plain, Function, Memo } kind = Nothing;
  Value value = Value::nil();  // Plain: a number, keyword or the like
  const Lambda* lambda = nullptr;
  Frame* frame = nullptr;  // where the function was made
};
struct Frame {
  Frame* outer = nullptr;
  std::unordered_map<const Binding*, StaticValue> values;
};
struct Need {  // a line, or a call of a memoised function
  std::uint64_t draws = 0;
  std::vector<std::uint32_t> others;
  std::uint32_t counted_for = 0;
};

bool is_plain(const Value& v) { return !v.is_object() && !v.is(Tag::Native) && !v.is(Tag::Node); }

class Reader {
 public:
  Reader(const Written& around, const Definitions& globals, Program& program, Library& library)
      : around_(around), globals_(globals), program_(program), library_(library) {}

  std::vector<std::uint64_t> of(const std::vector<Line>& lines) {
    needs_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      at_ = static_cast<std::uint32_t>(i);
      const StaticValue value = read(lines[i].node, &top_, 0);
      if (lines[i].name == nullptr) continue;
      top_.values[lines[i].name] = value;
      line_of_[lines[i].name] = at_;
    }
    while (!calls_.empty()) {
      const Pending call = calls_.front();
      calls_.pop_front();
      at_ = call.need;
      enter(call.function, call.arguments, 0);
    }
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < lines.size(); ++i)
      counts.push_back(count(static_cast<std::uint32_t>(i)));
    return counts;
  }

 private:
  struct Pending {
    std::uint32_t need;
    StaticValue function;
    std::vector<StaticValue> arguments;
  };

  bool work() { return ++work_ < kMostWork; }

  std::uint64_t count(std::uint32_t root) {
    const std::uint32_t mark = root + 1;
    std::uint64_t sum = 0;
    std::vector<std::uint32_t> open = {root};
    needs_[root].counted_for = mark;
    while (!open.empty() && work()) {
      const Need& need = needs_[open.back()];
      open.pop_back();
      sum += need.draws;
      for (const std::uint32_t other : need.others)
        if (needs_[other].counted_for != mark) {
          needs_[other].counted_for = mark;
          open.push_back(other);
        }
    }
    return sum;
  }

  StaticValue find(const Binding* binding, Frame* frame) {
    for (Frame* f = frame; f != nullptr; f = f->outer) {
      const auto found = f->values.find(binding);
      if (found == f->values.end()) continue;
      if (f == &top_)
        if (const auto line = line_of_.find(binding); line != line_of_.end())
          needs_[at_].others.push_back(line->second);
      return found->second;
    }
    // Around the sequence: a function, or not known.
    const auto found = around_.find(binding);
    if (found == around_.end()) return {};
    if (found->second->kind == Kind::Lambda)
      return {StaticValue::Function, Value::nil(), as<Lambda>(found->second), &top_};
    return found->second->kind == Kind::Call ? memo_of(as<Call>(found->second), &top_)
                                             : StaticValue{};
  }

  StaticValue global(const Name* name) {
    const auto found = globals_.find(name);
    if (found == globals_.end() || found->second == nullptr) return {};
    if (found->second->kind == Kind::Lambda)
      return {StaticValue::Function, Value::nil(), as<Lambda>(found->second), &outside_};
    if (found->second->kind == Kind::Const) return plain(as<Const>(found->second)->value);
    return {};
  }

  static StaticValue plain(const Value& v) {
    return is_plain(v) ? StaticValue{StaticValue::Plain, v, nullptr, nullptr} : StaticValue{};
  }

  // (mem f) and %mem-named, whose function names itself.
  StaticValue memo_of(const Call* call, Frame* frame) {
    if (call->function->kind != Kind::Global || call->args.size() != 1) return {};
    const std::string& name = as<Global>(call->function)->name->full;
    if ((name != "mem" && name != "%mem-named") || call->args[0]->kind != Kind::Lambda) return {};
    const auto* lambda = as<Lambda>(call->args[0]);
    if (name == "mem") return {StaticValue::Memo, Value::nil(), lambda, frame};
    const Arity& make = lambda->arities.front();
    if (make.params.size() != 1 || make.body->kind != Kind::Lambda) return {};
    const auto made = frames_with_.find({call, frame});
    if (made != frames_with_.end()) return made->second;
    frames_.push_back({frame, {}});
    const StaticValue memo{StaticValue::Memo, Value::nil(), as<Lambda>(make.body), &frames_.back()};
    frames_.back().values[make.params[0]] = memo;
    return frames_with_[{call, frame}] = memo;
  }

  // The value of the body; with too few or many calls around it, not known.
  StaticValue enter(const StaticValue& function, const std::vector<StaticValue>& arguments,
                    int calls) {
    if (calls > kMostCalls) return {};
    for (const Arity& arity : function.lambda->arities) {
      if (arity.params.size() > arguments.size()) continue;
      if (arity.params.size() < arguments.size() && arity.rest == nullptr) continue;
      frames_.push_back({function.frame, {}});
      Frame* frame = &frames_.back();
      for (std::size_t i = 0; i < arity.params.size(); ++i)
        frame->values[arity.params[i]] = arguments[i];
      if (arity.rest != nullptr) frame->values[arity.rest] = {};
      if (function.lambda->self != nullptr) frame->values[function.lambda->self] = function;
      return read(arity.body, frame, calls + 1);
    }
    return {};
  }

  StaticValue call_memo(const StaticValue& memo, const std::vector<StaticValue>& arguments) {
    std::vector<std::uint64_t> key = {reinterpret_cast<std::uintptr_t>(memo.lambda),
                                      reinterpret_cast<std::uintptr_t>(memo.frame)};
    for (const StaticValue& k : arguments) {
      if (k.kind != StaticValue::Plain) {  // one more, whichever it is
        ++needs_[at_].draws;
        return {};
      }
      key.push_back(static_cast<std::uint64_t>(k.value.tag));
      key.push_back(k.value.bits);
    }
    const auto next = static_cast<std::uint32_t>(needs_.size());
    const auto [found, is_new] = memo_calls_.try_emplace(std::move(key), next);
    if (is_new) {
      needs_.emplace_back();
      calls_.push_back({next, memo, arguments});
    }
    needs_[at_].others.push_back(found->second);
    return {};
  }

  StaticValue call_native(const NativeDef* def, const std::vector<StaticValue>& arguments) {
    std::vector<Value> values;
    for (const StaticValue& k : arguments) {
      if (k.kind != StaticValue::Plain) return {};
      values.push_back(k.value);
    }
    const auto count = static_cast<int>(values.size());
    if ((def->flags & kPure) == 0 || def->dist != nullptr || count < def->min_args ||
        (def->max_args >= 0 && count > def->max_args))
      return {};
    NativeContext cx(program_.constants());
    cx.in_query = true;
    cx.callee = def;
    const Value out = def->function(cx, values.data(), static_cast<std::uint32_t>(count));
    return cx.ok() ? plain(out) : StaticValue{};
  }

  StaticValue call(const Call* call, Frame* frame, int calls) {
    if (const StaticValue memo = memo_of(call, frame); memo.kind != StaticValue::Nothing)
      return memo;
    const StaticValue function = read(call->function, frame, calls);
    std::vector<StaticValue> arguments;
    for (Node* arg : call->args) arguments.push_back(read(arg, frame, calls));
    if (function.kind == StaticValue::Function) return enter(function, arguments, calls);
    if (function.kind == StaticValue::Memo) return call_memo(function, arguments);
    if (call->function->kind == Kind::Global) {
      const Name* name = as<Global>(call->function)->name;
      // The program uses the name, so that looking it up makes no code.
      const Library::Meaning m =
          globals_.contains(name) ? Library::Meaning{} : library_.resolve(name);
      if (m.kind == Library::Meaning::Native) return call_native(m.native, arguments);
    }
    for (const StaticValue& k : arguments)
      if (k.kind == StaticValue::Function) pass(k, calls);
    return {};
  }

  // Handed to a function that is not known: called once, with anything.
  void pass(const StaticValue& function, int calls) {
    const Arity& arity = function.lambda->arities.front();
    enter(function, std::vector<StaticValue>(arity.params.size()), calls);
  }

  StaticValue read(Node* node, Frame* frame, int calls) {
    if (nested_ == kMostNested) return {};
    ++nested_;
    const StaticValue value = read_parts(node, frame, calls);
    --nested_;
    return value;
  }
  StaticValue read_parts(Node* node, Frame* frame, int calls) {
    for (;;) {  // along the last parts, which have any length
      if (!work()) return {};
      switch (node->kind) {
        case Kind::Const:
          return plain(as<Const>(node)->value);
        case Kind::Local:
          return find(as<Local>(node)->binding, frame);
        case Kind::Global:
          return global(as<Global>(node)->name);
        case Kind::Lambda:
          return {StaticValue::Function, Value::nil(), as<Lambda>(node), frame};
        case Kind::Let:
          for (const auto& [binding, value] : as<Let>(node)->bindings)
            frame->values[binding] = read(value, frame, calls);
          node = as<Let>(node)->body;
          continue;
        case Kind::Fix:
          for (const auto& [binding, function] : as<Fix>(node)->functions)
            frame->values[binding] = {StaticValue::Function, Value::nil(), function, frame};
          node = as<Fix>(node)->body;
          continue;
        case Kind::Loop:
          for (const auto& [binding, value] : as<Loop>(node)->bindings) {
            read(value, frame, calls);
            frame->values[binding] = {};
          }
          node = as<Loop>(node)->body;
          continue;
        case Kind::If: {
          const StaticValue test = read(as<If>(node)->test, frame, calls);
          Node* const otherwise = as<If>(node)->otherwise;
          if (test.kind == StaticValue::Plain) {
            node = test.value.truthy() ? as<If>(node)->then : otherwise;
            if (node == nullptr) return plain(Value::nil());
            continue;
          }
          read(as<If>(node)->then, frame, calls);
          if (otherwise != nullptr) read(otherwise, frame, calls);
          return {};
        }
        case Kind::Do: {
          const auto& body = as<Do>(node)->body;
          if (body.empty()) return plain(Value::nil());
          for (std::size_t i = 0; i + 1 < body.size(); ++i) read(body[i], frame, calls);
          node = body.back();
          continue;
        }
        case Kind::Call:
          return call(as<Call>(node), frame, calls);
        case Kind::Sample:
          ++needs_[at_].draws;
          break;
        case Kind::Catch:
        case Kind::Try:
          each_child(node, [&](Node*& child) {
            const StaticValue part = read(child, frame, calls);
            if (part.kind == StaticValue::Function) pass(part, calls);
          });
          return {};
        default:
          break;
      }
      each_child(node, [&](Node*& child) { read(child, frame, calls); });
      return {};
    }
  }

  const Written& around_;
  const Definitions& globals_;
  Program& program_;
  Library& library_;
  std::uint64_t work_ = 0;
  int nested_ = 0;
  Frame outside_;  // of global functions: empty
  Frame top_;      // of the lines
  std::deque<Frame> frames_;
  std::map<std::pair<const Call*, Frame*>, StaticValue> frames_with_;
  std::unordered_map<const Binding*, std::uint32_t> line_of_;
  std::deque<Need> needs_;  // lines first
  std::uint32_t at_ = 0;    // whose needs are read
  std::map<std::vector<std::uint64_t>, std::uint32_t> memo_calls_;
  std::deque<Pending> calls_;
};

}  // namespace

std::vector<std::uint64_t> needed_draws(const std::vector<Line>& lines, const Written& around,
                                        const core::Definitions& globals, Program& program,
                                        Library& library) {
  return Reader(around, globals, program, library).of(lines);
}

}  // namespace chancel
