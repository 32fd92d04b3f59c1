// SPDX-License-Identifier: Apache-2.0
// See mpi.hpp.
#include "ranks/mpi.hpp"

#include <dlfcn.h>

#include <charconv>
#include <cstring>
#include <deque>

#include "base/assert.hpp"
#include "ranks/module.h"

namespace chancel {

namespace {

class Mpi final : public Transport {
 public:
  explicit Mpi(const chancel_ranks_module& module) : module_(module) {}
  unsigned rank() const override { return static_cast<unsigned>(module_.rank); }
  unsigned size() const override { return static_cast<unsigned>(module_.size); }

  void send(unsigned to, int tag, std::string bytes) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // MPI counts in int
    CHANCEL_ASSERT(bytes.size() <= kMost, "a message is longer than MPI can send");
    forget_sent();
    auto& message = sending_.emplace_back(std::make_unique<Message>());
    message->bytes = std::move(bytes);
    message->request =
        module_.send(static_cast<int>(to), tag, message->bytes.data(), message->bytes.size());
  }
  std::optional<std::string> receive(unsigned from, int tag) override {
    return take(static_cast<int>(from), tag, nullptr);
  }
  std::optional<std::string> receive_any(int tag, unsigned* from) override {
    return take(CHANCEL_ANY_RANK, tag, from);
  }
  bool receive_into(unsigned from, int tag, std::span<char> bytes) override {
    forget_sent();
    int source = static_cast<int>(from);
    const long long count = module_.look(&source, tag);
    if (count < 0) return false;
    CHANCEL_ASSERT(static_cast<std::size_t>(count) == bytes.size(),
                   "a message has another length than expected");
    module_.receive(source, tag, bytes.data(), bytes.size());
    return true;
  }
  void leave() override { module_.leave(); }
  void abort(int code) override { module_.abort(code); }

 private:
  struct Message {
    std::string bytes;
    void* request = nullptr;
  };
  std::optional<std::string> take(int from, int tag, unsigned* source) {
    forget_sent();
    const long long count = module_.look(&from, tag);
    if (count < 0) return std::nullopt;
    std::string bytes(static_cast<std::size_t>(count), '\0');
    module_.receive(from, tag, bytes.data(), bytes.size());
    if (source) *source = static_cast<unsigned>(from);
    return bytes;
  }
  void forget_sent() {
    while (!sending_.empty() && module_.sent(sending_.front()->request)) sending_.pop_front();
  }

  const chancel_ranks_module& module_;
  std::deque<std::unique_ptr<Message>> sending_;
};

}  // namespace

unsigned launched_ranks(const std::function<const char*(const char*)>& environment) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = environment(name)) {
      unsigned count = 0;
      std::from_chars(text, text + std::strlen(text), count);
      return count;
    }
  return environment("PMIX_RANK") ? 0 : 1;
}

std::unique_ptr<Transport> join_mpi(const std::vector<std::string>& files, std::string* problem) {
  *problem = "there is none";
  for (const std::string& file : files) {
    // The libraries of MPI load parts of their own, which look for its symbols everywhere.
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!handle) {
      const char* why = dlerror();
      if (file.find('/') == std::string::npos || std::strstr(why, "No such file") == nullptr ||
          std::strstr(why, file.c_str()) != why)
        *problem = why;
      continue;
    }
    auto* const join =
        reinterpret_cast<chancel_ranks_join_function*>(dlsym(handle, CHANCEL_RANKS_MODULE_ENTRY));
    if (!join) {
      *problem = file + " is not a module of Chancel";
      continue;
    }
    const char* why = nullptr;
    const chancel_ranks_module* module = join(&why);
    if (!module) {
      *problem = why;
      continue;
    }
    if (module->version != CHANCEL_RANKS_MODULE_VERSION) {
      *problem = file + " is of another version of Chancel";
      continue;
    }
    return std::make_unique<Mpi>(*module);
  }
  return nullptr;
}

}  // namespace chancel
