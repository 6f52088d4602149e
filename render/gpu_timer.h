// Time that the GPU spends between two points of the command stream, known some frames later,
// without waiting for it. A GL context must be current.
#pragma once
#include <array>

#include "render/gl_object.h"

namespace cellscope::render {

class GpuTimer {
 public:
  void begin();
  void end();
  // Milliseconds of the last measurement that is known; negative before the first. From the first
  // to the last command, with whatever else the GPU did in between.
  double milliseconds() const { return milliseconds_; }
  void finish();  // waits for the measurements under way

 private:
  static constexpr std::size_t kUnderWay = 8;  // more frames than a driver queues
  struct Query {
    GlQuery name;
    bool asked = false;
  };
  void collect(bool wait);

  std::array<Query, kUnderWay> queries_;
  std::size_t next_ = 0;
  bool running_ = false;
  double milliseconds_ = -1;
};

}  // namespace cellscope::render
