#include "sim/run/breakpoints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <functional>

#include "sim/base/digits.h"
#include "sim/run/inspector.h"

namespace cellscope {
namespace {

using Require = std::function<void(Mode&)>;
using Holds = std::function<std::optional<std::string>(Mode&)>;  // in words

// Of a condition that holds or not at a state.
class Level final : public Condition {
 public:
  Level(Require require, Holds holds) : require_(std::move(require)), holds_(std::move(holds)) {}

  bool begin(Mode& mode) override {
    require_(mode);
    return was_ = holds_(mode).has_value();
  }
  std::string look(Mode& mode) override {
    const std::optional<std::string> now = holds_(mode);
    const bool before = std::exchange(was_, now.has_value());
    return now && !before ? *now : "";
  }

 private:
  const Require require_;
  const Holds holds_;
  bool was_ = false;
};

std::unique_ptr<Condition> level(Require require, Holds holds) {
  return std::make_unique<Level>(std::move(require), std::move(holds));
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

std::unique_ptr<Condition> compare(const Value& value, const std::string& by, double to) {
  return level([](Mode&) {},
               [=](Mode& mode) -> std::optional<std::string> {
                 const double x = value.at(mode);
                 if (!compares(x, by, to)) return std::nullopt;
                 return value.words(x);
               });
}

// Mean and variance of the changes before by Welford's recurrence; a jump is none of them.
class Jump final : public Condition {
 public:
  Jump(Value value, double times) : value_(std::move(value)), times_(times) {}

  bool begin(Mode& mode) override {
    before_ = value_.at(mode);
    return false;
  }
  std::string look(Mode& mode) override {
    const double now = value_.at(mode), change = now - before_;
    const double from = std::exchange(before_, now);
    if (std::isnan(change)) return "";
    const double deviation = count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0;
    if (count_ >= Breakpoints::kChanges && std::abs(change - mean_) > times_ * deviation)
      return fmt::format("{}, {} before; changes before had a standard deviation of {}",
                         value_.words(now), compact(from, 8), compact(deviation, 3));
    const double off = change - mean_;
    mean_ += off / ++count_;
    squares_ += off * (change - mean_);
    return "";
  }

 private:
  const Value value_;
  const double times_;
  double before_ = 0, mean_ = 0, squares_ = 0;
  int count_ = 0;
};

void requireParticle(Mode& mode, ParticleId id) {
  if (!asked(mode).placesOf({id})[0]) throw InputError(noSuchParticle(mode, id));
}

class CellChange final : public Condition {
 public:
  explicit CellChange(ParticleId id) : id_(id) {}

  bool begin(Mode& mode) override {
    if (!asked(mode).cellGrid())
      throw InputError(
          "the method has no cells now; allowed: methods that sort particles into cells");
    cell_ = now(mode);
    if (!cell_) throw InputError(noSuchParticle(mode, id_));
    return false;
  }
  std::string look(Mode& mode) override {
    const std::optional<GridCell> next = now(mode);
    const std::optional<GridCell> last = std::exchange(cell_, next);
    if (!next || !last || *next == *last) return "";
    const int d = asked(mode).boxNow().dimension;
    return fmt::format("from {} to {}", inWords(*last, d), inWords(*next, d));
  }

 private:
  std::optional<GridCell> now(Mode& mode) const {
    const std::optional<CellGridPlace> grid = asked(mode).cellGrid();
    const std::optional<Vec3d> at = asked(mode).placesOf({id_})[0];
    if (!grid || !at) return std::nullopt;
    return cellAt(*grid, asked(mode).boxNow(), *at);
  }

  const ParticleId id_;
  std::optional<GridCell> cell_;
};

std::unique_ptr<Condition> pairWithin(ParticleId a, ParticleId b, double within) {
  const auto require = [=](Mode& mode) {
    for (const ParticleId id : {a, b}) requireParticle(mode, id);
  };
  return level(require, [=](Mode& mode) -> std::optional<std::string> {
    const auto at = asked(mode).placesOf({a, b});
    if (!at[0] || !at[1]) return std::nullopt;
    const Vec3d d = asked(mode).boxNow().minimumImage(
        {at[1]->x - at[0]->x, at[1]->y - at[0]->y, at[1]->z - at[0]->z});
    const double r = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    if (!(r < within)) return std::nullopt;
    return fmt::format("{} apart", compact(r, 6));
  });
}

std::unique_ptr<Condition> gone(ParticleId id) {
  return level([=](Mode& mode) { requireParticle(mode, id); },
               [=](Mode& mode) -> std::optional<std::string> {
                 if (asked(mode).placesOf({id})[0]) return std::nullopt;
                 return fmt::format("{} particles are left", mode.particleCount());
               });
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Of the self-check of that name, or of any.
std::unique_ptr<Condition> lampRed(const std::string& named) {
  const std::string name = lowered(named);
  const auto means = [=](const SelfCheck& c) { return name.empty() || lowered(c.label) == name; };
  const auto require = [=](Mode& mode) {
    std::vector<std::string> labels;
    for (const SelfCheck& c : mode.selfChecks()) {
      if (means(c)) return;
      labels.push_back(c.label);
    }
    throw InputError("no self-check is named '{}'; there are: {}", name, fmt::join(labels, ", "));
  };
  return level(require, [=](Mode& mode) -> std::optional<std::string> {
    for (const SelfCheck& c : mode.selfChecks())
      if (!c.ok && means(c)) return c.label + ": " + c.detail;
    return std::nullopt;
  });
}

class Parser {
 public:
  Parser(const std::string& text, const ModeInfo& mode) : mode_(mode), words_(text) {}

  std::unique_ptr<Condition> parse() {
    std::unique_ptr<Condition> c = condition();
    words_.requireEnd(kConditions);
    return c;
  }

 private:
  std::unique_ptr<Condition> condition() {
    const std::string first = words_.take("a condition: " + std::string(kConditions));
    if (first == "cell") {
      auto cell = std::make_unique<CellChange>(words_.id());
      words_.expect("changes");
      return cell;
    }
    if (first == "pair") {
      const ParticleId a = words_.id(), b = words_.id();
      if (a == b) throw InputError("a pair is of two particles");
      words_.expect("within");
      return pairWithin(a, b, words_.number("a distance"));
    }
    if (first == "particle") {
      const ParticleId which = words_.id();
      words_.expect("gone");
      return gone(which);
    }
    if (first == "lamp") return lamp();
    const Value value = valueOf(first);
    const std::string by = words_.sign("jumps");
    if (by == "jumps") {
      const double times = words_.number("a number of standard deviations");
      if (!(times > 0)) throw InputError("a jump is of more than 0 standard deviations");
      return std::make_unique<Jump>(value, times);
    }
    return compare(value, by, words_.number("a number"));
  }

  std::unique_ptr<Condition> lamp() {
    std::string name;
    std::string word = words_.take("'red', or the name of a self-check and 'red'");
    for (; word != "red"; word = words_.take("'red'")) name += (name.empty() ? "" : " ") + word;
    return lampRed(name);
  }

  Value valueOf(const std::string& name) const {
    const auto& all = mode_.observables;
    for (const auto part : {&ObservableInfo::id, &ObservableInfo::symbol})
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].*part == name) return {name, k};
    if (name == "N") return {name, std::nullopt};
    std::vector<std::string> ids = {"N"};
    for (const ObservableInfo& o : all) ids.push_back(o.id);
    throw InputError(
        "'{}' is no observable and begins no condition; observables: {}; conditions: {}", name,
        fmt::join(ids, ", "), kConditions);
  }

  const ModeInfo& mode_;
  Words words_;
};

}  // namespace

std::unique_ptr<Condition> parseCondition(const std::string& text, const ModeInfo& mode) {
  return Parser(text, mode).parse();
}

bool Breakpoints::add(const std::string& text, Session& session) {
  try {
    Item item{text, parseCondition(text, session.mode().info())};
    const bool holds = item.condition->begin(session.mode());
    all_.push_back(std::move(item));
    return holds;
  } catch (const InputError& e) {
    throw InputError("'{}': {}", text, e.what());
  }
}

void Breakpoints::remove(std::size_t index) {
  if (index < all_.size()) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
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

std::vector<std::string> Breakpoints::texts() const {
  std::vector<std::string> texts;
  for (const Item& item : all_) texts.push_back(item.text);
  return texts;
}

// What went since is never seen again: such a condition stays as it is.
void Breakpoints::arm(Session& session) {
  if (std::exchange(armed_, true)) return;
  for (Item& item : all_) {
    try {
      item.condition->begin(session.mode());
    } catch (const InputError&) {
    }
  }
}

std::string Breakpoints::look(Session& session) {
  std::string all;
  for (Item& item : all_)
    if (const std::string why = item.condition->look(session.mode()); !why.empty())
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", and ", item.text, why);
  return all;
}

}  // namespace cellscope
