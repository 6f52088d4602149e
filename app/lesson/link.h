// One end of a lesson, as the window sees it.
#pragma once
#include <memory>
#include <string>

#include "sim/run/lesson.h"
#include "sim/run/runner.h"

namespace cellscope {

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
};

}  // namespace cellscope
