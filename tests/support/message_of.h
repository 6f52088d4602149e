// What an action says when it is refused.
#pragma once
#include <exception>
#include <string>

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

}  // namespace cellscope::test
