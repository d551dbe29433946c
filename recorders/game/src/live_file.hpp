// A live file and its spools on the disk.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tickreel/icrep/layout.hpp"
#include "tickreel/reel/file.hpp"

namespace tickreel::game {

[[nodiscard]] std::string keyframe_spool_path(std::string_view path);
[[nodiscard]] std::string event_spool_path(std::string_view path);
[[nodiscard]] std::string voice_spool_path(std::string_view path);

// A whole file; empty when there is none.
result<byte_vector> read_whole_or_nothing(std::string_view path, system_calls& calls);
result<byte_vector> read_whole(const file& from);

// Writes what finish_live() made over the live file, then removes the spools. When a step fails the file is
// live as before; a step that failed can be done again.
result<void> write_finished(file& live, const icrep::finished_live& made, byte_span live_header,
                            system_calls& calls);
result<void> remove_spools(std::string_view path, system_calls& calls);

class live_file {
 public:
  // The live file with this beginning, and empty spools.
  static result<live_file> create(std::string_view path, byte_span beginning, bool has_voice,
                                  system_calls& calls);

  // Blocks, each with one call. After a failed one the file ends where it ended before.
  result<void> append_orders(byte_span blocks) { return main_.append(blocks); }
  result<void> append_keyframe(byte_span block) { return keyframes_.append(block); }
  result<void> append_events(byte_span blocks) { return events_.append(blocks); }
  result<void> append_voice(byte_span blocks) {
    return voice_ ? voice_->append(blocks) : fail(error_code::wrong_state);
  }
  result<void> sync();

  // Removes it and its spools.
  void discard() noexcept;

  // Returns the size of the finished file.
  result<std::uint64_t> finish(const icrep::finish_options& how);

 private:
  result<std::pair<icrep::finished_live, byte_vector>> make_finished(const icrep::finish_options& how) const;
  live_file(file main, file keyframes, file events, std::optional<file> voice, system_calls& calls) noexcept
      : main_(std::move(main)),
        keyframes_(std::move(keyframes)),
        events_(std::move(events)),
        voice_(std::move(voice)),
        calls_(&calls) {}

  file main_;
  file keyframes_;
  file events_;
  std::optional<file> voice_;
  system_calls* calls_;
};

}  // namespace tickreel::game
