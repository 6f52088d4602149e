// A second run beside that of a Runner: the same scenario with other settings (Scenario::against),
// step for step and phase for phase at the same place. Used from the thread of the session.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/run/rewind.h"
#include "sim/run/session.h"

namespace cellscope {

// What is published of it.
struct BesideState {
  std::shared_ptr<const Frame> frame;
  SharedList<ObservableSeries> observables;
  std::vector<Session::Setting> settings;  // that differ
  bool isWrong = false;                    // an experiment that breaks the physics is on
};

// Those of `earlier` that a frame has not checked itself.
void addOthers(std::vector<SelfCheck>& now, const std::vector<SelfCheck>& earlier);

class Beside {
 public:
  using Make = std::function<std::unique_ptr<Session>(const Scenario&)>;

  // Brings it to where `first` is: changes of other settings are made here as well. It begins where
  // `first` is at step 0. "", or why it cannot be there; it is gone then.
  std::string keepUp(const Session& first, const Make& make);
  void end();
  bool exists() const { return session_ != nullptr; }
  void limitTo(std::size_t bytes) { rewind_.limitTo(bytes); }  // Rewind::limitTo()
  void check() { checks_ = session_->mode().selfChecks(); }
  std::shared_ptr<const BesideState> state(const ViewRequest& view);

 private:
  bool differs(const std::string& key) const {
    const auto& against = session_->log().start.against;
    return std::any_of(against.begin(), against.end(),
                       [&](const auto& s) { return s.first == key; });
  }
  void begin(const Session& first, const Make& make);
  void advanceTo(std::uint64_t step);
  void set(const std::vector<Session::Setting>& settings);
  bool isMade(const std::vector<Edit>& edits, std::size_t k) const;
  void takeEdits(const std::vector<Edit>& edits);
  void undoWith(const Session& first);
  void takeValues(const Session& first);
  void go(const Session& first);

  std::unique_ptr<Session> session_;
  Rewind rewind_;
  std::uint64_t run_ = ~0ull;  // of the first
  bool lost_ = false;          // until the first is at step 0 again
  std::size_t edits_ = 0;      // of the first, seen so far
  std::vector<SelfCheck> checks_;
  SharedList<ObservableSeries> series_;
  std::uint64_t seriesVersion_ = ~0ull;
};

}  // namespace cellscope
