// SPDX-License-Identifier: Apache-2.0
// See trace_flow.hpp.
#include "single_site/trace_flow.hpp"

#include "record/dataflow_recorder.hpp"

namespace chancel {

std::unique_ptr<TraceFlow> TraceFlow::record(Executor& machine, const Prefix& prefix,
                                             const std::vector<Value>& values) {
  Execution x;
  Checkpoint stop;
  machine.wants = {true, false};
  machine.log_weight = prefix.log_weight;
  if (!prefix.go_on(machine, x, stop) || stop.kind != Stop::Sample || !stop.dist.is(Tag::Dist) ||
      machine.estimated_site > 0)
    return nullptr;
  auto made = std::make_unique<TraceFlow>();
  Dataflow& flow = made->flow;
  flow.log_weight_before = machine.log_weight;
  DataflowRecorder recorder(flow, values);
  const Value first =
      recorder.sample(machine.context_for(x), stop.dist, stop.site, stop.id, nullptr);
  const Stream before = machine.stream;  // which a law of the program's own draws from
  machine.record(&recorder);
  machine.resume(x, first, stop);
  machine.record(nullptr);
  machine.stream = before;
  if (recorder.refused() || stop.kind != Stop::Result || flow.draws.size() != values.size())
    return nullptr;
  flow.result = stop.value;
  flow.end = x;
  flow.finish();
  NativeContext& cx = machine.context_for(x);
  made->outputs.emplace(cx, flow);
  flow.charge->set(flow.bytes() + made->outputs->bytes());
  if (cx.ok()) return made;
  cx.status = NativeContext::Status::Ok;
  return nullptr;
}

}  // namespace chancel
