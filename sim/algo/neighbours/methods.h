// The list of builders of neighbour lists. A new one is its folder, which declares its two
// factories (sim/algo/neighbours/cells.h shows how), and a line in listMethods().
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/algo/neighbours/builder.h"

namespace cellscope {

struct ListMethod {
  const char* key;        // in scenarios: "cells"
  const char* label;      // in panels: "lists from cells"
  const char* help;       // what it does, with the paper's equation or algorithm
  std::uint32_t cluster;  // particles that share a list
  bool oneSearchOnCpu;    // both searches are the same there
  // What the builder allocates for this input, beside the list itself.
  std::size_t (*bytesFor)(const ListInput& input, const ListOptions& options);
  // On the backend of this exec. The CUDA one exists in builds with CUDA only.
  std::unique_ptr<ListBuilder> (*make)(const exec::Shared& exec, const ListOptions& options);

  bool differs(ListSearch search, Backend where) const {
    return search != ListSearch::fast && cluster == 1 && !(oneSearchOnCpu && where == Backend::cpu);
  }
};

const std::vector<ListMethod>& listMethods();

}  // namespace cellscope
