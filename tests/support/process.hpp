// A child process of a test.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace larder::test {

// The child dies with the test, however the test ends, as long as the thread that started the child lives.
// Standard output and error go to a file.
class Process {
 public:
  struct Options {
    std::vector<std::string> command;  // looked up in PATH
    std::string output = "/dev/null";
    std::string user = {};                      // only as root: the child becomes this user
    std::vector<std::string> environment = {};  // "NAME=value", in addition to our own
  };

  explicit Process(Options const& options);
  ~Process();  // kills the child
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;

  pid_t pid() const { return pid_; }
  bool running();
  void signal(int number);
  void kill();  // SIGKILL, then waits
  // The exit code, or 128 + the signal that ended the child.
  int wait();

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

// Runs the command to its end. If it fails, throws an exception with its output.
void run_or_throw(Process::Options options);

}  // namespace larder::test
