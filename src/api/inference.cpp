// SPDX-License-Identifier: Apache-2.0
// Inference of the public interface: runs engines (one per chain), applies burn-in and thinning, hands out draws one by one.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <thread>

#include "api/data.hpp"
#include "api/engine_options.hpp"
#include "api/model_impl.hpp"
#include "api/query_stream.hpp"
#include "api/value_view.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kChainKind = 3;

// A draw that has left the engine's heap.
struct KeptDraw {
  EngineDraw raw;
  std::vector<std::pair<Value, Value>> predicts;
};
}  // namespace

struct Inference::Impl final : Sink {
  Session* session = nullptr;
  InferOptions options;
  bool colour = false;
  std::unique_ptr<RunHost> host;
  std::vector<std::unique_ptr<Engine>> chains;
  std::size_t chain_at = 0;  // the chain that is being run
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  // Draws of the last batch, copied into a heap that is dropped with the batch.
  struct Batch {
    Heap heap;
    Arena arena{heap};
    std::deque<KeptDraw> draws;
  };
  std::unique_ptr<Batch> batch, next_batch;
  std::uint64_t seen = 0;      // draws of this chain, before burn-in and thinning
  std::uint64_t given = 0;     // draws handed out
  std::uint64_t chain_given = 0;
  bool ended = false;
  Draw current;
  Figures figures;
  std::vector<std::string> label_texts;
  std::vector<Value> label_values;

  // --- Sink ---
  void draw(const EngineDraw& d) override {
    const std::uint64_t index = seen++;
    if (index < options.burn || (index - options.burn) % std::max<std::uint64_t>(1, options.thin) != 0) return;
    KeptDraw kept;
    kept.raw = d;
    // One scaffold value, so that sharing inside the draw is kept by a single copy.
    Arena& arena = next_batch->arena;
    std::vector<Value> flat;
    for (auto& [label, value] : ordered_predicts(d.predicts)) {
      flat.push_back(label);
      flat.push_back(value);
    }
    flat.push_back(d.result);
    const Heap* constants = &session->program()->constants().heap();
    const Heap* image_heap = &host->image()->heap;
    const auto stays = [=](const Object* o) {
      return block_of(o)->heap == constants || block_of(o)->heap == image_heap;
    };
    bool objects = false;
    for (const Value& v : flat) objects = objects || v.is_object();
    if (objects) {
      auto* all = arena.make<ValueArray>(Tag::ValueArray, bytes_with<ValueArray>(flat.size()));
      all->count = flat.size();
      std::copy(flat.begin(), flat.end(), all->values);
      const Value copied = deep_copy(Value::object(all), arena, stays);
      std::copy(copied.as<ValueArray>()->values, copied.as<ValueArray>()->values + flat.size(), flat.begin());
    }
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2) kept.predicts.emplace_back(flat[i], flat[i + 1]);
    kept.raw.result = flat.back();
    kept.raw.chain = static_cast<std::uint32_t>(chain_at);
    next_batch->draws.push_back(std::move(kept));
  }
  std::size_t line_of(std::uint32_t site) const {
    if (site >= session->program()->site_count()) return 0;
    const Span span = session->program()->site(site).span;
    return span.known() ? session->program()->sources.position(span.file, span.begin).line : 0;
  }
  void barrier(const BarrierFigures& b) override {
    if (options.on_barrier)
      options.on_barrier({b.sweep, b.barrier, line_of(b.site), b.ess, b.resampled, b.distinct_ancestors, b.log_mean_weight});
  }
  void warning(const Diagnostic& d) override {
    Message m = to_message(d, session->program()->sources, colour);
    if (options.on_warning) options.on_warning(m);
    figures.warnings.push_back(std::move(m));
  }

  const std::string& label_text(const Value& label) {
    for (std::size_t i = 0; i < label_values.size(); ++i)
      if (label_values[i].tag == label.tag && label_values[i].bits == label.bits) return label_texts[i];
    label_values.push_back(label);
    label_texts.push_back(show(label, true, 2000));
    if (label.is_object()) {  // the object goes with its batch: do not remember its address
      static thread_local std::string text;
      text = std::move(label_texts.back());
      label_values.pop_back();
      label_texts.pop_back();
      return text;
    }
    return label_texts.back();
  }

  void update_figures() {
    Figures& f = figures;
    f.draws = given;
    f.simulations = f.particle_steps = f.applications = f.proposals = f.accepted = f.resamplings = f.zero_weight = 0;
    f.peak_memory = 0;
    f.mean_ess = f.mean_distinct_ancestors = 0;
    std::size_t with_ess = 0;
    double evidence_sum = 0, precision = 0;
    std::size_t with_evidence = 0;
    f.min_ess = INFINITY;
    for (const auto& engine : chains) {
      const RunFigures& r = engine->figures();
      f.simulations += r.simulations;
      f.particle_steps += r.particle_steps;
      f.applications += r.applications;
      f.proposals += r.proposals;
      f.accepted += r.accepted;
      f.resamplings += r.resamplings;
      f.zero_weight += r.zero_weight;
      f.peak_memory = std::max(f.peak_memory, r.peak_memory);
      if (r.mean_ess > 0) {
        f.mean_ess += r.mean_ess;
        f.mean_distinct_ancestors += r.mean_distinct_ancestors;
        ++with_ess;
        if (r.min_ess < f.min_ess) {
          f.min_ess = r.min_ess;
          f.min_ess_line = line_of(r.min_ess_site);
        }
      }
      if (r.has_log_evidence) {
        evidence_sum += r.log_evidence;
        precision += r.log_evidence_se * r.log_evidence_se;
        ++with_evidence;
      }
    }
    if (with_ess) {
      f.mean_ess /= static_cast<double>(with_ess);
      f.mean_distinct_ancestors /= static_cast<double>(with_ess);
    } else {
      f.min_ess = 0;
    }
    if (with_evidence) {
      const auto n = static_cast<double>(with_evidence);
      f.log_evidence = evidence_sum / n;
      if (std::isfinite(precision)) f.log_evidence_se = std::sqrt(precision) / n;
    }
    f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }

  // Makes the next batch; false when the run is over.
  bool refill() {
    while (chain_at < chains.size()) {
      next_batch = std::make_unique<Batch>();
      Engine& engine = *chains[chain_at];
      const bool more = engine.step(*this);
      batch = std::move(next_batch);
      if (!more) {
        if (engine.failure()) {
          const Diagnostic& d = *engine.failure();
          if (d.code == Code::L005 || d.code == Code::L002) {
            figures.interrupted = true;
            warning(d);
            chain_at = chains.size();
          } else {
            update_figures();
            throw Error({to_message(d, session->program()->sources, colour)}, exit_code_of(d.code));
          }
        } else {
          next_chain();
        }
      }
      if (!batch->draws.empty()) return true;
      if (!more && chain_at >= chains.size()) return false;
    }
    return false;
  }
  void next_chain() {
    ++chain_at;
    seen = 0;
    chain_given = 0;
  }
};

Inference::Inference(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;
Inference::~Inference() = default;

const Figures& Inference::figures() const {
  impl_->update_figures();
  return impl_->figures;
}
std::uint64_t Inference::seed() const { return impl_->options.seed; }

const Draw* Inference::next() {
  Impl& x = *impl_;
  if (x.ended) return nullptr;
  if (x.options.samples && x.chain_given >= x.options.samples) {
    if (x.batch) x.batch->draws.clear();
    x.next_chain();
  }
  while (!x.batch || x.batch->draws.empty()) {
    if (x.chain_at >= x.chains.size() || !x.refill()) {
      x.ended = true;
      return nullptr;
    }
  }
  const KeptDraw& kept = x.batch->draws.front();
  Draw& d = x.current;
  d.log_weight = kept.raw.log_weight;
  d.index = x.given++;
  ++x.chain_given;
  d.sweep = kept.raw.sweep;
  d.chain = kept.raw.chain;
  d.applications = kept.raw.applications;
  d.result = Access::view(kept.raw.result);
  d.predicts.resize(kept.predicts.size());
  for (std::size_t i = 0; i < kept.predicts.size(); ++i) {
    d.predicts[i].label = x.label_text(kept.predicts[i].first);
    d.predicts[i].value = Access::view(kept.predicts[i].second);
  }
  x.batch->draws.pop_front();
  return &d;
}

const ValueView* Draw::find(std::string_view label) const {
  for (const Predict& p : predicts)
    if (p.label == label || (p.label.size() == label.size() + 1 && p.label[0] == ':' && p.label.substr(1) == label))
      return &p.value;
  return nullptr;
}

const ValueView& Draw::operator[](std::string_view label) const {
  if (const ValueView* found = find(label)) return *found;
  throw_error(Code::R013, fmt::format("the program predicts nothing under the label {}", label), "", ExitCode::Failed);
}

Inference Model::infer(std::string_view query, InferOptions options) {
  Session& session = *impl_->session;
  session.diagnostics().clear();
  const bool colour = impl_->options.colour;
  const auto fail = [&]() { throw_errors(session.diagnostics(), session.program()->sources, colour); };
  const QuerySignature& signature = impl_->find_query(query);

  std::optional<Value> argument;
  if (options.value) {
    argument = session.read_value(*options.value, "--value");
    if (!argument) fail();
  } else if (options.data) {
    argument = read_data(session, options.data->first, options.data->second);
    if (!argument) fail();
  } else {
    argument = session.global_value(intern(std::string(query) + "-value"));
  }
  if (argument && is_map(*argument) && !signature.whole_value && !signature.parameters.empty()) {
    argument = bind_names(session, signature, *argument);
    if (!argument) fail();
  }
  if (!argument && !signature.parameters.empty() && !signature.parameters[0].rest) {
    std::string names;
    for (const QueryParameter& p : signature.parameters) names += (names.empty() ? "" : ", ") + p.name;
    session.diagnostics().error(Code::U003, signature.span, fmt::format("the query {} needs a value for {}", query, names),
                                fmt::format("use --value '[...]', --data FILE, or define {}-value in the file", query));
    fail();
  }

  auto run = std::make_unique<Inference::Impl>();
  run->session = &session;
  run->colour = colour;
  if (options.limits.max_memory == 0) options.limits.max_memory = memory_limit(options.limits);
  apply_limits(session, options.limits);
  session.threads = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());

  const std::optional<Value> items = session.read_value("[" + options.algorithm_options + "]", "--algorithm-options");
  if (!items) fail();
  std::vector<Value> option_values;
  for (std::uint32_t i = 0; i < items->as<Vector>()->count; ++i)
    option_values.push_back(session.program()->keep(vector_nth(items->as<Vector>(), i)));
  const auto read = read_options(option_values.data(), option_values.size(), {}, session.diagnostics());
  if (!read) fail();

  const StreamName base{mix64(options.seed)};
  std::string algorithm = options.algorithm;
  if (!algorithm.empty() && algorithm[0] == ':') algorithm.erase(0, 1);
  for (unsigned chain = 0; chain < std::max(1u, options.chains); ++chain) {
    auto setup = session.setup_run(signature, argument, base.child(kChainKind, chain));
    if (!setup) fail();
    setup->chain = chain;
    setup->max_memory = options.limits.max_memory;
    if (!run->host) run->host = std::make_unique<RunHost>(session, setup->image);
    setup->host = run->host.get();
    auto engine = make_engine(algorithm, *setup, read->engine, session.diagnostics());
    if (!engine) fail();
    run->chains.push_back(std::move(engine));
  }
  run->options = std::move(options);
  return Inference(std::move(run));
}

}  // namespace chancel
