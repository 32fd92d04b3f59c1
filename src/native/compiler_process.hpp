// SPDX-License-Identifier: Apache-2.0
// One run of the system's compiler, in a folder of its own that it is removed with. A small shell script starts it with
// limits on memory and processor time and with low priority, as a process group of its own, so that Ctrl-C does not reach
// it. The script also waits at a pipe whose other end this process holds: when this process is gone, however it ended,
// the pipe closes, and the script removes the folder and kills the group. A script is used rather than this program
// because the library may be part of any process. At most cores - 1 compilers run at a time, at least one.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>

namespace chancel::native {

class CompilerProcess {
 public:
  struct Job {
    std::string compiler, text;
    bool large = false;     // fewer optimisations, in a third of the time
    bool assembly = false;  // instead of a shared object
  };
  // In a new folder below `parent`; the compiler starts once there is a place for it.
  CompilerProcess(const std::filesystem::path& parent, const std::string& name, Job job);
  ~CompilerProcess();  // kills it if it still runs, and removes the folder
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;

  enum class State { Running, Done, Failed };
  State look();  // does not wait
  // What it has made, once it is done.
  const std::filesystem::path& output() const { return output_; }

  static unsigned running_now();  // in this process
  // What decides, beside the text, what a compiler makes.
  static std::string flags();

 private:
  class Places;
  bool write_source(const std::string& text);
  bool start();
  // With the mutex of all places held.
  void reap();
  void release();

  std::filesystem::path folder_, source_, output_;
  Job job_;
  State state_ = State::Failed;
  pid_t child_ = 0;  // also the number of its group; 0: it has not been started
  int lease_ = -1;   // the end of the pipe that this process holds
};

}  // namespace chancel::native
