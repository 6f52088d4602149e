// Processes that compute one system together, started by mpirun. Number 0 is the program: it reads,
// decides and writes; the others do what it orders. One process without mpirun, and in a build
// without MPI.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace cellscope::exec {

// While it lives. Only the first one of a process does anything.
class RankSession {
 public:
  RankSession();
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;
};

struct Ranks {
  int own = 0, count = 1;
  int onNode = 0;  // own number among those of this machine
};
const Ranks& ranks();

// "Open MPI v4.1.4", or "none in this build".
std::string mpiWords();

// The bytes of number 0, to all.
void broadcast(void* data, std::size_t bytes);
template <class T>
void broadcast(std::vector<T>& v) {
  std::size_t n = v.size();
  broadcast(&n, sizeof n);
  v.resize(n);
  broadcast(v.data(), n * sizeof(T));
}
// To or from another process.
struct RankPart {
  int rank;
  void* data;
  std::size_t bytes;
};
// All at the same time; those from one process in the order in which it has them.
void exchangeParts(const std::vector<RankPart>& out, const std::vector<RankPart>& in);
inline void sendTo(int rank, void* data, std::size_t bytes) {
  exchangeParts({{rank, data, bytes}}, {});
}
inline void receiveFrom(int rank, void* data, std::size_t bytes) {
  exchangeParts({}, {{rank, data, bytes}});
}
// Bytes of process k at data + k * bytes, of all to all.
void exchangeAll(void* data, std::size_t bytes);
// After a failure in the middle of an exchange: the session ends by ending all processes.
void abandonRanks();
bool ranksAbandoned();

// What process 0 calls, for the others, by the kind of work it belongs to.
enum class RankWork : std::uint32_t { leave, disks, board, liquid };
// Number of a new object of process 0; the others have it in the order that begins the object.
std::uint32_t rankObject();
// While process 0 does what it ordered: a failure in between leaves the others waiting.
class RankOrder {
 public:
  // Without effect in the others, and in one process alone.
  RankOrder(RankWork work, const void* order, std::size_t bytes);
  ~RankOrder() {
    if (std::uncaught_exceptions() > exceptions_) abandonRanks();
  }
  RankOrder(const RankOrder&) = delete;
  RankOrder& operator=(const RankOrder&) = delete;

 private:
  int exceptions_ = std::uncaught_exceptions();
};
// What a process other than 0 does with the bytes of an order.
using RankServices = std::map<RankWork, std::function<void(const void*)>>;
// Does so until dismissRanks() in process 0; the exit code.
int serveRanks(const RankServices& services);
void dismissRanks();

// A service of objects by number. The orders that begin and end one are its own; obey(object,
// order) does the others.
template <class Order, class Make, class Obey>
auto rankService(const Make& make, const Obey& obey) {
  using Object = decltype(make(Order{}));
  return [=, all = std::make_shared<std::map<std::uint32_t, Object>>()](const void* bytes) {
    static_assert(std::is_trivially_copyable_v<Order>);
    Order order;
    std::memcpy(&order, bytes, sizeof order);
    if (order.kind == Order::begin)
      all->emplace(order.number, make(order));
    else if (order.kind == Order::end)
      all->erase(order.number);
    else
      obey(*all->at(order.number), order);
  };
}

}  // namespace cellscope::exec
