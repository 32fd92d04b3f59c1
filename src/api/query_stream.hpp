// SPDX-License-Identifier: Apache-2.0
// The engine behind a lazy sequence of doquery: it makes a batch of draws when the last one has
// been taken, and turns each into {:log-weight .. :result .. :predicts [[label value] ..]} in the
// host's heap.
#pragma once
#include <deque>
#include <memory>

#include "infer/engine.hpp"

namespace chancel {

// Services for machines that run inside inference: eval against the run's image.
class RunHost final : public HostServices {
 public:
  RunHost(class Session& session, std::shared_ptr<Image> image)
      : session_(session), image_(std::move(image)) {}
  bool next_of_stream(std::uint64_t, Machine&, Value*) override { return false; }
  Value compile(NativeContext& cx, const Value& form) override;
  std::shared_ptr<Image> image() override { return image_; }

 private:
  Session& session_;
  std::shared_ptr<Image> image_;
};

class QueryStream final : public Sink {
 public:
  QueryStream(std::unique_ptr<RunHost> host, std::unique_ptr<Engine> engine, Arena& arena,
              bool drop_invalid)
      : host_(std::move(host)),
        engine_(std::move(engine)),
        arena_(arena),
        drop_invalid_(drop_invalid) {}
  // The next state; false at the end or after a failure (set in the machine).
  bool next(Machine& machine, Value* out);
  void visit(Evacuator& e) {
    for (Value& v : waiting_) e.visit(v);
  }
  void draw(const EngineDraw& draw) override;

 private:
  std::unique_ptr<RunHost> host_;
  std::unique_ptr<Engine> engine_;
  Arena& arena_;
  bool drop_invalid_;
  std::deque<Value> waiting_;
};

// Predicts in order of first occurrence, with the last value of each label.
std::vector<std::pair<Value, Value>> ordered_predicts(const Predicts* newest);

}  // namespace chancel
