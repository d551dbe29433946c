// What stands on the wire between recorders, watchers and archivers: names, headers, and what is told of a
// match. docs/fleet.md is the specification. Pure: no connection, no file, no clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

// A match by its names: any texts that are not empty. Together they name one reel at a time.
struct match_name {
  std::string league;
  std::string match;
  friend bool operator==(const match_name&, const match_name&) = default;
};

inline constexpr std::string_view default_league = "main";
// Of a name on the wire: names of streams are folders of the broker.
inline constexpr std::size_t most_token_bytes = 180;

// Any text as a token of a subject: letters, digits, '-' and '_' as they are, each other byte as '=' and two
// digits, "a b" is "a=20b". invalid_argument for an empty text, over_limit for one that becomes too long.
[[nodiscard]] result<std::string> to_token(std::string_view name);
// Nothing for what to_token() does not write.
[[nodiscard]] std::optional<std::string> from_token(std::string_view token);

inline constexpr const char* status_stream = "TICKREEL_STATUS";
inline constexpr const char* work_stream = "TICKREEL_WORK";
// The durable consumer of work_stream that all archivers share.
inline constexpr const char* archivers_consumer = "archivers";
// Not "TICKREEL_" alone: a league may be called STATUS.
inline constexpr std::string_view record_stream_prefix = "TICKREEL_L_";
inline constexpr std::string_view all_status_subjects = "tickreel-status.>";
inline constexpr std::string_view all_archived_subjects = "tickreel-archived.>";
inline constexpr std::string_view all_work_subjects = "tickreel-work.>";

// What a match's messages are called.
struct match_subjects {
  std::string stream;           // TICKREEL_L_<league>: holds the records of all its matches
  std::string league_subjects;  // tickreel.<league>.>
  std::string records;          // tickreel.<league>.<match>
  std::string status;           // tickreel-status.<league>.<match>
  std::string archived;         // tickreel-archived.<league>.<match>
  std::string work;             // tickreel-work.<league>.<match>
};
[[nodiscard]] result<match_subjects> subjects_of(const match_name& name);
// Of any of these subjects but league_subjects.
[[nodiscard]] std::optional<match_name> match_of_subject(std::string_view subject);

// 32 hexadecimal digits: XXH3, 128 bits, of the header's bytes and the records' subject. The same whenever
// the same reel is delivered; another for reels that begin in the same microsecond under other names.
[[nodiscard]] std::string reel_id(byte_span header_bytes, const match_subjects& subjects);

// What a message of a reel says about itself, besides its body. A record, or the reel's header, that is
// larger than the broker takes in one message goes as several parts.
struct message_head {
  std::string reel;
  std::optional<std::uint32_t> sequence = std::nullopt;  // nothing: the reel's header
  reel::record_kind kind = reel::record_kind::chunk;
  std::uint16_t flags = 0;
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = 0;
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  std::int64_t sent_at_us = 0;  // since 1970 UTC, when it was handed over; 0: unknown
  std::uint64_t confirmed = 0;  // of a header: the stream had every record below this when it was sent

  [[nodiscard]] bool is_header() const noexcept { return !sequence; }
  // Watchers who begin behind it need it all the same.
  [[nodiscard]] bool lasts() const noexcept {
    return sequence && kind == reel::record_kind::event && (flags & reel::needed_later) != 0;
  }
  // Watchers can begin here.
  [[nodiscard]] bool is_entry() const noexcept {
    return sequence && kind == reel::record_kind::chunk && (flags & reel::starts_with_keyframe) != 0;
  }
};

using header_fields = std::vector<std::pair<std::string, std::string>>;
// Without Nats-Msg-Id, which the sender adds: no one else may be able to compute it.
[[nodiscard]] header_fields to_fields(const message_head& head);
[[nodiscard]] message_head head_of_record(std::string_view reel, const reel::record_info& info);
// `value_of` returns what stands in a header, an empty text where it is missing. malformed for what
// to_fields() does not write.
[[nodiscard]] result<message_head> read_fields(
    const std::function<std::string_view(const char* name)>& value_of);

// What a recorder tells about its match, each second while it delivers: the one message under the status
// subject.
struct match_status {
  match_name name;
  std::string reel;
  std::string host;
  std::string encoder;             // of the reel's header
  std::string state;               // "recording", "ended"
  std::int64_t started_us = 0;     // the reel's, since 1970 UTC
  std::int64_t told_at_us = 0;     // when this was written
  std::uint64_t ticks = 0;         // in what was handed over, without lost ones
  std::uint64_t lost_ticks = 0;    // told by gap records in what was handed over
  std::uint64_t records = 0;       // accepted from the recorder
  std::uint64_t confirmed = 0;     // what the broker has: every sequence below this, but for lost ones
  std::uint64_t lost_records = 0;  // damaged or missing in the recorder's reel
  std::uint64_t bytes = 0;         // confirmed
  // Of the recorder's queue.
  std::uint64_t behind_records = 0;
  std::uint64_t behind_bytes = 0;
  double behind_seconds = 0;
  std::uint64_t retried = 0;
  std::uint64_t refilled = 0;
  std::uint64_t overflowed = 0;
  std::string last_error;  // why it is behind, while that lasts
  // As of the recorder's last comparison with the stream.
  std::uint64_t messages = 0;  // under the match's subject, other publishers' too
  std::uint64_t holes = 0;     // records that were stored, are missing there, and are about to be sent again
  std::uint64_t repaired = 0;  // records that were missing and were sent again
  // Where watchers begin, as sequences of the stream; 0: unknown. The keyframe's record, and all behind it,
  // lie at keyframe_at or later.
  std::uint64_t header_at = 0;
  std::uint64_t update_at = 0;
  std::uint64_t keyframe_at = 0;
  std::uint64_t keyframe_sequence = 0;  // the record's own
  // Of events that watchers need wherever they begin; beyond most_lasting_told they look for them themselves.
  std::vector<std::uint64_t> lasting_at;
  bool more_lasting = false;
  // No record of the reel lies before this in the stream; 0: unknown. A stream that begins behind it has let
  // some of them go.
  std::uint64_t first_at = 0;
};
inline constexpr std::size_t most_lasting_told = 1024;
[[nodiscard]] std::string to_json(const match_status& status);
[[nodiscard]] result<match_status> read_status(byte_span json);

// That a reel has work for an archiver; under the work subject.
struct archive_work {
  match_name name;
  std::string reel;
  std::int64_t told_at_us = 0;
};
[[nodiscard]] std::string to_json(const archive_work& work);
[[nodiscard]] result<archive_work> read_work(byte_span json);

// What an archiver has brought home, under the archived subject: every record below `records`.
struct archived_reel {
  match_name name;
  std::string reel;
  std::uint64_t records = 0;
  bool ended = false;    // with the reel's end record
  std::string location;  // where it lies, for people
  std::int64_t told_at_us = 0;
};
[[nodiscard]] std::string to_json(const archived_reel& archived);
[[nodiscard]] result<archived_reel> read_archived(byte_span json);

}  // namespace tickreel::fleet
