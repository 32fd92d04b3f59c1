// SPDX-License-Identifier: Apache-2.0
// A program that grows form by form: the machine that evaluates its top level, the library bound to names, macros,
// loaded files, and the streams of doquery. Each of these is a class; the session holds them and lets them meet. The
// public API is a thin layer over this.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/evaluator.hpp"
#include "session/globals.hpp"
#include "session/hoisted_queries.hpp"
#include "session/host_extensions.hpp"
#include "session/images.hpp"
#include "session/kept_draws.hpp"
#include "session/library_index.hpp"
#include "session/library_linker.hpp"
#include "session/loader.hpp"
#include "session/macros.hpp"
#include "session/names.hpp"
#include "session/prepared_queries.hpp"
#include "session/services.hpp"
#include "session/test_record.hpp"
#include "vm/native_use.hpp"

namespace chancel {

class Session final {
 public:
  // Without doqueries its program cannot run queries.
  Session(std::size_t max_memory, std::uint64_t seed, MakeDoqueries make_doqueries = nullptr);
  ~Session();

  // See Loader.
  bool load(std::string text, std::string name, std::optional<Dialect> dialect, LoadMode mode,
            LoadResult* result, const LoadEvents& events = {});
  // Functions and distributions of the host program. Throws Error (U001) for a name that is taken.
  void extend(const std::vector<NativeFunction>& functions,
              const std::vector<NativeDistribution>& distributions);
  // Between forms and runs: no value is in the hands of C++ then.
  void collect_if_needed();

  Evaluator& evaluator() { return evaluator_; }
  const LibraryIndex& library() const { return library_; }
  Images& images() { return images_; }
  Globals& globals() { return globals_; }
  Names& names() { return names_; }
  LibraryLinker& linker() { return linker_; }
  HoistedQueries& queries() { return queries_; }
  PreparedQueries& prepared_queries() { return prepared_queries_; }
  Macros& macros() { return macros_; }
  Loader& loader() { return loader_; }
  Services& services() { return services_; }
  KeptDraws& kept_draws() { return kept_draws_; }
  TestRecord& tests() { return tests_; }

  const std::shared_ptr<Program>& program() const { return evaluator_.program; }
  DiagnosticSink& diagnostics() { return evaluator_.sink; }
  Machine& machine() { return evaluator_.machine; }
  Heap& heap() { return evaluator_.heap; }
  // What the top level runs under, and the streams of doquery.
  Run& run() { return evaluator_.run; }

  unsigned threads = 1;  // of its runs
  NativeUse native_use = NativeUse::WhereHot;

 private:
  std::vector<std::unique_ptr<HostExtension>> extensions_;  // first, so that they go last
  Evaluator evaluator_;
  LibraryIndex library_;
  Images images_{evaluator_, library_};
  Globals globals_{evaluator_, images_};
  Names names_{library_, globals_, macros_, loader_};
  HoistedQueries queries_{evaluator_, globals_, library_, linker_};
  LibraryLinker linker_{evaluator_, library_, globals_, names_, queries_};
  PreparedQueries prepared_queries_{evaluator_, queries_, linker_};
  Macros macros_{evaluator_, globals_, linker_};
  Loader loader_{*this};
  Services services_;
  KeptDraws kept_draws_{*this};
  TestRecord tests_;
};

}  // namespace chancel
