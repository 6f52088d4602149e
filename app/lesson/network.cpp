#include "app/lesson/link.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/text_lines.h"

namespace cellscope::lesson {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses addressesOf(const Address& a, bool toListen) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = toListen ? AI_PASSIVE : 0;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(a.host.c_str(), a.port.c_str(), &wanted, &found);
  if (error != 0) throw InputError("no computer '{}': {}", a.host, gai_strerror(error));
  return Addresses(found, freeaddrinfo);
}

Descriptor socketFor(const addrinfo& a) {
  return Descriptor(
      ::socket(a.ai_family, a.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a.ai_protocol));
}

void sendAtOnce(const Descriptor& socket) {
  const int on = 1;
  setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// 0, or why there is no connection.
int connected(const Descriptor& socket, const addrinfo& a, int milliseconds) {
  if (::connect(socket.fd(), a.ai_addr, a.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd wanted{socket.fd(), POLLOUT, 0};
  if (::poll(&wanted, 1, milliseconds) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

}  // namespace

std::string greeting() {
  std::string text = std::string(kGreetingMark) + programVersion();
  text.resize(kGreetingBytes, '\0');
  return text;
}

std::string Address::text() const {
  return host.find(':') == host.npos ? host + ":" + port : "[" + host + "]:" + port;
}

Address addressFrom(const std::string& text) {
  const std::size_t bracket = text.rfind(']'), colon = text.rfind(':');
  const bool isIn6 = text.starts_with('[') && bracket != text.npos;
  const bool is6 = !isIn6 && std::ranges::count(text, ':') > 1;
  const bool hasPort = !is6 && colon != text.npos && (!isIn6 || colon == bracket + 1);
  Address a{text.substr(0, hasPort ? colon : text.size()),
            hasPort ? text.substr(colon + 1) : fmt::format("{}", kUsualPort)};
  if (isIn6) a.host = text.substr(1, bracket - 1);
  const auto port = io::numberOf<int>(a.port);
  if (a.host.empty() || !port || *port < 1 || *port > 65535)
    throw InputError("'{}' is no address; write HOST or HOST:PORT with a port from 1 to 65535",
                     text);
  return a;
}

Descriptor listenAt(const std::string& host, int port) {
  const Address a{host, fmt::format("{}", port)};
  const Addresses found = addressesOf(a, true);
  Descriptor socket = socketFor(*found);
  const int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.fd(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(socket.fd(), 64) != 0)
    throw InputError("no lesson can be served at {}: {}; choose another --port or --address",
                     a.text(), std::strerror(errno));
  return socket;
}

Descriptor connectTo(const Address& address, int milliseconds) {
  const Addresses found = addressesOf(address, false);
  int error = 0;
  for (const addrinfo* a = found.get(); a; a = a->ai_next) {
    Descriptor socket = socketFor(*a);
    error = socket.isOpen() ? connected(socket, *a, milliseconds) : errno;
    if (error != 0) continue;
    sendAtOnce(socket);
    return socket;
  }
  throw InputError(
      "no lesson at {}: {}; the lecturer starts one with `cellscope lesson SCENARIO --serve "
      "--address A`",
      address.text(), std::strerror(error));
}

int portOf(const Descriptor& socket) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&at), &size);
  return ntohs(at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&at)->sin6_port
                                        : reinterpret_cast<sockaddr_in*>(&at)->sin_port);
}

Descriptor accepted(const Descriptor& listening) {
  Descriptor socket(::accept4(listening.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.isOpen()) sendAtOnce(socket);
  return socket;
}

std::ptrdiff_t sendSome(const Descriptor& socket, std::string_view bytes) {
  const auto sent = ::send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent >= 0) return sent;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool receiveSome(const Descriptor& socket, std::string& to) {
  constexpr std::size_t kBlock = 65536;
  const std::size_t held = to.size();
  to.resize(held + kBlock);
  const auto got = ::recv(socket.fd(), to.data() + held, kBlock, 0);
  const bool isGone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  to.resize(held + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return !isGone;
}

}  // namespace cellscope::lesson
