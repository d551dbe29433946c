// Whole files: assembled from their sections, or from a live file. Pure
// functions: they return the bytes and their positions, and the caller writes them.
//
// A live file, as recorders of version 0.1 wrote it, contains order blocks, with spools beside it for keyframes,
// events and voice. However its recorder ended, finish_live() can create the final file from them.
#pragma once

#include <array>
#include <cstdint>
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

struct live_files {
  byte_span file;
  byte_span keyframes;  // the spools
  byte_span events;
  byte_span voice;
};

// The metadata of a match whose recorder died: outcomes are unknown, the duration follows from the ticks.
[[nodiscard]] metadata facts_of_unfinished(metadata facts, std::uint64_t total_ticks);

// Write `tail` at keep_bytes, truncate the file after it, sync, write `header` at 0, sync; only then remove
// the spools. After an interruption before that, the same call produces the same again.
struct finished_live {
  std::uint64_t keep_bytes = 0;  // of the live file
  byte_vector tail;
  std::array<std::byte, header_bytes> header{};
  std::uint64_t total_ticks = 0;
  std::vector<stream_damage> damage;  // the end of the valid part of the live file or a spool
};

// The recorder died: the file states that data may be lost, and total_ticks comes from the last order frame.
// wrong_state for a file that is not live, otherwise the errors of reader::open() for its head.
[[nodiscard]] result<finished_live> finish_live(const live_files& recorded, const limits& most = {});

}  // namespace tickreel::icrep
