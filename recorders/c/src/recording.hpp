// An open recording of the C ABI.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "handle.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/viewer/cell_losses.hpp"

struct tickreel_recording {
  std::optional<tickreel::file_path> path;  // or else
  tickreel::byte_span bytes;
  tickreel::byte_vector copy;
  std::unique_ptr<tickreel::files::recording> in;  // its threads may read `copy` until it is destroyed
  std::string answer;
  bool has_tick = false;
  bool at_end = false;
  tickreel::viewer::cell_losses omitted{"tick"};  // of columns

  // The file or the bytes, for what is read beside the ticks.
  [[nodiscard]] tickreel::result<tickreel::byte_source> source() const {
    if (path) return tickreel::byte_source::open(*path);
    return tickreel::byte_source(bytes);
  }
  tickreel::result<void> rewind() {
    has_tick = false;
    at_end = false;
    omitted.clear();
    return in->rewind();
  }
  // What is missing up to the current tick; at the end also trailing bytes.
  [[nodiscard]] std::vector<std::string> losses() const;
};

namespace tickreel::c {

// Calls work(recording) with an empty answer, which becomes `json`.
template <class Work>
std::int32_t answer_with(tickreel_recording* recording, tickreel_text* json, Work&& work) noexcept {
  return guarded([&]() -> result<void> {
    if (recording == nullptr || json == nullptr) return fail_argument("a pointer is NULL");
    recording->answer.clear();
    if (auto done = work(*recording); !done) return fail(done.error());
    *json = text_of(recording->answer);
    return {};
  });
}

void append_sentences(const std::vector<std::string>& sentences, std::string& json);

}  // namespace tickreel::c
