// SPDX-License-Identifier: Apache-2.0
// Generated C made into code: the system's compiler writes a shared object, which is loaded, and kept
// in a directory of the user's own under the hash of what it was made from. The compiler is a process
// beside the run: nobody waits for it but who says so. Runs of one process share what they ask for.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace chancel::native {

class Library {
 public:
  explicit Library(void* handle) : handle_(handle) {}
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* find(const std::string& name) const;

 private:
  void* handle_;
};

// How a text begins that is large: it is compiled with less care, in a third of the time.
inline constexpr std::string_view kLargeSource = "#define CN_LARGE\n";

class Compilation {
 public:
  // What is in the directory is there at once.
  static std::shared_ptr<Compilation> begin(const std::string& text);
  virtual ~Compilation() = default;
  enum class State { Running, Done, Failed };
  // Waits for it as long as `wait` says so; empty: not at all.
  virtual State look(const std::function<bool()>& wait) = 0;
  virtual std::shared_ptr<Library> library() const = 0;  // when it is done
  static unsigned running_now();                         // in this process
};

// What the compiler makes of it, as text; why it made nothing otherwise.
std::string assembly_of(const std::string& text);

// The compiler that is used; empty: there is none.
std::string system_compiler();

}  // namespace chancel::native
