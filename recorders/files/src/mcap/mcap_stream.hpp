// The ticks and events of an .mcap file, in the order of the file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tickreel/files/info.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/mcap/reader.hpp"

namespace tickreel::files {

result<mcap::reader> open_mcap_reader(const byte_source& from);

// The beginning of a long topic, for a sentence.
std::string short_topic(std::string_view topic);

// Metadata records: the losses that `recover` and `clip` found, and the place of a clip in its source.
inline constexpr std::string_view recovered_metadata = "tickreel_recovered";
inline constexpr std::string_view clip_metadata = "tickreel_clip";

// What the metadata of a file that Tickreel wrote states about the recording.
struct recorded_facts {
  bool are_known = false;
  std::string format;
  std::string health;
  std::vector<std::string> losses;
  std::vector<std::string> before_recovery;  // those of them that `recover` or `clip` found
  std::vector<player_summary> players;
  std::string lines_before;
  std::string lines_after;
};

// Content of a file that no tick shows.
struct mcap_omissions {
  struct messages {
    std::string topic;
    std::string encoding;
    std::uint64_t count = 0;
    std::uint64_t offset = 0;  // of the first
  };
  std::vector<finding> damage;  // the first ones
  std::uint64_t damage_count = 0;
  bool is_cut = false;                               // ends without its footer, and is not damaged otherwise
  std::map<std::uint16_t, messages> other_messages;  // by channel: not JSON, or of topics beside Tickreel's
  std::uint64_t bad_messages = 0;                    // no valid JSON, or not what the topic contains
  std::uint64_t first_bad = 0;                       // its offset
  std::uint64_t missing_messages = 0;                // that the statistics count
  std::uint64_t attachments = 0;
  std::uint64_t unknown_records = 0;

  [[nodiscard]] bool has_other_damage() const noexcept { return damage_count > (is_cut ? 1u : 0u); }
  // As sentences for users.
  void add_damage(std::vector<std::string>& out) const;
  void add_uncopied(std::vector<std::string>& out) const;  // attachments and records of unknown kinds
  void add_left_out(std::vector<std::string>& out) const;
};

// A file that Tickreel wrote has its ticks in /tick and its events in /events. In any other, consecutive messages of JSON
// with equal log_time and different topics are a tick. Memory: as of mcap::reader, and one tick.
class mcap_stream {
 public:
  enum class step : std::uint8_t { tick, event, end };

  static result<mcap_stream> open(const byte_source& from);

  // Fails only if the file cannot be read, or `watch` cancels, also while it reads messages without a tick.
  result<step> next(const monitor& watch = {});
  void rewind();

  // Whether Tickreel wrote the messages.
  [[nodiscard]] bool is_own() const noexcept { return is_own_; }
  [[nodiscard]] const tick_position& position() const noexcept { return position_; }
  // Members of a JSON object, without braces, on one line.
  [[nodiscard]] std::string_view state() const noexcept { return state_; }
  // A JSON object on one line.
  [[nodiscard]] std::string_view event() const noexcept { return event_; }
  // Of the current tick.
  [[nodiscard]] std::uint64_t log_time_ns() const noexcept { return time_ns_; }
  // Of a tick with time_ms 0, by the first tick.
  [[nodiscard]] std::uint64_t start_ns() const noexcept { return start_ns_; }

  [[nodiscard]] const mcap_omissions& omissions() const noexcept { return omissions_; }
  // Those of the end of the file, if it has an index.
  [[nodiscard]] const recorded_facts& recorded() const noexcept { return recorded_; }
  [[nodiscard]] const std::string& clip_sentence() const noexcept { return clip_; }
  [[nodiscard]] const mcap::reader& file() const noexcept { return *reader_; }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return reader_->file_bytes(); }
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
  // Ticks whose log_time is before that of the tick before.
  [[nodiscard]] std::uint64_t falling_times() const noexcept { return falling_times_; }

 private:
  enum class role : std::uint8_t { other, json, tick, event, derived };
  struct channel_role {
    role of = role::other;
    std::string key;  // in a tick: a JSON text
  };
  mcap_stream() = default;
  result<void> recognise();
  result<void> read_recorded();
  [[nodiscard]] const channel_role& role_of(std::uint16_t channel);
  result<std::optional<step>> take(const mcap::item& found);
  std::optional<step> take_message(const mcap::item& found);
  bool take_own_tick(const mcap::item& found, std::string_view json);
  // Whether a tick is complete, which then is the current one.
  bool add_member(const mcap::item& found, const std::string& key, std::string_view json);
  bool begin_next(const mcap::item& found, const std::string& key, std::string_view json);
  void set_time(std::uint64_t time_ns);
  // Null if it is not valid; otherwise on one line, valid until the next call.
  [[nodiscard]] std::optional<std::string_view> line_of(const mcap::item& found, role as);

  std::unique_ptr<mcap::reader> reader_;
  bool is_own_ = false;
  recorded_facts recorded_;
  std::string clip_;
  std::map<std::uint16_t, channel_role> roles_;
  mcap_omissions omissions_;
  std::uint64_t messages_ = 0;
  std::uint64_t items_ = 0;

  tick_position position_;
  std::string state_;
  std::string event_;
  std::string line_;
  std::uint64_t time_ns_ = 0;
  std::uint64_t start_ns_ = 0;
  bool has_start_ = false;
  std::uint64_t falling_times_ = 0;
  bool at_end_ = false;
  // The tick that is collected, of a file of another program.
  std::string next_state_;
  std::unordered_set<std::string_view> next_keys_;  // of roles_
  std::uint64_t next_time_ns_ = 0;
  std::uint64_t next_offset_ = 0;
  std::uint64_t next_tick_ = 0;
};

}  // namespace tickreel::files
