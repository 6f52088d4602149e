// One grid on several domains: strips of whole rows of cells, each with copies of the rows around
// it (halos). The result is that of one engine bit for bit, for any number of domains.
//
// What a row becomes in a sweep depends on the rows up to five away: four sub-sweeps and the shift
// each look one row further. With a halo of six a strip does a whole sweep by itself, and rows are
// exchanged once a sweep. What happens in a halo is thus computed twice, with the same random
// numbers, which belong to the cell of the grid. The shift moves the grid and with it all strips:
// a disk that crosses a wall is gathered from the halo, as from any neighbour cell.
#pragma once
#include <functional>

#include "sim/algo/mpmc/engine.h"
#include "sim/exec/ranks.h"

namespace cellscope {

// Strip k of `domains`: as equal as whole pairs of rows can be. Throws InputError when strips would
// be thinner than a halo of this many rows.
GridInfo stripOf(const GridInfo& grid, int domains, int k, int halo = kHaloRows);

// Rows of cells in host memory that the devices of `backend` reach as well.
class HaloBox {
 public:
  HaloBox() = default;
  HaloBox(Backend backend, std::size_t cells, std::size_t slots);
  bool there() const { return data_ != nullptr; }
  void* data() const { return data_.get(); }
  static std::size_t bytes(std::size_t cells, std::size_t slots) {
    return cells * (slots * (sizeof(Vec2) + sizeof(std::uint32_t)) + sizeof(std::uint8_t));
  }
  const CellRow& rows() const { return rows_; }

 private:
  std::shared_ptr<void> data_;
  CellRow rows_{};
};

// The strips of a grid, and their exchange: by memory that both sides reach (threads, CUDA devices
// with peer access), or through memory of the host, between processes by MPI.
//
// Every process has some of the domains, in order. What process 0 calls, the others call as well
// (RankWork::disks), with the same grid and cells that only process 0 has.
class Domains {
 public:
  explicit Domains(const ExecConfig& config);
  ~Domains();

  // From and to the cells of the whole grid, in the memory of `where`.
  void scatter(const DiskCellsView& whole, Backend where, int halo = kHaloRows);
  void gather(const DiskCellsView& whole, Backend where);
  // As MpmcEngine; disks that do not overlap, and no experiments but those of the shuffles and of
  // no shift.
  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count);
  // Of strips with halos of kStaleHaloRows, which stay as they are. `trace` has memory of the first
  // device; other devices record nothing.
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set, const MpmcTrace& trace = {});
  std::vector<HaloMessage> messages() const;  // as MpmcEngine
  void addTo(MpmcCounters& counters);
  void resetCounters();
  std::size_t bytes() const;

 private:
  struct Side {
    std::size_t beside = 0;  // the domain there, or kElsewhere
    HaloBox box[2];          // where its rows arrive, in even and odd sweeps; none: in the halo
    HaloBox out;             // where rows for another process are
    HaloMessage sent;        // last
  };
  static constexpr std::size_t kElsewhere = ~std::size_t{0};
  struct Domain {
    ExecConfig config;
    exec::Shared exec;
    std::unique_ptr<StripEngine> engine;
    Side side[2];  // towards row 0, and away from it
    void use() const { exec::useDeviceOf(config); }
  };

  static void note(Domain& d, int side, int row, std::size_t cells);
  std::size_t threads() const;
  void connect(const GridInfo& grid);
  bool direct(const Domain& d, const Side& s) const;
  RowCopy outgoing(const Domain& d, int side, std::uint64_t sweep) const;
  void send(Domain& d, std::uint64_t sweep);
  void passOn(std::uint64_t sweep);
  void receive(Domain& d, std::uint64_t sweep);
  // The domain with this number of all, where it is of this process.
  Domain* ofAll(int number);

  ExecConfig config_;
  std::uint32_t number_ = exec::rankObject();
  std::vector<Domain> domains_;
};

// RankWork::disks of processes other than 0.
std::function<void(const void*)> diskDomainService();

}  // namespace cellscope
