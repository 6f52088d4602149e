#include "sim/run/inspector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/digits.h"
#include "sim/base/words.h"

namespace cellscope {
namespace {

using Require = std::function<void(Mode&)>;
using Holds = std::function<std::optional<std::string>(Mode&)>;  // in words

// Of what holds or not at a state.
Condition level(const Require& require, const Holds& holds) {
  const auto was = std::make_shared<bool>();
  return {[=](Mode& mode) {
            require(mode);
            return *was = holds(mode).has_value();
          },
          [=](Mode& mode) {
            const std::optional<std::string> now = holds(mode);
            const bool before = std::exchange(*was, now.has_value());
            return now && !before ? *now : "";
          }};
}

// A value of the state: an observable, or the number of particles.
struct Value {
  std::string name;
  std::optional<std::size_t> observable;  // none: the number of particles

  double at(Mode& mode) const {
    return observable ? asked(mode).valueNow(*observable)
                      : static_cast<double>(mode.particleCount());
  }
  std::string words(double value) const { return fmt::format("{} = {}", name, compact(value, 8)); }
};

Condition compare(const Value& value, const std::string& by, double to) {
  return level([](Mode&) {},
               [=](Mode& mode) -> std::optional<std::string> {
                 const double x = value.at(mode);
                 if (!compares(x, by, to)) return std::nullopt;
                 return value.words(x);
               });
}

// Mean and variance of the changes before by Welford's recurrence; a jump is none of them.
Condition jump(const Value& value, double times) {
  struct Changes {
    double before = 0, mean = 0, squares = 0;
    int count = 0;
  };
  const auto of = std::make_shared<Changes>();
  const auto look = [=](Mode& mode) -> std::string {
    Changes& c = *of;
    const double now = value.at(mode), change = now - c.before;
    const double from = std::exchange(c.before, now);
    if (std::isnan(change)) return "";
    const double deviation = c.count > 1 ? std::sqrt(c.squares / (c.count - 1)) : 0;
    if (c.count >= Breakpoints::kChanges && std::abs(change - c.mean) > times * deviation)
      return fmt::format("{}, {} before; changes before had a standard deviation of {}",
                         value.words(now), compact(from, 8), compact(deviation, 3));
    const double off = change - c.mean;
    c.mean += off / ++c.count;
    c.squares += off * (change - c.mean);
    return "";
  };
  return {[=](Mode& mode) {
            of->before = value.at(mode);
            return false;
          },
          look};
}

Condition cellChange(ParticleId id) {
  const auto now = [=](Mode& mode) -> std::optional<GridCell> {
    const std::optional<CellGridPlace> grid = asked(mode).cellGrid();
    const std::optional<Vec3d> at = asked(mode).placesOf({id})[0];
    if (!grid || !at) return std::nullopt;
    return cellAt(*grid, asked(mode).boxNow(), *at);
  };
  const auto cell = std::make_shared<std::optional<GridCell>>();
  const auto begin = [=](Mode& mode) {
    if (!asked(mode).cellGrid())
      throw InputError(
          "the method has no cells now; allowed: methods that sort particles into cells");
    whereIs(mode, id);
    *cell = now(mode);
    return false;
  };
  return {begin, [=](Mode& mode) -> std::string {
            const std::optional<GridCell> next = now(mode), last = std::exchange(*cell, next);
            if (!next || !last || *next == *last) return "";
            const int d = asked(mode).boxNow().dimension;
            return fmt::format("from {} to {}", inWords(*last, d), inWords(*next, d));
          }};
}

Condition pairWithin(ParticleId a, ParticleId b, double within) {
  const auto require = [=](Mode& mode) {
    for (const ParticleId id : {a, b}) whereIs(mode, id);
  };
  return level(require, [=](Mode& mode) -> std::optional<std::string> {
    const auto at = asked(mode).placesOf({a, b});
    if (!at[0] || !at[1]) return std::nullopt;
    const Vec3d d = asked(mode).boxNow().minimumImage(*at[1] - *at[0]);
    const double r = std::sqrt(dot(d, d));
    if (!(r < within)) return std::nullopt;
    return fmt::format("{} apart", compact(r, 6));
  });
}

Condition gone(ParticleId id) {
  return level([=](Mode& mode) { whereIs(mode, id); },
               [=](Mode& mode) -> std::optional<std::string> {
                 if (asked(mode).placesOf({id})[0]) return std::nullopt;
                 return fmt::format("{} particles are left", mode.particleCount());
               });
}

// Of the self-check of that name, or of any.
Condition lamp(Words& words) {
  std::string name;
  std::string word = words.take("'red', or the name of a self-check and 'red'");
  for (; word != "red"; word = words.take("'red'")) name += (name.empty() ? "" : " ") + word;
  name = lowered(name);
  const auto means = [=](const SelfCheck& c) { return name.empty() || lowered(c.label) == name; };
  const auto require = [=](Mode& mode) {
    std::vector<std::string> labels;
    for (const SelfCheck& c : mode.selfChecks()) {
      if (means(c)) return;
      labels.push_back(c.label);
    }
    throw InputError("no self-check is named \"{}\"; there are: {}", name, fmt::join(labels, ", "));
  };
  return level(require, [=](Mode& mode) -> std::optional<std::string> {
    for (const SelfCheck& c : mode.selfChecks())
      if (!c.ok && means(c)) return c.label + ": " + c.detail;
    return std::nullopt;
  });
}

Value valueOf(const std::string& name, const ModeInfo& mode) {
  const auto& all = mode.observables;
  for (const auto part : {&ObservableInfo::id, &ObservableInfo::symbol})
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].*part == name) return {name, k};
  if (name == "N") return {name, std::nullopt};
  std::vector<std::string> ids = {"N"};
  for (const ObservableInfo& o : all) ids.push_back(o.id);
  throw InputError(
      "\"{}\" is no observable and begins no condition; observables: {}; conditions: {}", name,
      fmt::join(ids, ", "), kConditions);
}

Condition conditionOf(Words& words, const ModeInfo& mode) {
  const std::string first = words.take("a condition: " + std::string(kConditions));
  if (first == "cell") {
    const ParticleId which = words.id();
    words.expect("changes");
    return cellChange(which);
  }
  if (first == "pair") {
    const ParticleId a = words.id(), b = words.id();
    if (a == b) throw InputError("a pair is of two particles");
    words.expect("within");
    return pairWithin(a, b, words.number("a distance"));
  }
  if (first == "particle") {
    const ParticleId which = words.id();
    words.expect("gone");
    return gone(which);
  }
  if (first == "lamp") return lamp(words);
  const Value value = valueOf(first, mode);
  const std::string by = words.sign("jumps");
  if (by != "jumps") return compare(value, by, words.number("a number"));
  const double times = words.number("a number of standard deviations");
  if (!(times > 0)) throw InputError("a jump is of more than 0 standard deviations");
  return jump(value, times);
}

}  // namespace

bool Breakpoints::add(const std::string& text, Session& session) {
  try {
    Words words(text);
    Item item{text, conditionOf(words, session.mode().info())};
    words.requireEnd(kConditions);
    const bool holds = item.condition.begin(session.mode());
    all_.push_back(std::move(item));
    return holds;
  } catch (const InputError& e) {
    throw InputError("\"{}\": {}", text, e.what());
  }
}

std::vector<std::string> Breakpoints::moveTo(Session& session) {
  std::vector<std::string> lost;
  for (Item& item : std::exchange(all_, {})) {
    try {
      add(item.text, session);
    } catch (const InputError& e) {
      lost.emplace_back(e.what());
    }
  }
  return lost;
}

// What went since is never seen again: such a condition stays as it is.
void Breakpoints::arm(Session& session) {
  if (std::exchange(armed_, true)) return;
  for (Item& item : all_) {
    try {
      item.condition.begin(session.mode());
    } catch (const InputError&) {
    }
  }
}

std::string Breakpoints::look(Session& session) {
  std::string all;
  for (Item& item : all_)
    if (const std::string why = item.condition.look(session.mode()); !why.empty())
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", and ", item.text, why);
  return all;
}

}  // namespace cellscope
