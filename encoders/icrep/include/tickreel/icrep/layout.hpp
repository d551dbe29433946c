// Whole files: assembled from their sections, or started as a live file and finished later. Pure
// functions: they return the bytes and their positions, and the caller writes them.
//
// A live file, as recorders of version 0.1 wrote it, contains order blocks, with spools beside it for keyframes,
// events and voice. However its recorder ended, finish_live() can create the final file from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// Sections as their writers produced them. Empty ones are absent.
struct file_sections {
  std::string_view metadata_json = {};
  byte_span orders = {};
  byte_span keyframes = {};
  byte_span events = {};
  byte_span voice = {};
  byte_span signature = {};
  byte_span embedded = {};
  std::uint64_t total_ticks = 0;
  digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
};

// over_limit if the file would reach 4 GiB, or the metadata exceed 1 MiB.
[[nodiscard]] result<byte_vector> encode_file(const file_sections& sections);

// Header and provisional metadata: the start of a live file. Order blocks follow.
[[nodiscard]] result<byte_vector> begin_live_file(std::string_view metadata_json);

struct live_files {
  byte_span file;
  byte_span keyframes;  // the spools
  byte_span events;
  byte_span voice;
};

// Data that only the recorder has, for a recording that ended normally.
struct orderly_end {
  metadata facts;  // total_ticks and duration are not changed
  digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;  // uncounted data is missing
  byte_span signature;      // sections; may be empty
  byte_span embedded;
};

// The metadata of a match whose recorder died: outcomes are unknown, the duration follows from the ticks.
[[nodiscard]] metadata facts_of_unfinished(metadata facts, std::uint64_t total_ticks);

struct finish_options {
  using orderly = orderly_end;
  // Empty: the recorder died. Then the file states that data may be lost, players' outcomes are "unknown",
  // and total_ticks comes from the last order frame.
  std::optional<orderly_end> closed;
  limits most;
};

// Write `tail` at keep_bytes, truncate the file after it, sync, write `header` at 0, sync; only then remove
// the spools. After an interruption before that, the same call produces the same again.
struct finished_live {
  std::uint64_t keep_bytes = 0;  // of the live file
  byte_vector tail;
  std::array<std::byte, header_bytes> header{};
  std::uint64_t total_ticks = 0;
  std::vector<stream_damage> damage;  // the end of the valid part of the live file or a spool
};

// wrong_state for a file that is not live, otherwise the errors of reader::open() for its head.
[[nodiscard]] result<finished_live> finish_live(const live_files& recorded,
                                                const finish_options& options = {});

}  // namespace tickreel::icrep
