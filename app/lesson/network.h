// Connections of a lesson: TCP, never waiting but in poll().
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/io/files.h"

namespace cellscope::lesson {

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
  Waker();
  int fd() const { return event_.fd(); }
  void wake();
  void clear();  // what was woken for is done

 private:
  Descriptor event_;
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

}  // namespace cellscope::lesson
