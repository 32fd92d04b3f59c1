// SPDX-License-Identifier: Apache-2.0
// Compiles generated C: the system's compiler writes a shared object, which is loaded and cached in
// a directory of the user under the hash of its source. The compiler is a separate process;
// compilation is asynchronous unless the caller waits. Runs of one process share compilations of
// the same text.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace chancel::native {

class SharedObject {
 public:
  explicit SharedObject(void* handle) : handle_(handle) {}
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  void* find(const std::string& name) const;

 private:
  void* handle_;
};

// First line of a large source: it is compiled with fewer optimisations, in a third of the time.
inline constexpr std::string_view kLargeSource = "#define CN_LARGE\n";

class Compilation {
 public:
  // Done at once if the result is cached.
  static std::shared_ptr<Compilation> begin(const std::string& text);
  virtual ~Compilation() = default;
  enum class State { Running, Done, Failed };
  // Waits for the compiler while `wait` returns true; empty: does not wait.
  virtual State look(const std::function<bool()>& wait) = 0;
  virtual std::shared_ptr<SharedObject> shared_object() const = 0;  // once the state is Done
  static unsigned running_now();                                    // in this process
};

// The assembly that the compiler writes for the text, or its error messages.
std::string assembly_of(const std::string& text);

// The compiler command; empty: none was found.
std::string system_compiler();

}  // namespace chancel::native
