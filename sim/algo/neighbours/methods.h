// The list of builders of neighbour lists. A new one is its folder and a line in methods.cpp.
#pragma once
#include "sim/algo/neighbours/builder.h"

namespace cellscope {

using MakeListBuilder = std::unique_ptr<ListBuilder>(const exec::Shared& exec,
                                                     const ListOptions& options);
using ListBuilderBytes = std::size_t(const ListInput& input, const ListOptions& options);

// A part of a build that is looked at by itself, and what there is of it where the list is kept.
struct ListPart {
  std::string words, kept;
};
// A parameter that is worth tuning for its lists.
struct ListChoice {
  std::string key, label;
  std::vector<std::string> values;
  bool ofPaperOnGpu = false;  // there the fast search does without
};

struct ListMethod {
  const char* key;        // in scenarios: "cells"
  const char* label;      // in panels: "lists from cells"
  const char* help;       // what it does, with the paper's equation or algorithm
  std::uint32_t cluster;  // particles that share a list
  bool oneSearchOnCpu;    // both searches are the same there
  // What the builder allocates for this input, beside the list itself.
  ListBuilderBytes* bytesFor;
  // On the backend of this exec. The CUDA one exists in builds with CUDA only.
  MakeListBuilder* make;
  std::vector<ListPart> parts;  // as ListBuilder::buildPart() counts them
  std::vector<ListChoice> tuned = {};
  // As in the paper a particle is compared with all in cells as wide as the longest reach.
  bool slowWherePaperIsDense = false;

  bool differs(ListSearch search, Backend where) const {
    return search != ListSearch::fast && cluster == 1 && !(oneSearchOnCpu && where == Backend::cpu);
  }
};

const std::vector<ListMethod>& listMethods();

// One list, built and taken to the host at once: for tests, and for looking at a list.
struct BuiltList {
  std::vector<std::vector<std::uint32_t>> neighbours;  // by slot, in the order of the list
  std::vector<std::uint32_t> checks;  // distance checks made for each slot, where counted
  std::uint64_t growths = 0;          // how often room had to be made
  std::uint64_t roomOf[kMostTypes] = {};
};

// Waits. Builds `builds` times with the same builder and returns the last list. counted: with the
// numbers of distance checks, for which a builder may take another search than its fastest.
BuiltList buildList(const exec::Shared& exec, const ListMethod& method,
                    const std::vector<ParticleRecord>& particles, const Box& box,
                    const PairTable& table, int builds = 1, bool counted = true,
                    const ListOptions& options = {});

using BuildList = BuiltList(const exec::Shared& exec, ListBuilder& builder,
                            const std::vector<ParticleRecord>& particles, ListInput input,
                            int builds, bool counted);
BuildList buildListCpu, buildListCuda;

// How many others are near each particle, by cells: a colour for methods that have no lists.
class NearCounter {
 public:
  virtual ~NearCounter() = default;
  // Of n positions in the box, with their types (kind; null: all of type 0): the numbers of others
  // within the reach of the pair of types, each once, by particle. All in the memory of the
  // backend. Does not wait.
  virtual const std::uint32_t* count(const Vec3d* position, const ParticleRecord* kind,
                                     std::size_t n, const Box& box, const PairTable& table) = 0;
  virtual std::size_t bytes() const = 0;
};

using MakeNearCounter = std::unique_ptr<NearCounter>(const exec::Shared& exec);
MakeNearCounter makeNearCounterCpu, makeNearCounterCuda;
inline constexpr MakeNearCounter* makeNearCounter =
    exec::makeOn<makeNearCounterCpu, makeNearCounterCuda>;

}  // namespace cellscope
