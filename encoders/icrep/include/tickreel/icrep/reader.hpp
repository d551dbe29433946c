// Reads .icrep files, finished or live: their content, orders, events, and the state at any tick.
//
// Opening reads the header, the metadata and the indices; snapshots, orders and events are decompressed
// on demand. Damage costs only the damaged part and is always reported: errors contain the file offset.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/analysis/event.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/icrep/signature.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct reader_options {
  limits most;
  // The sizes of components, for files whose metadata lack them.
  std::optional<icrep::schema> schema;
  // State hashes are core_hash(), for files whose metadata lack this.
  bool hashes_core = false;
  // A live file's spools; `file` is ignored. Without them a live file is played from tick 0.
  live_files spools;
  // Finished files that continue this one, in their order: all are read as one. header(), metadata,
  // signatures and embedded resources are those of this file, except for totals, flags and the end. Each
  // begins with a full keyframe, otherwise its keyframes cannot be restored.
  std::vector<byte_span> continued = {};
};

// A note is no loss: the recording is only marked as incomplete.
enum class severity : std::uint8_t { note, warning, damage };

struct finding {
  icrep::severity severity = icrep::severity::warning;
  error what;
};

struct reader_state;

// Frames in the order of their ticks. Damaged data is skipped and listed in damage(). The reader must outlive
// it; one thread at a time.
class order_cursor {
 public:
  // False at the end. Orders are sorted by time, then player.
  bool next(tick_frame& out);
  [[nodiscard]] std::span<const stream_damage> damage() const noexcept { return damage_; }

 private:
  friend class reader;
  friend struct reader_state;
  order_cursor(const reader_state& owner, std::uint64_t first_tick, std::uint64_t end_tick);
  bool open_next();
  void give_up(const error& what, std::uint64_t first_lost_tick);

  const reader_state* owner_;
  std::uint64_t next_tick_;
  std::uint64_t end_tick_;
  std::size_t block_ = 0;  // the next to open
  byte_vector buffer_;
  byte_span content_;
  std::size_t used_ = 0;
  std::uint32_t frames_left_ = 0;
  std::vector<stream_damage> damage_;
};

struct event_filter {
  std::uint64_t first_tick = 0;
  static constexpr std::uint64_t no_end = ~std::uint64_t{0};
  std::uint64_t end_tick = no_end;          // not included
  std::uint32_t types = ~std::uint32_t{0};  // bit n: events of type n
  std::optional<std::uint32_t> player;      // only events that concern this player

  [[nodiscard]] constexpr bool ends_before(std::uint64_t tick) const noexcept {
    return tick >= end_tick && end_tick != no_end;
  }
};

// Records of event or voice blocks in sequence; the same rules.
class record_cursor {
 public:
  // The next record's bytes, valid until the next call. False at the end.
  bool next(byte_span& record, std::uint64_t& offset);
  void give_up(const error& what);
  [[nodiscard]] std::span<const stream_damage> damage() const noexcept { return damage_; }

 private:
  friend class event_cursor;
  friend class reader;
  record_cursor(std::span<const block> blocks, std::uint64_t end_tick,
                const event_filter& filter = {}) noexcept
      : blocks_(blocks), end_tick_(end_tick), filter_(filter) {}
  void lose_block(const error& what);

  std::span<const block> blocks_;
  std::uint64_t end_tick_ = 0;
  event_filter filter_;  // blocks that begin after it are not opened
  std::size_t block_ = 0;
  byte_vector buffer_;
  byte_span content_;
  std::size_t used_ = 0;
  std::vector<stream_damage> damage_;
};

// An event as stored in the file; the bytes are valid until the next call.
struct event_record {
  std::uint32_t type = 0;
  std::uint64_t tick = 0;
  byte_span bytes;
  std::uint64_t offset = 0;
};

// Events that pass a filter. Events newer than this code are counted and omitted, and those of a game's own
// are omitted. Types that the metadata list as derived are marked.
class event_cursor {
 public:
  // Also the otherwise omitted ones; filtered by tick and type alone, and not decoded.
  bool next(event_record& out);
  bool next(analysis::event& out);
  [[nodiscard]] std::span<const stream_damage> damage() const noexcept { return records_.damage(); }
  [[nodiscard]] std::uint64_t unknown_events() const noexcept { return unknown_; }
  [[nodiscard]] bool is_derived(std::size_t type) const noexcept {
    return (derived_types_ >> type & 1u) != 0;
  }

 private:
  friend class reader;
  event_cursor(record_cursor records, const limits& most, std::uint32_t derived_types) noexcept
      : records_(std::move(records)), limits_(most), derived_types_(derived_types) {}

  record_cursor records_;
  limits limits_;
  std::uint32_t derived_types_ = 0;
  std::uint64_t unknown_ = 0;
};

// Ticks without orders between a keyframe and a requested tick.
struct order_gap {
  std::uint64_t tick = 0;                    // the first that is missing
  std::optional<std::uint64_t> resume_tick;  // of the next keyframe after it, where the simulation can
                                             // continue
};

struct restored_state {
  sim_snapshot snapshot;         // before the orders of snapshot.core.tick
  std::size_t keyframe = 0;      // its source
  std::uint64_t tick_count = 0;  // then play the orders of this many ticks, from snapshot.core.tick on
  std::optional<order_gap> gap;  // which are missing for that
  std::vector<error> warnings;   // why an earlier keyframe was used, and other problems
};

enum class signature_state : std::uint8_t {
  not_signed,
  states_only,  // all signatures of the chain are valid, and there is no seal: only states are proven
  whole,        // the seal is valid to the end, and nothing is missing
  incomplete,   // everything is valid as far as it goes, but data is missing
  tampered,     // invalid; `why` has the reason
};
// "unsigned", "signed states only", "whole", "incomplete", "tampered".
[[nodiscard]] std::string_view name(signature_state state) noexcept;

struct signature_report {
  signature_state state = signature_state::not_signed;
  std::size_t entries = 0;  // of the chain
  std::optional<icrep::public_key> signer;
  bool sealed = false;             // everything recorded is signed, otherwise only states
  bool ended = false;              // and also the end and the metadata
  std::uint64_t signed_ticks = 0;  // before this tick; later content is not proven
  std::optional<error> why;
};

// The bytes must outlive the reader and its cursors. Const functions may be called by many threads.
class reader {
 public:
  // Performs the format's checks in the format's order; the first failure is the error. Rejects only
  // unreadable files; partial damage becomes a finding. invalid_argument for files that do not continue each
  // other.
  static result<reader> open(byte_span file, const reader_options& options = {});

  reader(reader&&) noexcept;
  reader& operator=(reader&&) noexcept;
  ~reader();

  [[nodiscard]] const file_header& header() const noexcept;
  [[nodiscard]] const metadata& facts() const noexcept;
  [[nodiscard]] std::string_view metadata_json() const noexcept;
  // The header's, or the current value of a live file.
  [[nodiscard]] std::uint64_t total_ticks() const noexcept;
  // The first tick that the file is meant to contain: 0, or the start of a clip (cut.hpp). The omitted
  // beginning of a clip is not a loss.
  [[nodiscard]] std::uint64_t first_tick() const noexcept;
  [[nodiscard]] std::span<const stored_keyframe> keyframes() const noexcept;
  [[nodiscard]] std::span<const block> order_blocks() const noexcept;
  // Problems found on opening: sections whose flags and offsets disagree, damaged block headers.
  [[nodiscard]] std::span<const finding> findings() const noexcept;

  [[nodiscard]] order_cursor orders(std::uint64_t first_tick = 0,
                                    std::uint64_t end_tick = ~std::uint64_t{0}) const;
  // Independent of orders and keyframes.
  [[nodiscard]] event_cursor events(const event_filter& filter = {}) const;
  // Records for read_voice().
  [[nodiscard]] record_cursor voice() const;
  // Empty if the file has none.
  [[nodiscard]] result<embedded_resources> embedded() const;
  // These two sections as stored in the file; empty if absent.
  [[nodiscard]] byte_span signature_section() const noexcept;
  [[nodiscard]] byte_span embedded_section() const noexcept;

  // The state at the last keyframe at or before the tick, and the orders to play from there. An unusable
  // delta is replaced by its full keyframe, a damaged full keyframe by the one before, with a warning each.
  [[nodiscard]] result<restored_state> restore(std::uint64_t tick) const;
  // The state at one keyframe, without fallback.
  [[nodiscard]] result<sim_snapshot> snapshot(std::size_t keyframe) const;

  // Every item covered by a seal, stream by stream. Fails if a stream differs from the form of our writers,
  // because bytes that readers skip could be anything. recompress_file() restores that form.
  [[nodiscard]] result<void> sealed_items(
      const std::function<void(content_stream, std::uint64_t tick, const digest& item)>& each) const;
  [[nodiscard]] signature_report verify_signatures() const;
  // Reads everything and returns all problems: findings(), and everything that the functions above may
  // report.
  [[nodiscard]] std::vector<finding>(verify)() const;

 private:
  explicit reader(std::unique_ptr<reader_state> owned) noexcept;
  std::unique_ptr<reader_state> state_;
};

}  // namespace tickreel::icrep
