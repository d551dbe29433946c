// Reads and writes .echoreplay archives as streams: one deflated entry (libzip over our own files).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "byte_stream.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// The entry with the lines: the one named like the source, else the first "*.echoreplay", else the first.
// malformed if the archive has no directory (it is truncated) or no entry.
result<std::unique_ptr<byte_stream>> open_zip_stream(const byte_source& from);

// Returns the next piece of the entry's text, valid until the next call; empty at the end.
using text_producer = std::function<result<std::string_view>()>;

struct zip_entry_options {
  std::string name;             // of the entry
  std::int64_t modified_s = 0;  // seconds since 1970; 0: now
  int level = 0;                // 1 to 9; 0: 6
  // The maximum text size in bytes; archives under 4 GB need no zip64 extension.
  std::optional<std::uint64_t> max_text_bytes = std::nullopt;
  // Called after the end of the text, when everything about it is known: at most 65,535 bytes.
  std::function<std::string_view()> archive_comment = {};
};

// The comment of an archive that was recovered from one with a wrong checksum, so that readers never treat
// its lines as verified.
inline constexpr std::string_view doubtful_archive =
    "tickreel: recovered from an archive whose checksum was wrong; any line may have been changed";

// The beginning of the comment of an archive whose lines are a part of another recording.
inline constexpr std::string_view cut_archive = "tickreel: cut from ";

// The beginning of the comment of an archive with lines that were lost and composed from the known fields of
// their ticks. It continues with the number of those lines, a comma, and the first one's tick.
inline constexpr std::string_view composed_archive = "tickreel: composed lines ";

// Appends a complete archive to `out`, which must be empty. The caller commits it.
result<void> write_zip(published_file& out, const zip_entry_options& entry, const text_producer& text,
                       const monitor& watch);

}  // namespace tickreel::files
