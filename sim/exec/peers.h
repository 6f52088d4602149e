// How parts of one system on several threads or devices exchange data.
#pragma once
#include <atomic>
#include <barrier>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/backend.h"

namespace cellscope {

// Rows or layers of cells that a domain has sent to one beside it, whose halo they are.
struct HaloMessage {
  int from = 0, to = 0;   // domains
  int row = 0, rows = 0;  // the first in the grid, and their number
  bool ahead = false;     // away from row 0
  std::size_t cells = 0, bytes = 0;
};

}  // namespace cellscope

namespace cellscope::exec {

// Whether the devices of both reach each other's memory. Where they can, they do from now on.
bool reachEachOther(const ExecConfig& a, const ExecConfig& b);

// For domain k of this process: its device, or its share of the threads.
ExecConfig ofDomain(const ExecConfig& all, int k);
// The device of a domain becomes that of the calling thread.
void useDeviceOf(const ExecConfig& config);

// Memory by which domains exchange: of the device that is used, or of the host, which all devices
// reach.
std::shared_ptr<void> exchangeMemory(Backend backend, std::size_t bytes, bool ofHost);

// In words: "3 domains, one thread each, exchange by shared memory"; "" for a single one.
std::string domainWords(const ExecConfig& config);

// Of devices; builds with CUDA only.
bool openPeerAccess(int from, int to);

// f(domain) for each of some that have use(), which makes their device that of the thread; that of
// the first one is so afterwards.
void onEach(auto& domains, const auto& f) {
  for (auto& d : domains) d.use(), f(d);
  domains.front().use();
}

// Threads that work on domains together, each in step with the others. After the first failure
// nothing more is done, but all still meet.
class Crew {
 public:
  explicit Crew(std::size_t threads)
      : threads_(threads), meet_(static_cast<std::ptrdiff_t>(threads)) {}

  // work(begin, end) of `domains` on each thread, the calling one too.
  void run(std::size_t domains, const auto& work) {
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < threads_; ++k)
      others.emplace_back(work, domains * k / threads_, domains * (k + 1) / threads_);
    work(0, domains / threads_);
    for (std::thread& t : others) t.join();
  }
  // The first failure.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  // work(each, first) on each thread, `first` on one of them; each(f): f(domain) of those of the
  // thread, as onEach(). Throws the first failure, after which nothing more is done.
  void runOn(auto& domains, const auto& work) {
    run(domains.size(), [&](std::size_t begin, std::size_t end) {
      const auto each = [&](const auto& f) {
        guarded([&] {
          for (std::size_t k = begin; k < end; ++k) domains[k].use(), f(domains[k]);
        });
      };
      work(each, begin == 0);
    });
    domains.front().use();
    rethrow();
  }

  void guarded(const auto& f) {
    if (failed_) return;
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  void meet() { meet_.arrive_and_wait(); }

  // f meets the others by itself (meetOrLeave()): a thread in which it fails leaves, and the others
  // fail where they would meet it.
  void leavingOnFailure(const auto& f) {
    guarded(f);
    if (failed_) meet_.arrive_and_drop();
  }
  void meetOrLeave() {
    meet();
    if (failed_) throw std::runtime_error("another domain failed");
  }

 private:
  std::size_t threads_;
  std::barrier<> meet_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace cellscope::exec
