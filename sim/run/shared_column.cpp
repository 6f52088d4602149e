#include "sim/run/shared_column.h"

#include <algorithm>

#include "sim/core/assert.h"

namespace cellscope {

void SharedColumn::moveTo(std::size_t capacity) {
  auto next = std::make_shared<Block>(capacity);
  if (block_) std::copy_n(block_->data.get(), shared_, next->data.get());
  next->used = shared_;
  block_ = std::move(next);
}

void SharedColumn::push_back(double value) {
  CELLSCOPE_ASSERT(!hasOwn_);
  constexpr std::size_t kFirst = 64;
  if (!block_ || shared_ == block_->capacity) moveTo(std::max(kFirst, 2 * shared_));
  std::size_t mine = shared_;
  // Another copy has appended here already.
  if (!block_->used.compare_exchange_strong(mine, shared_ + 1)) {
    moveTo(block_->capacity);
    block_->used = shared_ + 1;
  }
  block_->data[shared_++] = value;
}

SharedColumn SharedColumn::with(double last) const {
  CELLSCOPE_ASSERT(!hasOwn_);
  SharedColumn c = *this;
  c.hasOwn_ = true;
  c.own_ = last;
  return c;
}

SharedColumn::operator std::vector<double>() const { return {begin(), end()}; }

bool operator==(const SharedColumn& a, const SharedColumn& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace cellscope
