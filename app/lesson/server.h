// The lecturer's end: a thread that sends the run of a Runner to those who follow. From them it
// takes a greeting of fixed size and single bytes, and nothing else.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "app/lesson/link.h"

namespace cellscope::lesson {

class Server : public LessonLink {
 public:
  static constexpr int kMostFollowers = 64;

  // Throws InputError where the address cannot be taken. Port 0: any.
  Server(const std::string& address, int port);
  ~Server() override;

  Words words() const override;
  void show(const Shown& shown) override;
  int port() const { return portOf(listening_); }
  int followers() const { return followers_; }
  int inStep() const { return inStep_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Bytes = std::shared_ptr<const std::string>;
  struct Follower {
    Descriptor socket;
    Clock::time_point came = Clock::now(), stateSent{};
    std::string greeting;
    std::deque<Bytes> out;
    std::size_t sent = 0;  // of the first
    Place place;
    Bytes shown;  // sent last
    bool isGreeted = false, wantsState = true, isLeaving = false;
    char answer = kNotInStep;
  };

  void work() override;
  void count();
  int welcomed() const;
  void welcome();
  bool hear(Follower& follower);  // false: it is gone
  bool greet(Follower& follower);
  bool send(Follower& follower);
  void refuse(Follower& follower, const std::string& why);
  void needState(Follower& follower, bool whole = false);
  void tell(Follower& follower);
  void broadcast();
  void broadcastShown();
  void askForNews();

  Descriptor listening_;
  std::string address_;
  std::shared_ptr<Lecture> lecture_ = std::make_shared<Lecture>();
  std::shared_ptr<Waker> news_ = std::make_shared<Waker>();
  std::mutex showMutex_;
  Bytes shown_;  // the record
  std::list<Follower> all_;
  std::atomic<int> followers_{0}, inStep_{0};
};

}  // namespace cellscope::lesson
