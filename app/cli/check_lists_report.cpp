// Reports of `cellscope check-lists`: text, table and JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/cli/check_lists_report.h"
#include "sim/algo/list_check/check.h"

namespace cellscope::cli {
namespace {

using list_check::Kind;
using list_check::kindName;
using list_check::Report;
using list_check::Wrong;

std::string lengthText(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; }

// What a particle is called; "": as its place.
std::string idText(const PairList& l, std::int64_t k) {
  const bool known = k >= 0 && k < static_cast<std::int64_t>(l.id.size());
  return known ? fmt::format("{}", l.id[static_cast<std::size_t>(k)]) : "";
}

bool hasOtherIds(const PairList& l) {
  for (std::size_t k = 0; k < l.id.size(); ++k)
    if (l.id[k] != static_cast<std::int64_t>(k)) return true;
  return false;
}

std::string tableRow(const Wrong& w, const PairList& l, bool ids) {
  return fmt::format("  {:<18}{:>9}{:>9}   {:<12}{:>12}{:>12}{:>12}", kindName(w.kind), w.i, w.j,
                     fmt::format("{} {} {}", w.shift[0], w.shift[1], w.shift[2]),
                     lengthText(w.distance), lengthText(w.toFace), lengthText(w.toWall)) +
         (ids ? fmt::format("{:>12}{:>12}\n", idText(l, w.i), idText(l, w.j)) : "\n");
}

// Rows of the first pairs of each kind.
std::string tableText(const PairList& l, const std::vector<Wrong>& wrong, std::size_t most) {
  const bool ids = hasOtherIds(l);
  std::string text;
  std::size_t ofKind = 0;
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    ofKind = k > 0 && wrong[k].kind == wrong[k - 1].kind ? ofKind + 1 : 0;
    if (ofKind < most) text += tableRow(wrong[k], l, ids);
  }
  if (text.empty()) return "";
  return fmt::format("  {:<18}{:>9}{:>9}   {:<12}{:>12}{:>12}{:>12}{}\n", "", "i", "j", "S",
                     "distance", "from face", "from wall",
                     ids ? fmt::format("{:>12}{:>12}", "id of i", "id of j") : "") +
         text;
}

using nlohmann::ordered_json;

ordered_json numberOrNull(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); }

// One item on a line.
template <class List, class Item>
std::string jsonList(const List& list, const Item& item) {
  std::string all;
  for (const auto& one : list) all += (all.empty() ? "\n    " : ",\n    ") + item(one).dump();
  return "[" + all + "]";
}

ordered_json jsonOf(const Wrong& w, const PairList& l) {
  ordered_json one = {{"kind", kindName(w.kind)},
                      {"i", w.i},
                      {"j", w.j},
                      {"S", w.shift},
                      {"distance", numberOrNull(w.distance)},
                      {"from_face", numberOrNull(w.toFace)},
                      {"from_wall", numberOrNull(w.toWall)}};
  for (const auto& [key, k] : {std::pair("id_i", w.i), std::pair("id_j", w.j)})
    if (const std::string id = idText(l, k); !id.empty()) one[key] = std::stoll(id);
  return one;
}

using Key = std::tuple<Kind, std::int64_t, std::int64_t, list_check::Shift>;
Key keyOf(const Wrong& w) { return {w.kind, w.i, w.j, w.shift}; }

}  // namespace

std::string reportText(const PairList& l, const Report& r, std::size_t most) {
  std::string text = fmt::format("{}: {}\n", l.file, list_check::headLine(l, r));
  const auto add = [&](const char* heading, const std::vector<std::string>& lines) {
    if (!lines.empty()) text += heading;
    for (const std::string& line : lines) text += "  " + line + "\n";
  };
  add("", list_check::noteLines(l, r));
  text += list_check::verdictLine(r) + "\n" + tableText(l, r.wrong, most);
  add("What they have in common:\n", list_check::causeLines(r));
  add("Wrong structures:\n", list_check::faultLines(r));
  return text;
}

std::string reportCsv(const PairList& l, const Report& r) {
  std::string text = "kind,i,j,S_a,S_b,S_c,distance,from_face,from_wall,id_i,id_j\n";
  for (const Wrong& w : r.wrong)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", kindName(w.kind), w.i, w.j,
                        w.shift[0], w.shift[1], w.shift[2], w.distance, w.toFace, w.toWall,
                        idText(l, w.i), idText(l, w.j));
  return text;
}

std::string reportJson(const PairList& l, const Report& r, const Seconds& seconds) {
  std::string counts;
  for (std::size_t k = 0; k < list_check::kFaults; ++k)
    counts += fmt::format("{}\"{}\": {}", k > 0 ? ", " : "", list_check::kKindNames[k], r.count[k]);
  const auto cause = [](const list_check::Cause& c) {
    return ordered_json{{"kind", kindName(c.kind)},
                        {"words", c.words},
                        {"share", c.share},
                        {"of_right_pairs", c.usual}};
  };
  const auto fault = [](const list_check::Fault& f) {
    return ordered_json{{"rule", f.rule}, {"count", f.count}, {"first", f.first}};
  };
  return fmt::format(
      R"({{
  "file": {},
  "right": {},
  "particles": {},
  "entries": {},
  "half": {},
  "expected": {},
  "at_cutoff": {},
  "tolerance": {},
  "seconds": {{"read": {:.3f}, "device": {:.3f}, "check": {:.3f}}},
  "counts": {{{}}},
  "causes": {},
  "structures": {},
  "wrong": {}
}}
)",
      ordered_json(l.file).dump(), r.isRight(), l.size(), r.entries, r.half, r.expected, r.atCutoff,
      r.tolerance, seconds.read, seconds.device, seconds.check, counts, jsonList(r.causes, cause),
      jsonList(r.faults, fault), jsonList(r.wrong, [&](const Wrong& w) { return jsonOf(w, l); }));
}

std::string comparisonText(const PairList& l, const Report& r, const PairList& other,
                           const Report& otherReport, std::size_t most) {
  const auto keys = [](const Report& report) {
    std::multiset<Key> all;
    for (const Wrong& w : report.wrong) all.insert(keyOf(w));
    return all;
  };
  const auto without = [](const Report& report, std::multiset<Key> known) {
    std::vector<Wrong> left;
    for (const Wrong& w : report.wrong)
      if (const auto at = known.find(keyOf(w)); at != known.end())
        known.erase(at);
      else
        left.push_back(w);
    return left;
  };
  const std::vector<Wrong> gone = without(r, keys(otherReport)),
                           more = without(otherReport, keys(r));
  std::string text =
      fmt::format("From {} to {}: {} wrong pairs are gone, {} are new, {} stay\n", l.file,
                  other.file, gone.size(), more.size(), r.wrong.size() - gone.size());
  Report changes;
  changes.half = r.half;
  list_check::addChanges(l, other, otherReport, changes);
  text += "  " + list_check::changesLine(l, other, changes) + "\n";
  if (!gone.empty()) text += "Gone:\n" + tableText(l, gone, most);
  if (!more.empty()) text += "New:\n" + tableText(l, more, most);
  if (!changes.wrong.empty()) text += "Changed:\n" + tableText(l, changes.wrong, most);
  return text;
}

}  // namespace cellscope::cli
