#include "sim/exec/ranks.h"

#include <csignal>
#include <cstdio>

#include "sim/base/error.h"

#ifdef CELLSCOPE_HAS_MPI
#define OMPI_SKIP_MPICXX
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#endif

namespace cellscope::exec {

namespace {

Ranks here;
bool abandoned = false;

struct RankHeader {
  RankWork work;
  std::uint64_t bytes;
};

}  // namespace

const Ranks& ranks() { return here; }
void abandonRanks() { abandoned = true; }
bool ranksAbandoned() { return abandoned; }

std::uint32_t rankObject() {
  static std::uint32_t last = 0;
  return here.own == 0 ? ++last : 0;
}

RankOrder::RankOrder(RankWork work, const void* order, std::size_t bytes) {
  if (here.own > 0 || here.count == 1) return;
  if (abandoned)
    throw RunError("the processes of this run cannot go on together; the last checkpoint is kept");
  RankHeader header{work, bytes};
  broadcast(&header, sizeof header);
  const auto* const from = static_cast<const std::byte*>(order);
  std::vector<std::byte> copy(from, from + bytes);
  if (bytes > 0) broadcast(copy.data(), bytes);
}

int serveRanks(const RankServices& services) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU})
    std::signal(signal, SIG_IGN);  // process 0 acts on them, and then dismisses the others
  try {
    for (;;) {
      RankHeader header{};
      broadcast(&header, sizeof header);
      if (header.work == RankWork::leave) return 0;
      std::vector<std::byte> order(header.bytes);
      broadcast(order.data(), order.size());
      services.at(header.work)(order.data());
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cellscope: process %d: %s\n", here.own, e.what());
    abandonRanks();
    return 1;
  }
}

void dismissRanks() {
  if (!abandoned) RankOrder(RankWork::leave, nullptr, 0);
}

#ifdef CELLSCOPE_HAS_MPI
namespace {

bool begun = false;

// Set by the launchers of Open MPI, MPICH and Slurm. MPI takes a third of a second to begin, and is
// left alone otherwise.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

// f(offset, count) for pieces of at most a gigabyte: MPI counts in int.
void inPieces(std::size_t bytes, const auto& f) {
  constexpr std::size_t kMost = 1 << 30;
  for (std::size_t at = 0; at < bytes; at += kMost)
    f(at, static_cast<int>(std::min(kMost, bytes - at)));
}

char* at(void* data, std::size_t offset) { return static_cast<char*>(data) + offset; }

}  // namespace

RankSession::RankSession() {
  if (begun || !launched()) return;
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  begun = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &here.own);
  MPI_Comm_size(MPI_COMM_WORLD, &here.count);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, here.own, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &here.onNode);
  MPI_Comm_free(&node);
}

RankSession::~RankSession() {
  if (!begun) return;
  if (abandoned) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  begun = false;
  here = {};
}

std::string mpiWords() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text);
  return all.substr(0, all.find_first_of(",\n"));
}

void broadcast(void* data, std::size_t bytes) {
  inPieces(bytes, [&](std::size_t offset, int n) {
    MPI_Bcast(at(data, offset), n, MPI_BYTE, 0, MPI_COMM_WORLD);
  });
}

void exchangeParts(const std::vector<RankPart>& out, const std::vector<RankPart>& in) {
  std::vector<MPI_Request> all;
  const auto begin = [&](const RankPart& part, const auto& call) {
    inPieces(part.bytes, [&](std::size_t offset, int n) {
      call(at(part.data, offset), n, MPI_BYTE, part.rank, 0, MPI_COMM_WORLD, &all.emplace_back());
    });
  };
  for (const RankPart& part : in) begin(part, MPI_Irecv);
  for (const RankPart& part : out) begin(part, MPI_Isend);
  MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
}

void exchangeAll(void* data, std::size_t bytes) {
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, data, static_cast<int>(bytes), MPI_BYTE, MPI_COMM_WORLD);
}

#else

RankSession::RankSession() = default;
RankSession::~RankSession() = default;
std::string mpiWords() { return "none in this build"; }
void broadcast(void*, std::size_t) {}
void exchangeParts(const std::vector<RankPart>&, const std::vector<RankPart>&) {}
void exchangeAll(void*, std::size_t) {}
#endif

}  // namespace cellscope::exec
