// The lecturer's end: a thread that sends the run of a Runner to those who follow. From them it
// takes a greeting of fixed size and single bytes, and nothing else.
#pragma once
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <mutex>
#include <vector>

#include "app/lesson/link.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "sim/io/text_lines.h"

namespace cellscope::lesson {

inline constexpr std::chrono::seconds kBeat{1};      // between two marks
inline constexpr std::chrono::seconds kPatience{5};  // for a greeting
inline constexpr std::chrono::seconds kBetween{1};   // states of one follower
inline constexpr std::size_t kMostWaiting = 64;      // records that a follower has not taken

class Server : public LessonLink {
 public:
  static constexpr int kMostFollowers = 64;

  // Throws InputError where the address cannot be taken. Port 0: any.
  Server(const std::string& address, int port)
      : listening_(listenAt(address, port)), address_(address) {}
  ~Server() override { end(); }

  Words words() const override {
    const int follow = followers_, same = inStep_;
    const std::string at = Address{address_, fmt::format("{}", port())}.text();
    const bool isForAll = address_ == "0.0.0.0" || address_ == "::";
    char name[256] = "";
    const std::string host = ::gethostname(name, sizeof name - 1) == 0 ? name : "HOST";
    return {follow == 0 ? "no one follows" : fmt::format("{} follow, {} in step", follow, same),
            fmt::format("The class follows with: cellscope follow {}\nAt most {}. In step: their "
                        "state is this one, bit for bit.",
                        isForAll ? fmt::format("{}:{}", host, port()) : at, kMostFollowers),
            follow == same};
  }
  void show(const Shown& s) override {
    const std::string text = fmt::format("{} {} {} {}\n{}", s.pointer ? 1 : 0, s.at[0], s.at[1],
                                         s.at[2], s.caption.substr(0, 500));
    {
      const std::lock_guard lock(showMutex_);
      shown_ = std::make_shared<const std::string>(packRecord(RecordKind::shown, text));
    }
    waker_.wake();
  }
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

  void work() override {
    Clock::time_point next{};
    bool isFresh = true;
    while (!ends_) {
      std::vector<pollfd> wanted = {
          {waker_.fd(), POLLIN, 0}, {news_->fd(), POLLIN, 0}, {listening_.fd(), POLLIN, 0}};
      for (const Follower& f : all_)
        wanted.push_back(
            {f.socket.fd(), static_cast<short>(f.out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
      ::poll(wanted.data(), wanted.size(), static_cast<int>(std::max<long>(left.count() + 1, 0)));
      std::size_t k = 3;
      for (auto f = all_.begin(); f != all_.end(); ++k) {
        const bool isHere = (!(wanted[k].revents & (POLLIN | POLLHUP | POLLERR)) || hear(*f)) &&
                            send(*f) && (f->isGreeted || Clock::now() - f->came < kPatience);
        f = isHere ? std::next(f) : all_.erase(f);
      }
      if (wanted[2].revents) welcome();
      if (wanted[1].revents) {
        news_->clear();
        broadcast();
        isFresh = true;
      }
      if (wanted[0].revents) waker_.clear();
      broadcastShown();
      if (Clock::now() >= next) {
        if (!isFresh) broadcast();  // a long step: the mark before, as a sign of life
        isFresh = false;
        next = Clock::now() + kBeat;
        askForNews();
      }
      count();
    }
  }
  // The window shows the new numbers.
  void count() {
    const int follow = welcomed();
    const auto same = static_cast<int>(std::ranges::count(all_, kInStep, &Follower::answer));
    const bool isSame = followers_.exchange(follow) == follow;
    if (inStep_.exchange(same) != same || !isSame) runner_->publish();
  }
  int welcomed() const {
    return static_cast<int>(
        std::ranges::count_if(all_, [](const Follower& f) { return f.isGreeted && !f.isLeaving; }));
  }
  void welcome() {
    while (true) {
      Descriptor socket = accepted(listening_);
      if (!socket.isOpen()) return;
      // Twice as many as are let in, so that the others are told why not.
      if (all_.size() < 2 * static_cast<std::size_t>(kMostFollowers))
        all_.emplace_back().socket = std::move(socket);
    }
  }
  // False: it is gone.
  bool hear(Follower& f) {
    std::string bytes;
    if (!receiveSome(f.socket, bytes)) return false;
    if (f.isLeaving) return true;
    if (!f.isGreeted) {
      f.greeting += bytes;
      return f.greeting.size() < kGreetingBytes || greet(f);
    }
    for (const char answer : bytes) {
      if (answer != kInStep && answer != kNotInStep && answer != kWantsState) return false;
      if (answer != kWantsState) f.answer = answer;
      if (answer == kWantsState && !f.wantsState) needState(f, true);
    }
    return true;
  }
  bool greet(Follower& f) {
    if (f.greeting.size() > kGreetingBytes || !f.greeting.starts_with(kGreetingMark)) return false;
    const std::string mine = programVersion();
    const std::string theirs = f.greeting.substr(kGreetingMark.size()).c_str();
    f.isGreeted = true;
    if (welcomed() > kMostFollowers) {
      refuse(f, fmt::format("the lesson is full: {} follow already", kMostFollowers));
      return true;
    }
    if (f.greeting != greeting()) {
      refuse(f, fmt::format(
                    "the lecturer has cellscope {}, this is cellscope {}; both must be the same",
                    mine, io::shortened(io::validUtf8(theirs))));
      return true;
    }
    f.out.push_back(std::make_shared<const std::string>(
        packRecord(RecordKind::welcome, fmt::format("{}\n{}", mine, exec::instructionSet()))));
    needState(f);
    return true;
  }
  bool send(Follower& f) {
    while (!f.out.empty()) {
      const std::string& bytes = *f.out.front();
      const auto sent = sendSome(f.socket, std::string_view(bytes).substr(f.sent));
      if (sent < 0) return false;
      f.sent += static_cast<std::size_t>(sent);
      if (f.sent < bytes.size()) return true;
      f.out.pop_front();
      f.sent = 0;
    }
    return !f.isLeaving;
  }
  void refuse(Follower& f, const std::string& why) {
    f.out.push_back(std::make_shared<const std::string>(packRecord(RecordKind::refusal, why)));
    f.isLeaving = true;
    f.answer = kNotInStep;
  }
  // One that is made from now on.
  void needState(Follower& f, bool whole = false) {
    f.wantsState = true;
    f.answer = kNotInStep;
    lecture_->want(whole);
    askForNews();
  }
  // Its state first if it needs one, then the newest mark.
  void tell(Follower& f) {
    Bytes mark = f.wantsState ? nullptr : lecture_->mark(f.place);
    if (!mark) {
      if (!f.wantsState) return needState(f);
      if (Clock::now() - f.stateSent < kBetween) return;
      const Bytes state = lecture_->state(f.place);
      if (!state) return;
      f.out.push_back(state);
      f.wantsState = false;
      f.stateSent = Clock::now();
      mark = lecture_->mark(f.place);
    }
    if (mark) f.out.push_back(mark);
  }
  void broadcast() {
    for (Follower& f : all_) {
      if (!f.isGreeted || f.isLeaving) continue;
      try {
        tell(f);
      } catch (const InputError& e) {  // a state that is too large
        refuse(f, e.what());
      }
      if (f.out.size() > kMostWaiting) f.isLeaving = true, f.answer = kNotInStep;
    }
  }
  // Of several the newest, also to who came later.
  void broadcastShown() {
    const std::lock_guard lock(showMutex_);
    for (Follower& f : all_) {
      if (!f.isGreeted || f.isLeaving || f.shown == shown_ || !f.out.empty()) continue;
      f.out.push_back(f.shown = shown_);
    }
  }
  // The Runner may be gone before it looks: what it touches is shared.
  void askForNews() {
    runner_->visit([lecture = lecture_, news = news_](Session& session, bool playing) {
      lecture->look(session, playing);
      news->wake();
    });
  }

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
