// Words and signs of what a person types: conditions (breakpoints.h) and selections (selection.h).
#pragma once
#include <string>
#include <vector>

#include "sim/base/particle_id.h"

namespace cellscope {

class Words {
 public:
  // Signs of comparison, "&&", "||", parentheses and commas stand alone; words that add nothing
  // ("of", "the", "is") are left out.
  explicit Words(const std::string& text);

  bool atEnd() const { return next_ == all_.size(); }
  bool nextIs(const std::string& word) const { return !atEnd() && all_[next_] == word; }
  bool skip(const std::string& word);  // true: it was the next one
  // The following throw InputError: what is missing, or what may stand there.
  std::string take(const std::string& what);
  void expect(const std::string& word);
  void requireEnd(const std::string& allowed) const;
  double number(const std::string& what);
  ParticleId id();
  // ">", "<", ">=", "<=", "==" or "!="; `also`: another word that may stand there.
  std::string sign(const std::string& also = "");

 private:
  std::vector<std::string> all_;
  std::size_t next_ = 0;
};

// By one of the signs; nothing compares to NaN.
bool compares(double x, const std::string& sign, double to);

}  // namespace cellscope
