#include "app/reproduce/copies.h"

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/common/interrupt.h"
#include "sim/base/error.h"

namespace cellscope::reproduce {

bool runCopies(int copies, const std::function<void(int, const std::atomic<bool>&)>& work) {
  common::InterruptGuard interrupt;
  std::atomic<bool> stop{false};
  std::atomic<int> left{copies};
  std::mutex mutex;
  std::string failure;
  std::vector<std::thread> threads;
  for (int k = 0; k < copies; ++k)
    threads.emplace_back([&, k] {
      try {
        work(k, stop);
      } catch (const std::exception& e) {
        std::lock_guard lock(mutex);
        failure = e.what();
      }
      --left;
    });
  while (left > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (interrupt.raised()) stop = true;
  }
  for (std::thread& t : threads) t.join();
  if (!failure.empty()) throw RunError(failure);
  return stop;
}

}  // namespace cellscope::reproduce
