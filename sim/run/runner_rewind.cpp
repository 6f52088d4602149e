// The Runner's thread: going back in the run.
#include <fmt/format.h>

#include <cmath>

#include "sim/run/runner_impl.h"

namespace cellscope {

void Runner::keepMoments(std::size_t bytes) {
  impl_->post(
      {.act = [i = impl_.get(), bytes] { i->rewind.limitTo(bytes); }, .needsSession = false});
}

void Runner::stepBack() {
  impl_->post({.act = [i = impl_.get()] { i->stepBack(); }});
}

void Runner::goNear(std::uint64_t step) {
  impl_->post({.kind = Impl::Kind::place, .act = [i = impl_.get(), step] {
                 i->goBack([&] { return i->rewind.goNear(*i->session, step); });
               }});
}

void Runner::forwardToEnd() {
  impl_->post({.act = [i = impl_.get()] {
    i->goBack([&] { return i->rewind.forwardToEnd(*i->session); });
  }});
}

// A change of the run; made at an earlier moment it begins a new branch.
void Runner::Impl::change(const std::function<void()>& act) {
  const std::size_t edits = session->log().edits.size();
  act();
  if (session->log().edits.size() == edits || !rewind.changed(*session, edits)) return;
  say(Severity::info,
      fmt::format("A new branch of the run begins at {} {}; the one before stays in the plots as a "
                  "pale line",
                  info->stepName, session->step()));
}

void Runner::Impl::keepMoment(bool single) {
  if (!session) return;
  const bool fitted = rewind.needed() == 0;
  guarded([&] { rewind.look(*session, single); }, false);
  if (!fitted || rewind.needed() == 0) return;
  constexpr double kMiB = 1 << 20;
  say(Severity::warning,
      fmt::format("one cannot go back in this run: a state takes {:.0f} MiB, and of the {:.0f} MiB "
                  "for earlier moments at least two must fit; a larger --rewind-memory allows it",
                  std::ceil(static_cast<double>(rewind.needed()) / kMiB),
                  static_cast<double>(rewind.store().limit()) / kMiB));
}

void Runner::Impl::goBack(const std::function<bool()>& act) {
  pause();
  if (act()) batch = 1;
}

void Runner::Impl::stepBack() {
  workName = "Going one step back";
  goBack([&] {
    return rewind.stepBack(*session, [&](double share) {
      watchWork({"computing steps again from an earlier moment", share});
    });
  });
}

}  // namespace cellscope
