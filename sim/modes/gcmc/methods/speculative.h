// Speculative moves: several candidates at once.
#pragma once
#include <cstdint>
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/api/parameter.h"
#include "sim/modes/gcmc/touch.h"

namespace cellscope::gcmc {

struct SpeculativeParameters {
  std::int64_t candidates = 0;
  Choice speculativeBatch{0};

  void setOptions(GcmcOptions& o) const;
  void visitOptions(auto& v) {
    v({"candidates", "Candidates", "Execution"}, {0, kGcmcMostCandidates, 0, 32},
      {.smallest = "automatic",
       .help = "With speculative moves: moves evaluated at once, with the same state. The first "
               "accepted one is carried out, those after it are evaluated again. On CUDA they are "
               "corrected by the pairs with the particle that moved, and only those that now would "
               "choose another particle, and what follows them, are evaluated again. 0: about as "
               "many as it takes until one is accepted, on CUDA six, by the running acceptance. "
               "Larger: fewer rounds, and more evaluations discarded. The result does not depend "
               "on it, bit for bit.",
       .equation =
           "CPU: k = 1 / A; discarded: k - (1 - (1 - A)^k) / A of each round, A the acceptance",
       .actsWith = {"method", {"speculative"}}},
      candidates);
  }
  void visitExperiment(auto& v) {
    v({"speculative_batch", "Wrong batch of candidates", "Experiments"},
      {.choices = {{"none", "none"},
                   {"apply_all", "all accepted are carried out"},
                   {"count_discarded", "discarded ones count"}},
       .help = "Breaks the sampling on purpose, with speculative moves, whose candidates are "
               "rounds of their own then (16 where their number is left open). apply_all: all "
               "candidates that are accepted are carried out, though none has seen the others. "
               "count_discarded: those after the accepted one are not evaluated again and count as "
               "attempts; states in which moves are often accepted are sampled too often.",
       .equation = "P(state) is off by k A / (1 - (1 - A)^k), A: share of moves that it accepts",
       .touches = GcmcTouch::method,
       .actsWith = {"method", {"speculative"}}},
      speculativeBatch);
  }
};

void addTo(GcmcSpeculation& sum, const GcmcSpeculation& more);

class Method;
std::unique_ptr<const Method> makeSpeculativeMethod(const GcmcMethod& made);

}  // namespace cellscope::gcmc
