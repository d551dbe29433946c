// .echoreplay archives: one deflated entry, read and written as a stream (libzip over our own files).
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

// The entry that holds the lines: the one named like the source, else the first "*.echoreplay", else the
// first. malformed when the archive has no directory (it was cut) or no entry.
result<std::unique_ptr<byte_stream>> open_zip_stream(const byte_source& from);

// Gives the text of the entry piece by piece: the next piece, valid until the next call; empty at the end.
using text_producer = std::function<result<std::string_view>()>;

struct zip_entry_options {
  std::string name;             // of the entry
  std::int64_t modified_s = 0;  // seconds since 1970; 0: now
  int level = 0;                // 1 to 9; 0: 6
  // No more than this many bytes of text; lets archives under 4 GB do without the zip64 extension.
  std::optional<std::uint64_t> at_most_bytes = std::nullopt;
  // Asked once the text has ended, as only then everything is known of it: at most 65,535 bytes.
  std::function<std::string_view()> archive_comment = {};
};

// The comment of an archive that was recovered from one whose checksum was wrong, so that its lines are never
// taken for sound ones.
inline constexpr std::string_view doubtful_archive =
    "tickreel: recovered from an archive whose checksum was wrong; any line may have been changed";

// The comment of an archive whose lines are a part of another recording begins with it.
inline constexpr std::string_view cut_archive = "tickreel: cut from ";

// That of an archive some of whose lines were not to be had and were composed from what was known of their
// ticks: then the number of those lines, a comma, and the first one's tick.
inline constexpr std::string_view composed_archive = "tickreel: composed lines ";

// Appends a whole archive to `out`, which must be empty. The caller commits it.
result<void> write_zip(published_file& out, const zip_entry_options& entry, const text_producer& text,
                       const monitor& watch);

}  // namespace tickreel::files
