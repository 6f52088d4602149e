// Changes of bytes as damage or malice makes them, from a fixed seed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cellscope::test {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed = 1) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

inline void mutate(std::string& text, Numbers& random) {
  const std::size_t at = random.below(text.size() + 1), length = random.below(16) + 1;
  switch (random.below(6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
      break;
    case 1:
      text.resize(at);
      break;
    case 2:
      text.insert(at, std::string(length, '\xff'));
      break;
    case 3:
      for (std::size_t i = at; i < std::min(at + 8, text.size()); ++i) text[i] = '\xff';
      break;
    case 4:
      for (std::size_t i = at; i < std::min(at + 8, text.size()); ++i) text[i] = '\0';
      break;
    default:
      for (std::size_t i = at; i < std::min(at + length, text.size()); ++i)
        if (text[i] >= '0' && text[i] <= '9') text[i] = '9';
  }
}

}  // namespace cellscope::test
