#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <cstring>

#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/run/inspector.h"

namespace cellscope {
namespace {

enum class Kind { single, sign, both, word };
Kind kindAt(const std::string& text, std::size_t i) {
  const char c = text[i];
  if (std::strchr("(),", c)) return Kind::single;
  if (std::strchr("<>=!", c)) return Kind::sign;
  return (c == '&' || c == '|') && i + 1 < text.size() && text[i + 1] == c ? Kind::both
                                                                           : Kind::word;
}

using Mask = std::vector<bool>;

// Evaluates as it reads: the value of each part is a mask over the particles.
class Selector {
 public:
  Selector(Mode& mode, const Configuration& all, const std::string& text)
      : mode_(mode), all_(all), words_(text) {}

  Mask whole() {
    Mask mask = any();
    words_.requireEnd(kSelections);
    return mask;
  }

 private:
  Mask any() { return joined("||", &Selector::every, std::logical_or<>()); }
  Mask every() { return joined("&&", &Selector::term, std::logical_and<>()); }
  Mask joined(const char* word, Mask (Selector::*part)(), const auto& join) {
    Mask mask = (this->*part)();
    while (words_.skip(word)) {
      const Mask other = (this->*part)();
      std::transform(mask.begin(), mask.end(), other.begin(), mask.begin(), join);
    }
    return mask;
  }
  Mask where(const std::function<bool(std::size_t)>& holds) const {
    Mask mask(all_.size());
    for (std::size_t k = 0; k < mask.size(); ++k) mask[k] = holds(k);
    return mask;
  }

  Mask term() {
    if (words_.skip("(")) {
      Mask mask = any();
      words_.expect(")");
      return mask;
    }
    const std::string first = words_.take(kSelections);
    if (first == "type") return ofType();
    if (first == "list") return listed();
    if (first == "cell") return inCell();
    if (first == "within") return near();
    return byNumber(first);
  }

  Mask ofType() {
    const std::string by = words_.sign();
    if (by != "==" && by != "!=") throw InputError("types compare by == and != only");
    const std::string name = words_.take("the name or number of a type");
    const std::vector<std::string> names = each(all_.species, &Species::name);
    const auto found = std::find(names.begin(), names.end(), name);
    auto type = static_cast<std::int64_t>(found - names.begin());
    if (found == names.end()) type = wholeFrom(name).value_or(-1);
    if (type < 0 || type >= std::ssize(names))
      throw InputError("there is no type \"{}\"; there are: {}, or by number 0 to {}", name,
                       fmt::join(names, ", "), names.size() - 1);
    return where([&](std::size_t k) { return (all_.typeOf(k) == type) == (by == "=="); });
  }

  Mask byNumber(const std::string& name) {
    constexpr const char* kNames[] = {"id", "x", "y", "z", "vx", "vy", "vz", "speed"};
    const auto at = static_cast<std::size_t>(std::find(std::begin(kNames), std::end(kNames), name) -
                                             std::begin(kNames));
    if (at == std::size(kNames))
      throw InputError("\"{}\" is not known; allowed: {}", name, kSelections);
    if (at > 3 && all_.velocities.empty())
      throw InputError("\"{}\": the particles of this mode have no velocities", name);
    const std::string by = words_.sign();
    const double to = words_.number("a number");
    return where([&](std::size_t k) {
      const double* const v = at > 3 ? all_.velocities.data() + 3 * k : nullptr;
      const double value = at == 0   ? static_cast<double>(all_.ids[k])
                           : at <= 3 ? all_.positions[3 * k + at - 1]
                           : at < 7  ? v[at - 4]
                                     : std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      return compares(value, by, to);
    });
  }

  Mask listed() {
    const ParticleId id = particle().first;
    const std::vector<Neighbour> near = asked(mode_).neighboursOf(id);
    if (std::none_of(near.begin(), near.end(), [](const auto& n) { return n.listed.has_value(); }))
      throw InputError("'list of {}': there are no neighbour lists, or nobody is near", id);
    return where([&](std::size_t k) {
      return std::any_of(near.begin(), near.end(), [&](const Neighbour& n) {
        return n.id == all_.ids[k] && n.listed.value_or(false);
      });
    });
  }

  Mask inCell() {
    const auto grid = asked(mode_).cellGrid();
    if (!grid) throw InputError("'cell': the method has no cells now");
    const Box box = asked(mode_).boxNow();
    GridCell wanted;
    if (words_.skip("(")) {
      for (int a = 0; a < box.dimension; ++a) {
        if (a > 0) words_.expect(",");
        const double at = words_.number("the number of a cell");
        if (!(at >= 0 && at < grid->cells[a]) || at != std::floor(at))
          throw InputError("there is no cell {} along {}; allowed: 0 to {}", at, "xyz"[a],
                           grid -> cells[a] - 1);
        wanted.at[a] = static_cast<int>(at);
      }
      words_.expect(")");
    } else {
      wanted = cellAt(*grid, box, particle().second);
    }
    return where([&](std::size_t k) { return cellAt(*grid, box, all_.place(k)) == wanted; });
  }

  Mask near() {
    const double r = words_.number("a distance");
    const auto [id, at] = particle();
    const Box box = asked(mode_).boxNow();
    return where([&, id = id, at = at](std::size_t k) {
      const Vec3d d = box.minimumImage(all_.place(k) - at);
      return all_.ids[k] != id && dot(d, d) < r * r;
    });
  }

  std::pair<ParticleId, Vec3d> particle() {
    const ParticleId id = words_.id();
    return {id, whereIs(mode_, id)};
  }

  Mode& mode_;
  const Configuration& all_;
  Words words_;
};

}  // namespace

Words::Words(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    const Kind kind = kindAt(text, i);
    std::size_t end = i + (kind == Kind::both ? 2 : 1);
    const bool goesOn = kind == Kind::sign || kind == Kind::word;
    while (goesOn && end < text.size() && kindAt(text, end) == kind &&
           !std::isspace(static_cast<unsigned char>(text[end])))
      ++end;
    all_.push_back(text.substr(i, end - i));
    i = end;
  }
  std::erase_if(all_, [](const std::string& word) {
    constexpr const char* kEmpty[] = {"of", "by", "is", "the", "comes", "turns", "s.d.", "sd"};
    return std::find(std::begin(kEmpty), std::end(kEmpty), word) != std::end(kEmpty);
  });
}

std::string Words::take(const std::string& what) {
  if (atEnd())
    throw InputError(next_ == 0 ? "it is empty; write " + what
                                : fmt::format("{} is missing after \"{}\"", what, all_[next_ - 1]));
  return all_[next_++];
}

double Words::number(const std::string& what) {
  const std::string text = take(what);
  const auto value = realFrom(text);
  if (!value || !std::isfinite(*value)) throw InputError("\"{}\" is not {}", text, what);
  return *value;
}

ParticleId Words::id() {
  const std::string text = take("a particle's id");
  const auto value = wholeFrom(text);
  if (!value || *value < 0)
    throw InputError("\"{}\" is no particle's id; allowed: 0 and above", text);
  return *value;
}

std::string Words::sign(const std::string& also) {
  const std::string by = take("a comparison" + (also.empty() ? "" : " or '" + also + "'"));
  constexpr const char* kSigns[] = {">", "<", ">=", "<=", "==", "!="};
  if (by != also && std::find(std::begin(kSigns), std::end(kSigns), by) == std::end(kSigns))
    throw InputError("\"{}\" does not compare; allowed: >, <, >=, <=, ==, !={}", by,
                     also.empty() ? "" : ", " + also);
  return by;
}

bool compares(double x, const std::string& sign, double to) {
  return sign == ">"    ? x > to
         : sign == "<"  ? x < to
         : sign == ">=" ? x >= to
         : sign == "<=" ? x <= to
         : sign == "==" ? x == to
                        : x != to && !std::isnan(x);
}

std::vector<bool> selectionOf(Mode& mode, const Configuration& all, const std::string& text) {
  try {
    return Selector(mode, all, text).whole();
  } catch (const InputError& e) {
    throw InputError("\"{}\": {}", text, e.what());
  }
}

std::size_t addSelection(Mode& mode, Frame& frame, const std::string& text) {
  const Configuration all = mode.configuration();
  const std::vector<bool> mask = selectionOf(mode, all, text);
  std::vector<PointInstance> rings;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (mask[k])
      rings.push_back({static_cast<float>(all.positions[3 * k]),
                       static_cast<float>(all.positions[3 * k + 1]),
                       static_cast<float>(all.positions[3 * k + 2]),
                       static_cast<float>(all.speciesOf(k).diameter), 0, 0, 0});
  LayerData layer;
  layer.key = "selected";
  layer.primitive = Primitive::points;
  layer.count = rings.size();
  layer.scale.title = fmt::format("selected: {} of {}", rings.size(), all.size());
  layer.scale.categories = {text};
  layer.scale.marks = {Mark::partner};
  if (!rings.empty()) layer.buffer = HostFrameBuffer::of(rings);
  layer.reason = "no particle is selected";
  frame.layers.push_back(std::move(layer));
  return rings.size();
}

}  // namespace cellscope
