// SPDX-License-Identifier: Apache-2.0
#include "library/host.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "vm/machine.hpp"

namespace chancel {

namespace {
thread_local std::vector<std::string> captures;

struct Hosts {
  std::mutex mutex;
  std::unordered_map<const RunLimits*, std::shared_ptr<const Host>> of;
};
Hosts& hosts() {
  static Hosts all;
  return all;
}

bool read_from_disk(std::string_view path, std::string* text, std::string* error) {
  errno = 0;
  std::ifstream in{std::string(path), std::ios::binary};
  std::ostringstream all;
  if (in) all << in.rdbuf();
  if (!in || in.bad()) {
    *error = errno ? std::strerror(errno) : "it cannot be read";
    return false;
  }
  *text = std::move(all).str();
  return true;
}
}  // namespace

Host& host() {
  static Host the_host{[](std::string_view) {}, read_from_disk, nullptr};
  return the_host;
}

void set_host(const RunLimits* session, Host host) {
  const std::lock_guard lock(hosts().mutex);
  hosts().of[session] = std::make_shared<const Host>(std::move(host));
}

void drop_host(const RunLimits* session) {
  const std::lock_guard lock(hosts().mutex);
  hosts().of.erase(session);
}

std::shared_ptr<const Host> current_host() {
  if (const Machine* machine = Machine::current()) {
    const std::lock_guard lock(hosts().mutex);
    const auto found = hosts().of.find(machine->limits);
    if (found != hosts().of.end()) return found->second;
  }
  return {std::shared_ptr<void>(), &host()};
}

void begin_capture() { captures.emplace_back(); }

std::string end_capture() {
  if (captures.empty()) return {};
  std::string text = std::move(captures.back());
  captures.pop_back();
  return text;
}

void write_output(std::string_view text) {
  if (!captures.empty()) {
    captures.back().append(text);
  } else {
    current_host()->write(text);
  }
}

}  // namespace chancel
