// SPDX-License-Identifier: Apache-2.0
// See trace_flow.hpp.
#include "single_site/trace_flow.hpp"

#include "infer/walker.hpp"
#include "record/dataflow_recorder.hpp"

namespace chancel {

std::unique_ptr<TraceFlow> TraceFlow::record(Executor& machine, const Prefix& prefix,
                                             const std::vector<Value>& values) {
  machine.wants = {true, false};
  machine.log_weight = prefix.log_weight;
  Walker walker(machine);
  walker.begin(prefix);
  const Checkpoint& stop = walker.stop;
  if (walker.run(leave, leave) != Stop::Sample || !stop.dist.is(Tag::Dist) ||
      machine.estimated_site > 0)
    return nullptr;
  auto made = std::make_unique<TraceFlow>();
  Dataflow& flow = made->flow;
  flow.log_weight_before = machine.log_weight;
  DataflowRecorder recorder(flow, values);
  const Value first =
      recorder.sample(machine.context_for(walker.at), stop.dist, stop.site, stop.id, nullptr).value;
  const Stream before = machine.stream;  // which a distribution of the program's own draws from
  machine.record(&recorder);             // it answers what comes
  walker.begin(walker.at, first);
  const Stop end = walker.run(leave, leave);
  machine.record(nullptr);
  machine.stream = before;
  if (recorder.refused() || end != Stop::Result || flow.draws.size() != values.size())
    return nullptr;
  flow.result = stop.value;
  flow.end = walker.at;
  NativeContext& cx = machine.context_for(flow.end);
  made->outputs.emplace(cx, flow);
  flow.finish();
  flow.charge->set(flow.bytes() + made->outputs->bytes());
  if (cx.ok()) return made;
  cx.status = NativeContext::Status::Ok;
  return nullptr;
}

}  // namespace chancel
