// A lesson on the thread of a Runner: that of the lecturer, and those that follow.
#include <utility>

#include "sim/run/lesson.h"
#include "sim/run/runner.h"
#include "sim/run/runner_impl.h"

namespace cellscope {

Runner::Runner(const ExecConfig& config, std::shared_ptr<lesson::Listener> lecturer,
               const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(config, Impl::following(std::move(lecturer)), modes)) {}

void Runner::follow(std::shared_ptr<lesson::Listener> lecturer) {
  impl_->post(Impl::following(std::move(lecturer)));
}

// Of several that wait one is enough.
void Runner::heard() {
  impl_->post({.isLook = true,
               .kind = Impl::Kind::view,
               .key = "heard",
               .needsSession = false,
               .act = [](Impl& i) { i.hear(); }});
}

void Runner::publish() {
  impl_->post({.kind = Impl::Kind::view, .key = "publish", .act = [](Impl&) {}});
}

void Runner::visit(std::function<void(Session&, bool playing)> look) {
  impl_->post({.isLook = true,
               .kind = Impl::Kind::view,
               .key = "visit",
               .act = [look = std::move(look)](Impl& i) { look(*i.session, i.playing); }});
}

Runner::Impl::Command Runner::Impl::following(std::shared_ptr<lesson::Listener> lecturer) {
  return {.needsSession = false, .act = [lecturer = std::move(lecturer)](Impl& i) {
            i.lecturer = lecturer;
            if (lecturer) return i.hear();
            i.pause();
            if (i.out.scenario) i.speedLimit = i.out.scenario->speedLimit;
          }};
}

void Runner::Impl::hear() {
  if (!lecturer) return;
  if (lecturer->hasState()) takeLecturersState();
  if (!session) return;
  const bool played = playing;
  lecturer->advance(*session, 0);
  playing = lecturer->playing();
  speedLimit = lecturer->pace(*session);
  const lesson::Listener::Standing now = lecturer->status().standing;
  dirty |= playing != played || std::exchange(standing, now) != now;
}

// The view stays where it is the same scenario.
void Runner::Impl::takeLecturersState() {
  const std::shared_ptr<const Scenario> before = out.scenario;
  const ViewRequest looks = view;
  workName = "Taking over the lecturer's state";
  beginSetup(workName);
  try {
    adoptSession(lecturer->begin(config, modes, workReport()));
  } catch (...) {
    setup.reset();
    throw;
  }
  setup.reset();
  dirty = true;
  earlier.clear();
  checksStale = true;
  if (!before || before->name != out.scenario->name || before->mode != out.scenario->mode) return;
  out.scenario = before;
  view = looks;
}

}  // namespace cellscope
