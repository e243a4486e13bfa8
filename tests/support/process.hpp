// A child program of a test.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace larder::test {

// Dies with the test, however the test ends (as long as the thread that started it lives). Standard output
// and error go to a file.
class Process {
 public:
  struct Options {
    std::vector<std::string> command;  // looked up in PATH
    std::string output = "/dev/null";
    std::string user = {};                      // only as root: the child becomes this user
    std::vector<std::string> environment = {};  // "NAME=value", besides our own
  };

  explicit Process(Options const& options);
  ~Process();  // kills
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;

  pid_t pid() const { return pid_; }
  bool running();
  void signal(int number);
  void kill();  // SIGKILL, and waits
  // The exit code; 128 + signal if one ended it.
  int wait();

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

// Runs it to the end; throws with what it printed if it fails.
void run_or_throw(Process::Options options);

}  // namespace larder::test
