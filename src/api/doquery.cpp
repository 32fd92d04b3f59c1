// SPDX-License-Identifier: Apache-2.0
// (doquery algorithm query value & options) at top level: a run against an image of the program as
// it is now.
#include <fmt/format.h>

#include "api/query_stream.hpp"
#include "api/session.hpp"
#include "infer/query_options.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"
#include "vm/world.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kQueryKind = 2;
}

Value Session::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (!args[0].is(Tag::Keyword))
    return cx.wrong_type("doquery", 0, "an algorithm such as :lmh", args[0]);
  if (!args[1].is(Tag::Query)) return cx.wrong_type("doquery", 1, "a query", args[1]);
  DiagnosticSink problems;
  const auto fail = [&] {
    const Diagnostic& d = problems.list().front();
    return cx.fail(d.code, "doquery: " + d.message, d.code == Code::I001 ? 0 : -1, d.hint);
  };
  const auto options = read_options(args + 3, count > 3 ? count - 3 : 0, {}, problems);
  if (!options) return fail();
  RunSetup setup = setup_run(args[1], count > 2 ? args[2] : Value::nil(),
                             name_.child(kQueryKind, next_stream_++));
  setup.keep_impossible = !options->drop_invalid;
  auto host = std::make_unique<RunHost>(*this, setup.image);
  setup.host = host.get();
  std::unique_ptr<Engine> engine =
      make_engine(args[0].name->full, setup, options->engine, problems);
  if (!engine) return fail();
  streams_.push_back(std::make_unique<QueryStream>(std::move(host), std::move(engine),
                                                   machine_->arena(), options->drop_invalid));
  auto* handle = cx.arena->make<Foreign>(Tag::Foreign);
  handle->kind = 0;
  handle->index = streams_.size() - 1;
  auto* lazy = cx.arena->make<LazySeq>(Tag::LazySeq);
  lazy->state = 0;
  lazy->id = top_level_id();
  lazy->value = Value::object(handle);
  return Value::object(lazy);
}

}  // namespace chancel
