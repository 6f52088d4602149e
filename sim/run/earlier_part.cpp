#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "sim/io/text_lines.h"
#include "sim/run/csv_log.h"

namespace cellscope {
namespace {

constexpr const char* kWayOut = "use another file for the rest of the run";

// Common to both kinds of files; `what`: "rows" or "frames".
class Part : public EarlierPart {
 public:
  Part(const std::string& path, const Session& session, const char* what)
      : path_(path), session_(session), id_(runId(session.log())), what_(what) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    size = std::filesystem::file_size(path, error);
    found = !error && size > 0;
  }

  bool cutting = false;  // what comes now is cut off
  bool isLater(std::uint64_t step) const { return step > session_.step(); }

  // From here on the file belongs to the run `id`; "": unknown.
  void ofRun(std::string_view id) {
    const std::string_view start = std::string_view(id_).substr(0, id_.find('-'));
    if (!id.empty() && id.substr(0, id.find('-')) != start) foreign_ = true;
    if (!cutting) run = id;
    current_ = id;
  }
  void keep(std::uint64_t bytes) {
    if (!cutting) kept = bytes;
  }
  // The end is incomplete and is removed, unless it may be something else.
  void tornEnd(bool ours) {
    if (!ours) refuse("holds no {} of this run", what_);
    torn = true;
  }
  void refuseOtherRuns() const {
    if (foreign_) refuse("belongs to another run with a different scenario, seed or parameters");
  }
  void rowOrFrame(std::uint64_t step) {
    refuseOtherRuns();
    if (isLater(step)) cutting = true;
    if (!cutting) {
      last = step;
      return;
    }
    ++later;
    if (current_.empty())
      refuse("contains {} after step {} of an unknown run", what_, session_.step());
    if (current_ != id_)
      refuse("continues after step {} with different parameter changes", session_.step());
  }
  template <class... Args>
  [[noreturn]] void refuseDamaged(fmt::format_string<Args...> what, Args&&... values) const {
    throw InputError("'{}' is damaged: {}; restore it from a copy, or {}", path_,
                     fmt::format(what, std::forward<Args>(values)...), kWayOut);
  }
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... values) const {
    throw InputError("'{}' {}; {}", path_, fmt::format(why, std::forward<Args>(values)...),
                     kWayOut);
  }

 private:
  const std::string& path_;
  const Session& session_;
  const std::string id_;
  const char* what_;
  std::string current_;
  bool foreign_ = false;
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes a whole number from the beginning.
std::optional<std::uint64_t> takeNumber(std::string_view& text) {
  std::uint64_t value = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
  if (r.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(r.ptr - text.data()));
  return value;
}

// A comment line; `step`: of the checkpoint.
void comment(Part& p, std::string_view text, std::uint64_t step) {
  if (take(text, "# run: ")) return p.ofRun(text);
  if (take(text, "# ended after step ")) return void(p.cutting = true);
  if (std::string_view column = text; take(column, "# column ") && !p.cutting) {
    p.columns[std::string(column.substr(0, column.find(':')))] = text.substr(2);
    return;
  }
  // A resumed part starts here.
  if (take(text, "# resumed after step ")) {
    if (takeNumber(text).value_or(0) >= step) p.cutting = true;
    return;
  }
  const bool parameter = take(text, "# parameter ");
  if (!parameter && (take(text, "# changed before step ") || take(text, "# changed after step "))) {
    if (p.isLater(takeNumber(text).value_or(0))) p.cutting = true;
    if (!take(text, ": ")) return;
  } else if (!parameter) {
    return;
  }
  const std::size_t is = text.find(" = ");
  if (!p.cutting && is != text.npos)
    p.parameters[std::string(text.substr(0, is))] = text.substr(is + 3);
}

// Of a frame that was being written there may be as little as a digit of the number of particles,
// which may be another one than now. After a frame of this run nothing else follows; a file that
// holds no more than a number is taken for a frame only if it is that of the particles.
bool beginsAFrame(const Part& p, const std::string& count, std::string_view note,
                  const Session& session) {
  const std::string_view lattice = "Lattice=";
  const bool number = !count.empty() && count.find_first_not_of("0123456789") == count.npos;
  return number && lattice.starts_with(note.substr(0, lattice.size())) &&
         (p.kept > 0 || !note.empty() ||
          std::to_string(session.mode().particleCount()).starts_with(count));
}

// Rows are at the multiples of sampleEvery, with one number per observable.
class Rows {
 public:
  Rows(Part& part, const Session& session)
      : part_(part),
        every_(session.log().start.sampleEvery),
        values_(session.mode().info().observables.size()),
        next_(every_) {}

  bool isStart(std::uint64_t step) const { return step == 0 && next_ == every_; }

  void add(std::string_view line, std::uint64_t number) {
    const std::vector<std::string> cells = io::splitAt(line, ',');
    const auto step = io::numberOf<std::uint64_t>(cells[0]);
    const auto isReal = [](const std::string& cell) {
      return io::numberOf<double>(cell).has_value();
    };
    if (!step || cells.size() != values_ + 1 ||
        !std::all_of(cells.begin() + 1, cells.end(), isReal))
      part_.refuseDamaged("line {} is not a row of numbers", number);
    if (!part_.cutting && !part_.isLater(*step) && *step != next_ && !isStart(*step))
      part_.refuseDamaged("line {} has step {}, where step {} was expected", number, *step, next_);
    next_ = *step + every_;
    part_.rowOrFrame(*step);
  }

  // Comments of CsvLog about samples that were not taken or not written.
  void gap(std::string_view comment) {
    const bool isGap =
        take(comment, "# the samples after step ") || take(comment, "# no samples after step ");
    if (!isGap || !takeNumber(comment) || !take(comment, ", up to step ")) return;
    const std::uint64_t last = takeNumber(comment).value_or(0);
    if (last >= next_) next_ = (last / every_ + 1) * every_;
  }

 private:
  Part& part_;
  const std::uint64_t every_;
  const std::size_t values_;
  std::uint64_t next_;
};

// The frame that begins in the current line. Returns false when it is incomplete.
bool frame(Part& p, io::TextLines& lines, const Session& session) {
  const std::string count(lines.line());
  const std::uint64_t number = lines.number();
  std::string note;
  bool whole = lines.complete() && lines.next();
  if (whole) note = lines.line();
  whole = whole && lines.complete();
  if (!whole) {
    p.tornEnd(beginsAFrame(p, count, note, session));
    return false;
  }
  const std::string step = io::xyzEntry(note, "Step").value_or("");
  const std::string run = io::xyzEntry(note, "Run").value_or("");
  std::string_view restOfCount = count, restOfStep = step;
  const std::optional<std::uint64_t> n = takeNumber(restOfCount), at = takeNumber(restOfStep);
  if (!n || !at) p.refuse("is not a trajectory: no frame with a Step begins in line {}", number);
  p.ofRun(run);
  p.refuseOtherRuns();
  std::uint64_t left = *n;
  while (left > 0 && lines.next()) --left;
  if (left > 0 || !lines.complete()) {
    p.tornEnd(!run.empty());
    return false;
  }
  if (io::xyzEntry(note, "End") && !p.isLater(*at)) {
    p.cutting = true;
    return true;
  }
  p.rowOrFrame(*at);
  p.keep(lines.end());
  return true;
}

}  // namespace

EarlierPart earlierRows(const std::string& path, const Session& session) {
  Part p(path, session, "rows");
  if (!p.found) return p;
  const std::string columns = csvColumns(session.mode().info());
  io::TextLines lines(path);
  bool found = false;  // the line of the columns
  Rows rows(p, session);
  while (lines.next() && lines.complete()) {
    std::string_view line = lines.line();
    if (!found)
      found = line == columns;
    else if (!line.empty() && line[0] != '#')
      rows.add(line, lines.number());
    if (line.starts_with('#')) {
      comment(p, line, session.step());
      rows.gap(line);
    }
    p.keep(lines.end());
  }
  if (!found) p.refuse("is not a time series of this run: its columns are not {}", columns);
  p.refuseOtherRuns();
  if (!lines.complete()) p.tornEnd(true);
  return p;
}

EarlierPart earlierFrames(const std::string& path, const Session& session,
                          const std::string& format) {
  const std::string key = io::formatToWrite(path, format).key;
  Part p(path, session, "frames");
  if (!p.found) return p;
  if (key != "xyz" && key != "h5md")
    p.refuse("exists, and a file of the format {} cannot be continued", key);
  if (key == "h5md") {
    p.byFrames = true;
    const std::vector<io::FrameNotes> frames = io::h5mdFrames(path);
    p.size = frames.size();
    for (std::size_t k = 0; k < frames.size(); ++k) {
      p.ofRun(frames[k].run);
      p.refuseOtherRuns();
      if (frames[k].end && !p.isLater(frames[k].step))
        p.cutting = true;
      else
        p.rowOrFrame(frames[k].step);
      p.keep(k + 1);
    }
    // Without a whole frame of this part the file is started again: a run in one part would have
    // made it with its first frame.
    p.found = p.kept > 0;
    return p;
  }
  io::TextLines lines(path);
  while (lines.next()) {
    if (lines.complete() && lines.line().find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    if (!frame(p, lines, session)) break;
  }
  return p;
}

void cutLater(const std::string& path, const EarlierPart& part) {
  if (!part.found || part.kept == part.size) return;
  part.byFrames ? io::cutH5md(path, part.kept) : io::cutFile(path, part.kept);
}

}  // namespace cellscope
