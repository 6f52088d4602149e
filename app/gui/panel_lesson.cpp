// A lesson that is followed: how it stands, leave and come back.
#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "app/lesson/link.h"

namespace cellscope::gui {

bool isInLesson(const Shell& shell) { return shell.lesson && shell.lesson->lecturer(); }

void lessonPanel(Shell& shell) {
  const LessonLink::Words words = shell.lesson->words();
  const bool follows = shell.isLed();
  textStrong(shell, words.text, words.isGood ? shell.colours->green : shell.colours->amber);
  textWrapped(shell,
              follows ? words.hover +
                            " Steps and parameters are the lecturer's; pick particles, "
                            "look around and choose layers and plots yourself."
                      : "The run is yours.",
              shell.colours->muted);
  if (button(shell, "lesson", follows ? "Leave the lesson" : "Come back", Icon::none, -1)) {
    shell.lesson->follow(!follows);
    shell.log->write("follow", follows ? "off" : "on");
  }
  tooltip(shell, follows ? "Leave the lesson" : "Come back",
          {follows ? "The run pauses here and can be changed; come back at any time."
                   : "Takes over the lecturer's state; what was changed here is given up."});
}

}  // namespace cellscope::gui
