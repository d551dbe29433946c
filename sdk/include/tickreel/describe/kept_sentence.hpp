// Error sentences with names from the program or a file: an error holds a pointer to static text.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <utility>

namespace tickreel::detail {

// The same text in static storage. The number of texts is limited because files may contain any names: after
// the first 1024, and for long text, it returns `otherwise`.
inline const char* kept_sentence(std::string text, const char* otherwise) {
  constexpr std::size_t most = 1024;
  constexpr std::size_t max_bytes = 1024;
  if (text.size() > max_bytes) return otherwise;
  static std::set<std::string> sentences;
  static std::atomic_flag taken;  // no mutex: the build without threads has none
  while (taken.test_and_set(std::memory_order_acquire)) {}
  struct releasing {
    ~releasing() { taken.clear(std::memory_order_release); }
  } const at_end;
  const auto known = sentences.find(text);
  if (known != sentences.end()) return known->c_str();
  return sentences.size() < most ? sentences.insert(std::move(text)).first->c_str() : otherwise;
}

}  // namespace tickreel::detail
