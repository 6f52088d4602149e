// Moments of a run in a bounded memory. When it is full, moments go that lie close to their
// neighbours for their age: the newest stay dense, older ones become sparser, the first stays.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/run/session.h"

namespace cellscope {

class MomentStore {
 public:
  using Item = std::shared_ptr<const Session::Moment>;
  static constexpr std::size_t kMost = 400;

  explicit MomentStore(std::size_t limitBytes = 0) : limit_(limitBytes) {}

  // In order of the run; one at the same place is replaced. False: the memory does not hold two of
  // this size, and nothing was kept.
  bool add(Item moment);
  void eraseAfter(const Session::Moment& moment);  // those later in the run
  void clear();
  void limitTo(std::size_t bytes);

  std::size_t limit() const { return limit_; }
  std::size_t bytes() const { return bytes_; }
  const std::vector<Item>& items() const { return items_; }
  // The last one at this step or earlier; null: none.
  Item before(std::uint64_t step) const;
  Item nearest(std::uint64_t step) const;  // null: empty

 private:
  void thin();

  std::size_t limit_ = 0, bytes_ = 0;
  std::vector<Item> items_;
};

// Whether `a` comes before `b` in the same run.
bool isEarlier(const Session::Moment& a, const Session::Moment& b);

}  // namespace cellscope
