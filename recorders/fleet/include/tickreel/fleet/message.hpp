// The wire protocol between recorders, subscribers and archivers: names, headers and status messages.
// docs/fleet.md is the specification. No connection, file or clock.
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

// The name of a match: two non-empty texts. Together they identify one reel at a time.
struct match_name {
  std::string league;
  std::string match;
  friend bool operator==(const match_name&, const match_name&) = default;
};

inline constexpr std::string_view default_league = "main";
// Maximum length of a name on the wire: stream names are folder names of the broker.
inline constexpr std::size_t max_token_bytes = 180;

// Encodes any text as a token of a subject: letters, digits, '-' and '_' unchanged, each other byte as '='
// and two digits; "a b" becomes "a=20b". Fails with invalid_argument for an empty text, over_limit for a
// token that is too long.
[[nodiscard]] result<std::string> to_token(std::string_view name);
// No value for text that to_token() does not write.
[[nodiscard]] std::optional<std::string> from_token(std::string_view token);

inline constexpr const char* status_stream = "TICKREEL_STATUS";
inline constexpr const char* work_stream = "TICKREEL_WORK";
// The durable consumer of work_stream that all archivers share.
inline constexpr const char* archivers_consumer = "archivers";
// Not only "TICKREEL_": a league may be named STATUS.
inline constexpr std::string_view record_stream_prefix = "TICKREEL_L_";
inline constexpr std::string_view all_status_subjects = "tickreel-status.>";
inline constexpr std::string_view all_archived_subjects = "tickreel-archived.>";
inline constexpr std::string_view all_work_subjects = "tickreel-work.>";

// The subjects of a match's messages.
struct match_subjects {
  std::string stream;           // TICKREEL_L_<league>: holds the records of all its matches
  std::string league_subjects;  // tickreel.<league>.>
  std::string records;          // tickreel.<league>.<match>
  std::string status;           // tickreel-status.<league>.<match>
  std::string archived;         // tickreel-archived.<league>.<match>
  std::string work;             // tickreel-work.<league>.<match>
};
[[nodiscard]] result<match_subjects> subjects_of(const match_name& name);
// Parses any of these subjects except league_subjects.
[[nodiscard]] std::optional<match_name> match_of_subject(std::string_view subject);

// 32 hexadecimal digits: XXH3, 128 bits, of the header's bytes and the records' subject. Equal for every
// delivery of a reel; different for reels that begin in the same microsecond under other names.
[[nodiscard]] std::string reel_id(byte_span header_bytes, const match_subjects& subjects);
// Files and objects are named by ids: other text is never one.
[[nodiscard]] bool is_reel_id(std::string_view text) noexcept;

// The headers of a reel's message. A record, or the reel's header, that exceeds the broker's message size is
// sent in several parts.
struct message_head {
  std::string reel;
  std::optional<std::uint32_t> sequence = std::nullopt;  // no value: the reel's header
  reel::record_kind kind = reel::record_kind::chunk;
  std::uint16_t flags = 0;
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = 0;
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  std::int64_t sent_at_us = 0;  // when it was passed to the sink, since 1970 UTC; 0: unknown
  std::uint64_t confirmed = 0;  // of a header: the stream had every record below this when it was sent

  [[nodiscard]] bool is_header() const noexcept { return !sequence; }
  // Late subscribers also need it.
  [[nodiscard]] bool lasts() const noexcept {
    return sequence && kind == reel::record_kind::event && (flags & reel::needed_later) != 0;
  }
  // Subscribers can begin here.
  [[nodiscard]] bool is_entry() const noexcept {
    return sequence && kind == reel::record_kind::chunk && (flags & reel::starts_with_keyframe) != 0;
  }
};

using header_fields = std::vector<std::pair<std::string, std::string>>;
// Of JetStream: the sequence in the stream of the last message under the same subject, 0 for none.
inline constexpr const char* replaces_field = "Nats-Expected-Last-Subject-Sequence";
// Without Nats-Msg-Id, which the sender adds: other clients must not be able to compute it.
[[nodiscard]] header_fields to_fields(const message_head& head);
[[nodiscard]] message_head head_of_record(std::string_view reel, const reel::record_info& info);
// `value_of` returns the value of a header, or an empty text. Fails with malformed for values that
// to_fields() does not write.
[[nodiscard]] result<message_head> read_fields(
    const std::function<std::string_view(const char* name)>& value_of);

// The status of a match, sent by its recorder each second during delivery: the only message under the status
// subject.
struct match_status {
  match_name name;
  std::string reel;
  std::string host;
  std::string encoder;              // of the reel's header
  std::string state;                // "recording", "ended"
  std::int64_t started_us = 0;      // of the reel, since 1970 UTC
  std::int64_t reported_at_us = 0;  // when this was written
  std::uint64_t ticks = 0;          // of the records passed to the sink, without lost ticks
  std::uint64_t lost_ticks = 0;     // from gap records among those
  std::uint64_t records = 0;        // accepted from the recorder
  std::uint64_t confirmed = 0;      // sequences below this are at the broker, except lost records
  std::uint64_t lost_records = 0;   // damaged or missing in the recorder's reel
  std::uint64_t bytes = 0;          // confirmed
  // Of the recorder's queue.
  std::uint64_t lag_records = 0;
  std::uint64_t lag_bytes = 0;
  double lag_seconds = 0;
  std::uint64_t retried = 0;
  std::uint64_t refilled = 0;
  std::uint64_t overflowed = 0;
  std::string last_error;  // the reason of the lag, while there is one
  // As of the recorder's last comparison with the stream.
  std::uint64_t messages = 0;  // under the match's subject, other publishers' too
  std::uint64_t holes = 0;     // missing stored records that are about to be resent
  std::uint64_t repaired = 0;  // missing records that were resent
  // Starting points for subscribers, as sequences of the stream; 0: unknown. The keyframe's record and all
  // later ones are at keyframe_at or later.
  std::uint64_t header_at = 0;
  std::uint64_t update_at = 0;
  std::uint64_t keyframe_at = 0;
  std::uint64_t keyframe_sequence = 0;  // the record's own
  // Of events that subscribers need from any starting point; beyond max_lasting_events, subscribers search for
  // them.
  std::vector<std::uint64_t> lasting_at;
  bool more_lasting = false;
  // The stream has no record of the reel before this; 0: unknown. A stream that begins after it has discarded
  // some of them.
  std::uint64_t first_at = 0;
};
inline constexpr std::size_t max_lasting_events = 1024;
[[nodiscard]] std::string to_json(const match_status& status);
[[nodiscard]] result<match_status> read_status(byte_span json);

// An offer of a reel to archivers; under the work subject.
struct archive_work {
  match_name name;
  std::string reel;
  std::int64_t reported_at_us = 0;
};
[[nodiscard]] std::string to_json(const archive_work& work);
[[nodiscard]] result<archive_work> read_work(byte_span json);

// The part of a reel that is archived, under the archived subject: every record below `records`.
struct archived_reel {
  match_name name;
  std::string reel;
  std::uint64_t records = 0;
  bool ended = false;    // with the reel's end record
  std::string location;  // its location, for users
  std::int64_t reported_at_us = 0;
};
[[nodiscard]] std::string to_json(const archived_reel& archived);
[[nodiscard]] result<archived_reel> read_archived(byte_span json);

}  // namespace tickreel::fleet
