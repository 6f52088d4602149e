// What an action says when it is refused.
#pragma once
#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::test {

// The message of the Error that `action` throws; "" when it throws nothing.
template <class Error = std::exception, class Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// Each of them stands in the text.
inline void expectWords(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& w : words)
    EXPECT_NE(text.find(w), std::string::npos) << w << " in: " << text;
}

// The Error that `action` throws says each of them.
template <class Error = InputError, class Action>
void expectRefusal(const Action& action, const std::vector<std::string>& words) {
  expectWords(messageOf<Error>(action), words);
}

}  // namespace cellscope::test
