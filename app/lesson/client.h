// A follower's end: a thread that receives the lecturer's run, and connects again when it was lost.
// It writes no file and opens none.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "app/lesson/link.h"

namespace cellscope::lesson {

class Client : public LessonLink {
 public:
  // Connects, and throws InputError where there is no lesson, or one of another version.
  explicit Client(const std::string& address);
  ~Client() override;

  const std::string& instructionSet() const { return instructionSet_; }  // the lecturer's

  Words words() const override;
  std::shared_ptr<Listener> lecturer() const override { return listener_; }
  bool follows() const override { return follows_; }
  void follow(bool on) override;
  Shown shown() const override;

  bool isConnected() const { return isConnected_; }
  std::uint64_t bytesReceived() const { return received_; }
  std::uint64_t bytesSent() const { return sent_; }

 private:
  void connect();
  void work() override;
  bool receive();  // false: the lecturer is gone
  void answer();
  void send(std::string_view bytes);
  void lose(const std::string& why);
  Record nextRecord(int milliseconds);

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
