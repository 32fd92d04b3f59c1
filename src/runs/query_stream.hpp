// SPDX-License-Identifier: Apache-2.0
// The source of a lazy sequence of doquery. Its engine is made when the first element is requested,
// makes a batch of draws when the last one has been taken, and turns each into {:log-weight ..
// :result .. :predicts [[label value] ..]} in the host's heap. Draws follow from names of random
// streams alone: an engine may be dropped (pause) and made again later, up to where it was.
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "infer/engine.hpp"
#include "vm/run_state.hpp"

namespace chancel {

// A run of inference within a session: its output, files and limits, and services for code inside
// queries (eval against the run's image).
class RunHost final : public HostServices {
 public:
  RunHost(class Session& session, std::shared_ptr<Image> image);
  Run* run() { return &run_; }
  Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) override;
  bool next_of_stream(NativeContext& cx, Value& stream, Value* out) override;
  Value compile(NativeContext& cx, const Value& form) override;
  std::shared_ptr<Image> image(const Value&, const Value&) override { return image_; }
  const std::shared_ptr<Image>& image() const { return image_; }
  Value hoisted(const Value& query, const Value& argument, Arena& arena) override;
  void note(Diagnostic what) override;
  void note_nested_bias(double bias) override;
  double nested_bias() const {
    return nested_bias_.load(std::memory_order_relaxed);
  }  // the largest

 private:
  Session& session_;
  std::shared_ptr<Image> image_;
  std::atomic<double> nested_bias_{0};
  Run run_;
};

// I008: how far draws of an inner query may be off.
Diagnostic nested_bias_warning(double bias);

// A query that waits to be run: values of the host's heap, and the program as it was.
struct WaitingQuery {
  std::shared_ptr<Image> image;
  std::string algorithm;
  Value query, argument;
  World* world;  // what the top level remembered then, or null
  StreamName name;
  bool drop_invalid;
  std::uint64_t warmup;
  std::vector<OptionValue> options;
};

class QueryStream final : public Sink {
 public:
  QueryStream(class Session& session, WaitingQuery what, Object* handle);
  // The next state; false at the end or after a failure (in cx).
  bool next(NativeContext& cx, Value* out);
  bool started() const { return running_ != nullptr; }
  const char* engine_name() const { return engine_name_; }
  void pause() {
    running_.reset();
    ++pauses_;
  }
  std::uint64_t pauses() const { return pauses_; }
  // Of its engine, at most.
  std::size_t memory() const { return running_ ? running_->engine->statistics().peak_memory : 0; }
  std::uint64_t last_asked = 0;

  // In a collection: has it found the object through which the program holds the stream? Ask no
  // more once it has.
  bool found();
  void visit(Evacuator& e);
  void draw(const EngineDraw& draw) override;
  void warning(const Diagnostic& d) override;

 private:
  struct Running {
    std::unique_ptr<RunHost> host;
    std::unique_ptr<Engine> engine;
    bool sweeps = false;      // the engine gives the particles of sweeps
    std::uint64_t steps = 0;  // of the engine
    std::deque<Value> waiting;
    std::vector<double> log_weights;  // of the draws of the last step
    SharedCopies shared;              // parts of draws that are data of the program
  };
  bool start(NativeContext& cx);
  bool take(NativeContext& cx, Value* out);
  void shuffle();

  Session& session_;
  WaitingQuery what_;
  Object* handle_;
  const char* engine_name_;
  std::uint64_t taken_ = 0, pauses_ = 0;
  bool said_bias_ = false;
  std::unique_ptr<Running> running_;
};

// Predicts in order of first occurrence, with the last value of each label.
std::vector<std::pair<Value, Value>> ordered_predicts(const Predicts* newest);

}  // namespace chancel
