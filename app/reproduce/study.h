// Studies repeat published results at full size. A study declares its name, help and options;
// folder, time, hardware, checkpoints and reports are the same for all (`cellscope help commands`).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/api/mode.h"
#include "sim/api/parameter.h"

namespace cellscope::reproduce {

// Options of a study, declared once by a visit() of their struct (OptionSet::Declare). Besides the
// fields of parameters (sim/api/parameter.h) there are lists of numbers, written 0.3,0.5. A key
// moves_per_cell is the option --moves-per-cell.

class Option {
 public:
  const ParameterInfo& info() const { return item_.info; }
  const std::string& name() const { return name_; }  // "--first-seed"
  bool isFlag() const { return std::holds_alternative<bool>(item_.fallback); }
  std::string allowed() const;  // "whole number 8 to 8192, several separated by commas"
  // As on the command line; "" when there is none or a flag is off.
  const std::string& fallback() const { return fallback_; }
  std::string text() const { return text_(); }  // current value
  bool changed() const { return text() != initial_; }
  bool given() const { return given_; }  // set(), be it to the value that it had
  // Throws InputError that names option, value and what is allowed, and leaves the field unchanged.
  void set(const std::string& text);

 private:
  friend class OptionSet;
  std::string name_, fallback_, initial_;
  bool given_ = false;
  Parameter item_;  // the field, or one item of a list
  std::function<std::string()> text_;
  std::function<void(const std::vector<ParameterValue>&)> store_;  // of a list
  bool isList() const { return store_ != nullptr; }
};

class OptionSet {
 public:
  static OptionSet of(auto& s) {
    OptionSet set;
    Declare declare{set};
    s.visit(declare);
    return set;
  }
  struct Declare {
    OptionSet& set;
    // A number, or a list of them; one of several words; a flag.
    void operator()(const char* key, double least, double most, const std::string& help,
                    auto& field) {
      set.add({.key = key, .min = least, .max = most, .help = help}, field);
    }
    void operator()(const char* key, const std::vector<ChoiceInfo>& choices,
                    const std::string& help, Choice& field) {
      set.add({.key = key, .choices = choices, .help = help}, field);
    }
    void operator()(const char* key, const std::string& help, bool& field) {
      set.add({.key = key, .help = help}, field);
    }
  };

  std::vector<Option>& items() { return items_; }
  const std::vector<Option>& items() const { return items_; }
  // By its name with or without dashes. Throws InputError when there is none.
  Option& at(const std::string& name);

 private:
  // One field as a parameter.
  template <class Field>
  struct Single {
    ParameterInfo info;
    Field& field;
    void visit(auto& v) { v(info, field); }
  };
  template <class Field>
  void add(const ParameterInfo& info, Field& field) {
    Single<Field> single{info, field};
    const Parameter item = ParameterSet::of(single).items().front();
    add(item, [get = item.get] { return std::vector{get()}; });
  }
  template <class Item>
  void add(const ParameterInfo& info, std::vector<Item>& list) {
    auto item = std::make_shared<Item>();
    Single<Item> single{info, *item};
    add(
        ParameterSet::of(single).items().front(),
        [&list] { return std::vector<ParameterValue>(list.begin(), list.end()); },
        [&list, item](const std::vector<ParameterValue>& values) {
          list.clear();
          for (const ParameterValue& v : values) list.push_back(std::get<Item>(v));
        });
  }
  // store: of a list; one field is set by its parameter.
  void add(const Parameter& item, const std::function<std::vector<ParameterValue>()>& get,
           std::function<void(const std::vector<ParameterValue>&)> store = {});

  std::vector<Option> items_;
};

// Exit codes of a study; 2 is bad input, as everywhere.
enum ExitCode : int { kAgrees = 0, kDiffers = 1, kNotJudged = 3 };
// The rule for them, for --help.
extern const char* const kJudging;

struct StudyInfo {
  std::string name, about;
  std::string notes;  // more help, below the options
  // Options by key and text that stand for the defaults on a CPU: a size that takes minutes there.
  std::vector<std::pair<std::string, std::string>> onCpu = {};
  bool resumes = false;  // a later call with the same folder goes on from its checkpoints
};

// Folder, time and hardware, set by the command line.
struct StudyContext {
  std::string folder;   // exists, and is locked by this program
  double minutes = 10;  // for the whole study
  ExecConfig exec;
  std::string name;     // of the report's files
  std::string command;  // command line shown in the report
  ModeFactory modes = {};
};

struct Study {
  std::string mode;  // key of the one that it is about
  StudyInfo info;
  OptionSet options;
  // Writes NAME.md and NAME.csv into the folder. Returns an ExitCode (Verdicts). Throws
  // InputError before any work when the options cannot be, RunError when it was stopped or a run
  // failed; rows that were known by then are written.
  std::function<int(const StudyContext&)> run;
};

// A study, yet of no mode, that is a function of its options, which have these defaults.
template <class Options>
Study makeStudy(StudyInfo info, int (*function)(const Options&, const StudyContext&),
                const Options& defaults = {}) {
  const auto options = std::make_shared<Options>(defaults);
  return {"", std::move(info), OptionSet::of(*options),
          [options, function](const StudyContext& context) { return function(*options, context); }};
}

std::vector<Study> allStudies();  // by mode

// Name and command line are those of the study with its present options; options that have their
// default value are left out. Sets those that have another default on a CPU.
StudyContext contextOf(Study& study, std::string folder, double minutes, const ExecConfig& exec);

// Reports of studies, and formatting of their numbers.

using Row = std::vector<std::string>;

// A table that is printed row by row and written as Markdown and CSV.
class Report {
 public:
  // Makes the folder. Throws InputError when it cannot be written to.
  Report(const StudyContext& context, const std::string& title, Row columns);
  void row(const Row& cells);
  void note(const std::string& line);  // a paragraph below the table
  // Rows of a running study, written but not printed; they replace earlier ones.
  void interim(std::vector<Row> rows);
  // All rows and notes of a finished study, written and printed.
  void final(const std::vector<Row>& rows, const std::vector<std::string>& notes);

 private:
  void write() const;  // after every row: a stopped study leaves its results

  std::string path_, head_;
  Row columns_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

struct Mean {
  double value = 0, error = 0;  // one standard error
};

// "9.17079(5)": value with the error in its last digits; "-" when it is not finite.
std::string compact(double value, double error);
inline std::string compact(const Mean& m) { return compact(m.value, m.error); }
// "+1.2"; never a zero with a sign. "-" when it is not finite.
std::string signedText(double value, int digits = 1);
// Difference in units of the combined standard error.
double deviation(const Mean& a, const Mean& b);
// Two numbers agree within this many combined errors: one pair in 370 fails by chance.
constexpr double kAllowed = 3;
// Fewest samples, or independent blocks, from which an error is estimated.
constexpr std::uint64_t kLeastSamples = 64;

// When a result is judged, the words for one that cannot be, and the exit code: one rule for all
// studies (kJudging).
class Verdicts {
 public:
  // A result beside its published value: its cell, "+1.2", "+4.0 (too far)", "+4.0 (too short to
  // judge)", "-" where nothing is published. longEnough: its study's condition is met.
  std::string compare(const Mean& ours, const Mean& published, bool longEnough);

  int judged() const { return agree_ + far_; }
  int far() const { return far_; }
  int exitCode() const;
  // "10 of 12 results were judged: 9 agree, 1 is too far. ..."
  std::string note() const;

 private:
  int agree_ = 0, far_ = 0, short_ = 0;
};
// Weighted by the errors; a NaN counts as missing.
Mean weighted(const Mean& a, const Mean& b);
// Throws RunError: the study was stopped and its rows are kept.
[[noreturn]] void throwStopped();

}  // namespace cellscope::reproduce
