// A follower's end: a thread that receives the lecturer's run, and connects again when it was lost.
// It writes no file and opens none.
#pragma once
#include <fmt/format.h>
#include <poll.h>

#include <chrono>
#include <cmath>
#include <mutex>

#include "app/lesson/link.h"
#include "sim/base/build.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/io/text_lines.h"

namespace cellscope::lesson {

inline constexpr int kToConnect = 5000, kSilence = 8000, kAgain = 1000,
                     kLook = 200;  // milliseconds

inline Shown shownFrom(const std::string& text) {
  const std::size_t end = text.find('\n');
  const std::vector<std::string> words = io::splitAt(text.substr(0, end), ' ');
  if (end == text.npos || words.size() != 4 || (words[0] != "0" && words[0] != "1"))
    throw InputError("this is no lesson: what is shown cannot be read");
  Shown shown{words[0] == "1", {}, io::oneLine(io::validUtf8(text.substr(end + 1)))};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::optional<double> at = realFrom(words[k + 1]);
    if (!at || !std::isfinite(*at)) throw InputError("this is no lesson: a pointer is nowhere");
    shown.at[k] = *at;
  }
  return shown;
}

class Client : public LessonLink {
 public:
  // Connects, and throws InputError where there is no lesson, or one of another version.
  explicit Client(const std::string& address) : address_(addressFrom(address)) { connect(); }
  ~Client() override { end(); }

  const std::string& instructionSet() const { return instructionSet_; }  // the lecturer's

  Words words() const override {
    const std::string at = address_.text();
    const std::string left = "The state stays as it is.";
    if (!follows_) return {"left the lesson of " + at, left, false};
    if (!isConnected_) {
      const std::lock_guard lock(mutex_);
      return {"no lecturer at " + at, fmt::format("{}. {} Trying again.", trouble_, left), false};
    }
    const Listener::Status s = listener_->status();
    switch (s.standing) {
      case Listener::Standing::waiting:
        return {"following " + at + ": waiting", "The lecturer's state is on its way.", false};
      case Listener::Standing::inStep:
        return {fmt::format("following {}: in step", at),
                fmt::format("After step {} the state is the lecturer's, bit for bit.", s.step),
                true};
      case Listener::Standing::behind:
        return {fmt::format("following {}: catching up", at),
                fmt::format("Step {} of {}.", s.step, s.announced), false};
      case Listener::Standing::differs:
        break;
    }
    return {fmt::format("following {}: out of step", at),
            fmt::format("After step {} the state differs: this computer rounds differently. The "
                        "lecturer's is taken over in {:.0f} s.",
                        s.step, std::ceil(s.nextState)),
            false};
  }
  std::shared_ptr<Listener> lecturer() const override { return listener_; }
  bool follows() const override { return follows_; }
  void follow(bool on) override {
    follows_ = on;
    if (!on) runner_->follow(nullptr);
    waker_.wake();
  }
  Shown shown() const override {
    const std::lock_guard lock(mutex_);
    return shown_;
  }

  bool isConnected() const { return isConnected_; }
  std::uint64_t bytesReceived() const { return received_; }
  std::uint64_t bytesSent() const { return sent_; }

 private:
  void connect() {
    reader_ = {};
    answered_ = 0;
    socket_ = connectTo(address_, kToConnect);
    send(greeting());
    const Record first = nextRecord(kToConnect);
    if (first.kind == RecordKind::refusal) throw InputError(io::oneLine(io::validUtf8(first.body)));
    const std::vector<std::string> lines = io::splitAt(first.body, '\n');
    if (first.kind != RecordKind::welcome || lines.size() != 2 || lines[0] != programVersion())
      throw InputError("{} serves no lesson of cellscope {}", address_.text(), programVersion());
    instructionSet_ = lines[1];
    isConnected_ = true;
  }
  void work() override {
    using Clock = std::chrono::steady_clock;
    auto heard = Clock::now();
    while (!ends_) {
      pollfd wanted[2] = {{waker_.fd(), POLLIN, 0}, {socket_.fd(), POLLIN, 0}};
      ::poll(wanted, socket_.isOpen() ? 2 : 1, !follows_ ? -1 : socket_.isOpen() ? kLook : kAgain);
      waker_.clear();
      if (ends_) return;
      if (!follows_) {
        if (socket_.isOpen()) lose("");
        continue;
      }
      try {
        if (!socket_.isOpen()) {
          connect();
          runner_->follow(listener_);
          heard = Clock::now();
        } else if (wanted[1].revents) {
          if (!receive()) throw InputError("the lecturer left");
          heard = Clock::now();
        } else if (Clock::now() - heard > std::chrono::milliseconds(kSilence)) {
          throw InputError("the lecturer is silent");
        }
        answer();
      } catch (const std::exception& e) {
        lose(e.what());
      }
    }
  }
  // False: the lecturer is gone.
  bool receive() {
    std::string bytes;
    if (!receiveSome(socket_, bytes)) return false;
    received_ += bytes.size();
    reader_.add(bytes);
    while (const std::optional<Record> record = reader_.next()) {
      if (record->kind == RecordKind::refusal)
        throw InputError(io::oneLine(io::validUtf8(record->body)));
      if (record->kind == RecordKind::shown) {
        const Shown shown = shownFrom(record->body);
        const std::lock_guard lock(mutex_);
        shown_ = shown;
        runner_->publish();
        continue;
      }
      listener_->take(*record);
      runner_->heard();
    }
    return true;
  }
  void answer() {
    const char standing =
        listener_->status().standing == Listener::Standing::inStep ? kInStep : kNotInStep;
    std::string bytes;
    if (listener_->takeWish()) bytes += kWantsState;
    if (standing != answered_) bytes += standing;
    answered_ = standing;
    if (!bytes.empty()) send(bytes);
  }
  void send(std::string_view bytes) {
    const auto sent = sendSome(socket_, bytes);
    if (sent > 0) sent_ += static_cast<std::uint64_t>(sent);
  }
  void lose(const std::string& why) {
    socket_.close();
    const bool was = isConnected_.exchange(false);
    listener_->forget();
    {
      const std::lock_guard lock(mutex_);
      trouble_ = why;
      shown_ = {};
    }
    runner_->heard();
    if (was) runner_->publish();
  }
  Record nextRecord(int milliseconds) {
    while (true) {
      if (std::optional<Record> record = reader_.next()) return *record;
      pollfd wanted{socket_.fd(), POLLIN, 0};
      std::string bytes;
      if (::poll(&wanted, 1, milliseconds) <= 0 || !receiveSome(socket_, bytes))
        throw InputError("no lesson at {}: it does not answer", address_.text());
      received_ += bytes.size();
      reader_.add(bytes);
    }
  }

  Address address_;
  std::string instructionSet_;
  std::shared_ptr<Listener> listener_ = std::make_shared<Listener>();
  Descriptor socket_;
  RecordReader reader_;
  char answered_ = 0;
  std::atomic<std::uint64_t> received_{0}, sent_{0};
  std::atomic<bool> follows_{true}, isConnected_{false};
  mutable std::mutex mutex_;
  std::string trouble_;  // why it is not connected
  Shown shown_;
};

}  // namespace cellscope::lesson
