// What a mode may offer where two runs of it are shown beside each other.
#pragma once
#include "sim/api/mode.h"

namespace cellscope {

class RunsBeside {
 public:
  virtual ~RunsBeside() = default;

  // Domains that its pictures show: of the engine, or of an experiment that imitates them.
  virtual int domainsShown() const = 0;
  // It begins beside a run of the same mode: what that one measures because of an experiment is
  // measured here as well.
  virtual void beginBeside(const Mode& other) = 0;
};

}  // namespace cellscope
