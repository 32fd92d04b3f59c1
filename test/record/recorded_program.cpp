// SPDX-License-Identifier: Apache-2.0
// See recorded_program.hpp.
#include "recorded_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "runs/arguments.hpp"
#include "runs/data.hpp"
#include "value/print.hpp"

namespace recorded {

using namespace chancel;

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("no file " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Source::Source(const std::string& text, const std::string& data, const std::string& data_name)
    : session_(std::make_unique<Session>(~std::size_t{0}, 1, make_doqueries)) {
  if (!session_->load(text, "program", std::nullopt, LoadMode::Definitions, &loaded_) ||
      loaded_.queries.empty()) {
    std::string why = "a program of a test does not load";
    for (const Diagnostic& d : session_->diagnostics().list()) why += ": " + d.message;
    throw std::runtime_error(why);
  }
  if (!data.empty()) data_ = read_data(*session_, data_name, data);
}

std::unique_ptr<RecordedProgram> RecordedProgram::of(Source& source, const QuerySignature& query) {
  Session& session = *source.session_;
  const std::optional<Value> own = session.globals().value(intern(query.name->full + "-value"));
  DiagnosticSink notes;
  const std::optional<Value> argument =
      bind_arguments(session, query, own ? own : source.data_, notes);
  if (!argument) return nullptr;
  std::unique_ptr<RecordedProgram> program(new RecordedProgram);
  RunSetup setup = *setup_run(session, query, argument, StreamName{1});
  program->host_ = std::make_unique<RunHost>(session, setup.image);
  setup.run = program->host_->run();
  setup.threads = 1;
  program->workers_ = std::make_unique<WorkerPool>(setup, nullptr, ~std::size_t{0});
  program->workers_->refuse_hidden_draws();
  program->density_ = std::make_unique<RecordedDensity>(*program->workers_, 0);
  program->density_->check_evaluations(false);
  return program;
}

std::string RecordedProgram::begin(std::uint64_t seed, double reach) {
  for (std::uint32_t tries = 0; tries < 50; ++tries) {
    Stream stream(StreamName{seed}, 1, tries);
    switch (density_->begin(stream, reach)) {
      case RecordedDensity::Begin::Ready:
        return "";
      case RecordedDensity::Begin::Failed:
        if (tries == 49) return density_->failure()->message;
        break;
      case RecordedDensity::Begin::Impossible:
        break;
    }
  }
  return "no point has a density";
}

// Every third point is close to where the program was recorded, every third has moved in one
// coordinate only, the others are anywhere.
Eigen::VectorXd RecordedProgram::point(Stream& stream, int number) const {
  Eigen::VectorXd q = density_->coordinates();
  if (q.size() == 0) return q;
  if (number % 3 == 0) {
    for (double& x : q) x += 1e-3 * (2 * stream.uniform() - 1);
  } else if (number % 3 == 1) {
    const auto i = static_cast<Eigen::Index>(stream.uniform() * static_cast<double>(q.size()));
    q[i] = 8 * stream.uniform() - 4;
  } else {
    const double reach = number % 2 == 0 ? 2 : 20;
    for (double& x : q) x = reach * (2 * stream.uniform() - 1);
  }
  return q;
}

std::string RecordedProgram::compare(std::uint64_t seed, int points) {
  std::string wrong = density_->difference(density_->coordinates());
  if (!wrong.empty()) return "where it was recorded: " + wrong;
  for (int i = 0; i < points; ++i) {
    Stream stream(StreamName{seed}, 2, static_cast<std::uint32_t>(i));
    const Eigen::VectorXd q = point(stream, i);
    wrong = density_->difference(q);
    if (density_->broken()) return "";  // it reports that itself
    if (!wrong.empty()) return fmt::format("point {}: {}", i, wrong);
    if (i % 5 == 4) workers_->collect();  // recordings are kept through collections
  }
  return "";
}

namespace {

// A chain with a heap of its own.
struct Steps {
  WorkerPool workers;
  SingleSiteChain chain;
  Steps(const RunSetup& setup, std::uint64_t seed, SingleSiteSettings settings,
        WhenToRecord::Policy recording)
      : workers(setup, nullptr, ~std::size_t{0}),
        chain(workers, 0, StreamName{seed}, (settings.recording = recording, settings)) {}

  // The state in words, with all digits.
  std::string state() {
    if (chain.failure()) return "failed: " + chain.failure()->message;
    Trace& trace = chain.trace();
    std::string text;
    for (std::size_t i = 0; i < trace.size(); ++i)
      text += fmt::format("{} {}\n", trace.choice(i).site, show(trace.choice(i).value));
    for (const Predicts* p = trace.predicts(); p; p = p->previous)
      text += show(p->label) + " " + show(p->value) + "\n";
    double log_joint = 0;
    if (!trace.log_joint(&log_joint)) return "failed: " + chain.failure()->message;
    return text + fmt::format("result {}\nlog joint {}\naccepted {}", show(trace.result()),
                              log_joint, chain.accepted());
  }
};

}  // namespace

std::string RecordedProgram::compare_steps(std::uint64_t seed, const SingleSiteSettings& settings,
                                           int steps) {
  Steps recorded(workers_->setup(), seed, settings, WhenToRecord::Policy::Always);
  Steps plain(workers_->setup(), seed, settings, WhenToRecord::Policy::Never);
  if (plain.chain.start() != recorded.chain.start()) return "only one of them starts";
  for (int i = 0; i < steps && plain.chain.trace().size() > 0; ++i) {
    const bool ok = plain.chain.step();
    if (recorded.chain.step() != ok) return fmt::format("step {}: only one of them fails", i);
    if (recorded.chain.trace().recorded()) ++recorded_steps_;
    const std::string here = recorded.state(), there = plain.state();
    if (here != there) return fmt::format("step {}:\n{}\nby the program:\n{}", i, here, there);
    if (!ok) break;
    if (i % 7 == 6) recorded.workers.collect();
  }
  return "";
}

std::string RecordedProgram::compare_gradient(std::uint64_t seed, int points) {
  const Eigen::Index n = density_->dimension();
  Eigen::VectorXd gradient(n), unused(n);
  for (int k = 0; k < points; ++k) {
    Stream stream(StreamName{seed}, 3, static_cast<std::uint32_t>(k));
    Eigen::VectorXd q = density_->coordinates();
    for (double& x : q) x += 0.5 * (2 * stream.uniform() - 1);
    const double here = density_->at(q, gradient);
    // What is pinned counts as a constant.
    if (!std::isfinite(here) || !density_->pinned_by().empty()) continue;
    const Eigen::VectorXd ours = gradient;
    for (Eigen::Index i = 0; i < n; ++i) {
      // Two differences of different width: where they agree the function is smooth enough to judge.
      const auto difference = [&](double width) {
        Eigen::VectorXd p = q;
        double sum = 0;
        const double weights[4] = {-1.0 / 12, 8.0 / 12, -8.0 / 12, 1.0 / 12};
        const double places[4] = {2, 1, -1, -2};
        for (int j = 0; j < 4; ++j) {
          p[i] = q[i] + places[j] * width;
          sum += weights[j] * density_->at(p, unused);
        }
        return sum / width;
      };
      const double wide = difference(2e-3), narrow = difference(1e-3);
      const double size = std::max({1.0, std::fabs(narrow), std::fabs(here) * 1e-6});
      if (!(std::fabs(wide - narrow) < 1e-7 * size)) continue;
      ++smooth_points_;
      if (!(std::fabs(narrow - ours[i]) < 1e-6 * size))
        return fmt::format("derivative {} is {:.12g}, by differences {:.12g}", i, ours[i], narrow);
    }
  }
  return "";
}

}  // namespace recorded
