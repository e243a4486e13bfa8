// Does the jobs that forget users, in the background of each server. One server at a time works on a job; if
// it dies, another one goes on after its lease. See docs/privacy.md.
#pragma once

#include "base/task_group.hpp"
#include "edges/api/system.hpp"
#include "kit/events/privacy/forget_jobs.hpp"

namespace larder::api {

class ForgetRunner {
 public:
  // The systems forget in this order.
  ForgetRunner(Process const& process, std::vector<System*> systems);

  void start();
  Task<void> stop() { return tasks_.stop(); }

 private:
  Task<void> watch();
  Task<void> look();
  Task<void> keep_lease();
  Task<void> work(privacy::ForgetJob job);
  Task<void> let_systems_forget(privacy::ForgetJob job);
  Task<void> clean(privacy::ForgetJob job);
  void drop_memory();

  Process process_;
  std::vector<System*> systems_;
  std::string owner_;
  TaskGroup tasks_;
  std::optional<UserId> working_on_;  // the pseudonym of the job of this server
  std::int64_t finished_ = 0;         // jobs, as far as this server has noticed
  std::string last_failure_;          // so that a failure is logged once
};

}  // namespace larder::api
