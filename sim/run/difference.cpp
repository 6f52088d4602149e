#include "sim/run/inspector.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <sstream>

#include "sim/base/digits.h"

namespace cellscope {
namespace {

// Of one step from the same state: sums of some 100 forces in another order differ by 1e-6 of them,
// which dt makes 1e-8; positions in single precision, in a box of 100, by 8e-6.
constexpr double kSameVelocity = 1e-5, kSamePlace = 2e-5;

using PairOf = std::pair<ParticleId, ParticleId>;
// How often each pair is listed, counted as in a list of both directions; none: the method has no
// lists.
std::optional<std::map<PairOf, int>> listedPairs(Mode& mode) {
  auto* const lends = dynamic_cast<LendsLists*>(&mode);
  if (!lends) return std::nullopt;
  PairList list;
  try {
    list = lends->neighbourLists();
  } catch (const InputError&) {
    return std::nullopt;
  }
  std::map<PairOf, int> all;
  for (std::size_t p = 0; p < list.i.size(); ++p) {
    const ParticleId a = list.id[static_cast<std::size_t>(list.i[p])];
    const ParticleId b = list.id[static_cast<std::size_t>(list.j[p])];
    all[std::minmax(a, b)] += list.half.value_or(false) ? 2 : 1;
  }
  return all;
}

struct Comparison {
  Table table{{{"what", "pair, decision or particle"},
               {"name", "Ids; of a decision the first column of the table of moves"},
               {"here", "As the run has it"},
               {"there",
                "With the other settings; dr, dv: how far place and velocity are from those here"}},
              {},
              ""};

  void say(const std::string& line) { table.note += (table.note.empty() ? "" : "\n") + line; }
  void add(const char* what, const std::string& name, const std::string& here,
           const std::string& there, ParticleId pick, const std::string& place = "") {
    table.rows.push_back({{{what, 0}, {name, 0}, {here, 0}, {there, 0}}, pick, place, true});
  }

  void pairs(Mode& a, Mode& b) {
    const auto here = listedPairs(a), there = listedPairs(b);
    if (!here || !there)
      return say(here || there ? "pairs: only one of both has lists" : "pairs: there are no lists");
    std::map<PairOf, std::pair<int, int>> both;
    for (const auto& [pair, count] : *here) both[pair].first = count;
    for (const auto& [pair, count] : *there) both[pair].second = count;
    std::size_t differ = 0;
    std::map<ParticleId, std::set<ParticleId>> near;
    // Within the cutoff; pairs that are not may be listed or not.
    const auto within = [&](const PairOf& pair) {
      const auto [of, isNew] = near.try_emplace(pair.first);
      if (isNew)
        for (const Neighbour& n : asked(a).neighboursOf(pair.first))
          if (n.within) of->second.insert(n.id);
      return of->second.count(pair.second) > 0;
    };
    const auto words = [](int count) {
      return count == 0   ? "not listed"
             : count == 2 ? "listed"
                          : fmt::format("listed {} / 2", count);
    };
    for (const auto& [pair, counts] : both) {
      if (counts.first == counts.second || !within(pair)) continue;
      ++differ;
      const std::string name = fmt::format("{} {}", pair.first, pair.second);
      add("pair", name, words(counts.first), words(counts.second), -1, name);
    }
    verdict("pairs within the cutoff", "listed pairs", differ, both.size());
  }

  void verdict(const char* what, const std::string& of, std::size_t differ, std::size_t all) {
    say(differ == 0 ? fmt::format("{}: none of {} {} differs", what, all, of)
                    : fmt::format("{}: {} of {} {} differ", what, differ, all, of));
  }

  void lamps(Mode& a, Mode& b) {
    for (Mode* const m : {&a, &b})
      for (const SelfCheck& c : m->selfChecks())
        if (!c.ok)
          say(fmt::format("red {}: {}, {}", m == &a ? "here" : "there", c.label, c.detail));
  }

  // Trial moves of the same number; of disks, the updates of each in their order.
  void decisions(Mode& a, Mode& b) {
    const Table here = asked(a).lastMoves(), there = asked(b).lastMoves();
    if (here.rows.empty() && there.rows.empty()) return say("decisions: " + here.note);
    std::map<std::pair<std::string, int>, std::pair<std::string, std::string>> all;
    std::map<std::string, int> seen[2];
    for (const Table* t : {&here, &there})
      for (const TableRow& row : t->rows) {
        const std::string& name = row.cells[0].text;
        auto& texts = all[{name, seen[t == &there ? 1 : 0][name]++}];
        std::string& text = t == &here ? texts.first : texts.second;
        for (std::size_t k = 1; k < row.cells.size(); ++k)
          if (t->columns[k].name != "energy") text += (text.empty() ? "" : " ") + row.cells[k].text;
      }
    std::size_t differ = 0;
    for (const auto& [name, texts] : all) {
      if (texts.first == texts.second) continue;
      ++differ;
      add("decision", name.first, texts.first, texts.second, -1);
    }
    verdict("decisions", "trial moves of the next step", differ, all.size());
  }

  void particles(const Configuration& a, const Configuration& b) {
    std::map<ParticleId, std::size_t> there;
    for (std::size_t k = 0; k < b.size(); ++k) there[b.ids[k]] = k;
    std::size_t differ = 0, all = a.size();
    const auto velocity = [](const Configuration& c, std::size_t k) {
      return Vec3d{c.velocities[3 * k], c.velocities[3 * k + 1], c.velocities[3 * k + 2]};
    };
    for (std::size_t k = 0; k < a.size(); ++k) {
      const auto found = there.find(a.ids[k]);
      const std::string name = std::to_string(a.ids[k]);
      if (found == there.end()) {
        ++differ, add("particle", name, "is there", "is not", a.ids[k]);
        continue;
      }
      const std::size_t m = found->second;
      const Vec3d d = a.box.minimumImage(b.place(m) - a.place(k));
      const Vec3d dv = a.velocities.empty() ? Vec3d{} : velocity(b, m) - velocity(a, k);
      const double r = std::sqrt(dot(d, d)), v = std::sqrt(dot(dv, dv));
      if (r > kSamePlace || v > kSameVelocity)
        ++differ, add("particle", name, "",
                      fmt::format("dr {}, dv {}", compact(r, 3), compact(v, 3)), a.ids[k]);
      there.erase(found);
    }
    for (const auto& [id, k] : there)
      ++differ, ++all, add("particle", std::to_string(id), "is not", "is there", -1);
    verdict("after one step", "particles", differ, all);
  }
};

void takeOver(Session& session, const std::string& settings) {
  Settings all;
  std::istringstream in(settings);
  for (std::string word; in >> word;) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos)
      throw InputError("'{}' is no setting; write KEY=VALUE without spaces", word);
    const std::string key = word.substr(0, at);
    Parameter& p = session.mode().parameters().at(key);
    if (p.info.effect == Effect::restart)
      throw InputError("'{}' determines the initial state: both would differ", key);
    const ParameterValue before = p.get();
    p.setText(word.substr(at + 1));
    all.emplace_back(key, p.get());
    p.set(before);
  }
  if (all.empty()) throw InputError("name the other settings: method=tree, for instance");
  session.set(all);
  session.finishPreparation();
}

}  // namespace

Table differenceTable(const std::string& checkpoint, const std::string& settings,
                      const ExecConfig& config, const ModeFactory& modes) {
  const auto here = Session::resumeFrom(checkpoint, "the run", config, modes);
  const auto there = Session::resumeFrom(checkpoint, "the run", config, modes);
  takeOver(*there, settings);
  Mode &a = here->mode(), &b = there->mode();
  Comparison c;
  for (Mode* const m : {&a, &b}) asked(*m).watchMoves(true);
  here->advance(1);
  there->advance(1);  // which builds lists again where settings ask for it
  c.lamps(a, b);
  c.pairs(a, b);
  c.decisions(a, b);
  c.particles(a.configuration(), b.configuration());
  return c.table;
}

Table tableOfRun(Session& session, const std::string& name, const ExecConfig& config,
                 const ModeFactory& modes) {
  constexpr std::string_view kAgainst = "against ";
  if (!name.starts_with(kAgainst)) return tableOf(session.mode(), name);
  if (session.mode().nextPhase() != 0) throw InputError("complete the step first");
  return differenceTable(session.checkpoint(), name.substr(kAgainst.size()), config, modes);
}

}  // namespace cellscope
