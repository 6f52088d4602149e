// One end of a lesson, as the window sees it.
#pragma once
#include <memory>
#include <string>

#include "sim/run/lesson.h"
#include "sim/run/runner.h"

namespace cellscope {

namespace lesson {

// What the lecturer shows beside the run.
struct Shown {
  bool pointer = false;
  double at[3] = {};    // of the pointer, in the box
  std::string caption;  // where in the lesson: "2 of 5 – Wrong on purpose"
  bool operator==(const Shown&) const = default;
};

}  // namespace lesson

class LessonLink {
 public:
  struct Words {
    std::string text, hover;
    bool isGood = false;
  };

  virtual ~LessonLink() = default;
  virtual void begin(Runner& runner) = 0;  // from now on, until end()
  virtual void end() = 0;
  virtual Words words() const = 0;

  // Of who follows. The state comes from there; null: this is the lecturer.
  virtual std::shared_ptr<lesson::Listener> lecturer() const { return nullptr; }
  virtual bool follows() const { return false; }  // at present
  virtual void follow(bool) {}                    // leave, and come back

  virtual void show(const lesson::Shown&) {}          // to those who follow
  virtual lesson::Shown shown() const { return {}; }  // by the lecturer
};

}  // namespace cellscope
