// SPDX-License-Identifier: Apache-2.0
// What natives of the top level ask of their session: streams of draws, code for eval, images, notes.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "session/doqueries.hpp"
#include "vm/host_services.hpp"

namespace chancel {

class Services final : public HostServices {
 public:
  // Without doqueries the program cannot run queries.
  Services(Session& session, MakeDoqueries make_doqueries);
  Session& session() { return session_; }

  Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) override;
  bool next_of_stream(NativeContext& cx, Value& stream, Value* out) override;
  Value compile(NativeContext& cx, const Value& form) override;
  Value hoisted(const Value& query, const Value& argument, Arena& arena) override;
  std::shared_ptr<Image> image(const Value& query, const Value& argument) override;
  void note(Diagnostic what) override;

  // Notes since the last call, in the order of the text.
  std::vector<Diagnostic> take_notes();
  // Null: the program cannot run queries.
  Doqueries* doqueries() { return doqueries_.get(); }

  // What the form that is evaluated takes from streams of draws; may be read from any thread.
  struct Activity {
    std::atomic<std::uint64_t> draws{0};
    std::atomic<const char*> engine{nullptr};
    std::atomic<bool> interrupted{false};  // a stream ended because of it
  };
  Activity& activity() { return activity_; }
  void form_begins();
  // An interrupt was asked for while draws are taken: the stream ends, and the request is answered.
  // False: interrupts stop the form instead.
  bool end_streams();

 private:
  Session& session_;
  std::unique_ptr<Doqueries> doqueries_;
  Activity activity_;
  std::mutex notes_mutex_;
  std::vector<Diagnostic> notes_;          // since take_notes()
  std::unordered_set<std::string> noted_;  // all of them, by place and text
};

}  // namespace chancel
