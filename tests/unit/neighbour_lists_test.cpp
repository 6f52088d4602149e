// Neighbour lists of every method against brute force, on the CPU.
#include "sim/base/error.h"
#include "tests/support/list_states.h"

namespace cellscope {
namespace {

const exec::Shared& cpu() {
  static const exec::Shared exec = exec::makeExec({Backend::cpu, 2});
  return exec;
}

// Otherwise results would depend on the number of threads.
TEST(NeighbourLists, OrderIsThatOfOneThread) {
  const exec::Shared one = exec::makeExec({Backend::cpu, 1});
  for (const ListMethod& m : listMethods())
    for (const test::ListState& s : test::listStates())
      EXPECT_EQ(buildList(one, m, s.particles, s.box, s.table).neighbours,
                buildList(cpu(), m, s.particles, s.box, s.table).neighbours)
          << m.key << ": " << s.name;
}

// More neighbours than memory holds: the list is as it was before, and can be built.
TEST(NeighbourLists, WhatDoesNotFitLeavesTheRoomsAsTheyWere) {
  constexpr std::size_t kScratch = 100000000;  // more than the neighbours need
  NeighbourList list(Backend::cpu);
  ListInput in;
  in.n = 16384, in.box = cubicBox(30), in.countOfType = {in.n};
  in.table.set(0, 0, 2.5, 0.3);
  list.prepare(in, kScratch);
  const std::size_t bytes = list.bytes();
  const std::uint32_t room = list.roomOf(0);
  EXPECT_EQ(bytes, NeighbourList::bytesFor(in, kScratch));
  EXPECT_GE(list.itemMemory().bytes(), kScratch);
  EXPECT_THROW(list.grow({1, {4294967288u}}), OutOfMemory);
  EXPECT_EQ(list.roomOf(0), room);
  EXPECT_EQ(list.bytes(), bytes);
  EXPECT_EQ(list.growths(), 0u);
}

// What the states above stand for: the brute force finds pairs in nearly all of them, and the same
// ones for both partners.
TEST(NeighbourLists, BruteForceIsSymmetric) {
  std::size_t withPairs = 0;
  for (const test::ListState& s : test::listStates()) {
    const auto lists = test::listsByBruteForce(s);
    bool any = false;
    for (std::uint32_t i = 0; i < lists.size(); ++i)
      for (const std::uint32_t j : lists[i]) {
        any = true;
        EXPECT_TRUE(std::binary_search(lists[j].begin(), lists[j].end(), i)) << s.name;
      }
    withPairs += any;
  }
  EXPECT_GE(withPairs, test::listStates().size() - 2);
}

}  // namespace
}  // namespace cellscope
