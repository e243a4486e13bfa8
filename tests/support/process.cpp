#include "support/process.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <iterator>
#include <pwd.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace larder::test {

namespace {

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::vector<char*> pointers_to(std::vector<std::string> const& words) {
  std::vector<char*> pointers;
  for (auto const& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  return pointers;
}

// Runs between fork and exec, where few calls are safe. Everything else was prepared before the fork.
[[noreturn]] void become(char* const* arguments, char* const* environment, int output, passwd const* user,
                         pid_t parent) {
  bool ready = ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(output, STDERR_FILENO) >= 0;
  if (user != nullptr) {
    ready =
        ready && ::setgroups(0, nullptr) == 0 && ::setgid(user->pw_gid) == 0 && ::setuid(user->pw_uid) == 0;
  }
  // After setuid, which would clear this setting. The parent may already be gone.
  ready = ready && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
  if (ready) ::execvpe(arguments[0], arguments, environment);
  ::_exit(127);
}

}  // namespace

Process::Process(Options const& options) {
  auto arguments = pointers_to(options.command);
  arguments.push_back(nullptr);
  auto environment = pointers_to(options.environment);
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  passwd const* user = nullptr;
  if (!options.user.empty() && ::geteuid() == 0) {
    user = ::getpwnam(options.user.c_str());
    if (user == nullptr) throw std::runtime_error("no user " + options.user);
  }
  int const output = ::open(options.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (output < 0) throw std::runtime_error("cannot write " + options.output);
  pid_t const parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(arguments.data(), environment.data(), output, user, parent);
  ::close(output);
  if (pid_ < 0) throw std::runtime_error("cannot fork");
}

Process::~Process() { kill(); }

bool Process::running() {
  if (exit_code_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  exit_code_ = code_of(status);
  return false;
}

void Process::signal(int number) {
  if (running()) ::kill(pid_, number);
}

void Process::kill() {
  signal(SIGKILL);
  wait();
}

int Process::wait() {
  int status = 0;
  while (!exit_code_) {
    if (::waitpid(pid_, &status, 0) == pid_) exit_code_ = code_of(status);
  }
  return *exit_code_;
}

void run_or_throw(Process::Options options) {
  if (Process(options).wait() == 0) return;
  std::ifstream in(options.output);
  throw std::runtime_error(fmt::format("{} failed: {}", options.command.front(),
                                       std::string{std::istreambuf_iterator<char>(in), {}}));
}

}  // namespace larder::test
