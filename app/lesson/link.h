// One end of a lesson, as the window sees it, and its connections: TCP, never waiting but in
// poll().
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "sim/io/files.h"
#include "sim/run/lesson.h"
#include "sim/run/runner.h"

namespace cellscope {

namespace lesson {

// What the lecturer shows beside the run.
struct Shown {
  bool pointer = false;
  double at[3] = {};    // of the pointer, in the box
  std::string caption;  // where in the lesson: "2 of 5 – Wrong on purpose"
  bool operator==(const Shown&) const = default;
};

using io::Descriptor;

inline constexpr int kUsualPort = 47810;
inline constexpr std::string_view kGreetingMark = "CELLSCOPE-LESSON";
inline constexpr std::size_t kGreetingBytes = 32;  // the mark and the version, padded with zeros
std::string greeting();

// What a follower tells, a byte each time.
inline constexpr char kInStep = '=', kNotInStep = '~', kWantsState = '?';

// Ends the poll() of another thread that waits for fd() to become readable.
class Waker {
 public:
  int fd() const { return event_.fd(); }
  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(event_.fd(), &one, sizeof one);
  }
  // What was woken for is done.
  void clear() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(event_.fd(), &count, sizeof count);
  }

 private:
  Descriptor event_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
};

struct Address {
  std::string host, port;
  std::string text() const;
};
// "HOST", "HOST:PORT", "[IPV6]:PORT". Throws InputError.
Address addressFrom(const std::string& text);

// Throw InputError with address and cause.
Descriptor listenAt(const std::string& host, int port);  // port 0: any
Descriptor connectTo(const Address& address, int milliseconds);

int portOf(const Descriptor& socket);
Descriptor accepted(const Descriptor& listening);  // not open: nobody is there

// As many bytes as go without waiting; -1: the other end is gone.
std::ptrdiff_t sendSome(const Descriptor& socket, std::string_view bytes);
// Appends what is there, at most 64 KiB. False: the other end is gone.
bool receiveSome(const Descriptor& socket, std::string& to);

}  // namespace lesson

class LessonLink {
 public:
  struct Words {
    std::string text, hover;
    bool isGood = false;
  };

  virtual ~LessonLink() = default;  // whoever derives from it calls end()
  // From now on, until end().
  void begin(Runner& runner) {
    runner_ = &runner;
    thread_ = std::thread([this] { work(); });
  }
  void end() {
    if (!thread_.joinable()) return;
    ends_ = true;
    waker_.wake();
    thread_.join();
  }
  virtual Words words() const = 0;

  // Of who follows. The state comes from there; null: this is the lecturer.
  virtual std::shared_ptr<lesson::Listener> lecturer() const { return nullptr; }
  virtual bool follows() const { return false; }  // at present
  virtual void follow(bool) {}                    // leave, and come back

  virtual void show(const lesson::Shown&) {}          // to those who follow
  virtual lesson::Shown shown() const { return {}; }  // by the lecturer

 protected:
  virtual void work() = 0;  // on a thread of its own; waits for waker_, too, and ends at ends_
  Runner* runner_ = nullptr;
  lesson::Waker waker_;
  std::atomic<bool> ends_{false};

 private:
  std::thread thread_;
};

}  // namespace cellscope
