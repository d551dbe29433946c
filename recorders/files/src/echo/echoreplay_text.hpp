// Opens the text of an .echoreplay, zipped or plain, and checks its archive.
#pragma once

#include <cstdint>
#include <string>

#include "line_stream.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

// The content of an archive's comment; this program writes such comments (zip.hpp).
struct archive_notes {
  bool is_doubtful = false;  // any line may have been changed
  std::string cut_from;
  std::uint64_t composed_lines = 0;  // lost lines, composed from the known fields of their ticks
  std::uint64_t first_composed = 0;  // the first one's tick
};

struct echoreplay_text {
  byte_source from;
  bool is_zipped = false;
  line_stream lines;
  const torn_zip_stream* torn = nullptr;  // inside `lines`, if the zip is truncated
  archive_notes notes;
};

result<echoreplay_text> open_echoreplay_text(const byte_source& from);

// Reads the whole archive, because its checksum is at its end. False if any line may have been changed; true for
// a plain text. Does not move `text.lines`.
result<bool> is_archive_intact(const echoreplay_text& text, const monitor& watch);

// Whether reading failed because of the archive's bytes.
[[nodiscard]] bool is_archive_damage(error_code code) noexcept;

}  // namespace tickreel::files
