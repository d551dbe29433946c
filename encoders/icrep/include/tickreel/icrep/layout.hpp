// Whole files: laid out at once from their sections, or begun as a live file and finished later. Pure
// functions: they say which bytes go where, the caller writes them.
//
// A live file, as recorders of version 0.1 kept one, holds order blocks, with spools beside it for keyframes,
// events and voice. However its recorder ended, these are enough for finish_live() to make the final file.
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

// Sections as their writers made them. Those that are empty are absent.
struct file_sections {
  std::string_view metadata_json;
  byte_span orders;
  byte_span keyframes;
  byte_span events;
  byte_span voice;
  byte_span signature;
  byte_span embedded;
  std::uint64_t total_ticks = 0;
  digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
};

// over_limit when it would not stay below 4 GiB, or the metadata exceed 1 MiB.
[[nodiscard]] result<byte_vector> lay_out_file(const file_sections& sections);

// Header and provisional metadata: what a live file begins with. Order blocks follow.
[[nodiscard]] result<byte_vector> begin_live_file(std::string_view metadata_json);

struct live_files {
  byte_span file;
  byte_span keyframes;  // the spools
  byte_span events;
  byte_span voice;
};

// What only the recorder knows, of a recording that ended in good order.
struct orderly_end {
  metadata facts;  // total_ticks and duration are taken as they are
  digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;  // something is missing that was not counted
  byte_span signature;      // sections; may be empty
  byte_span embedded;
};

// What the metadata say of a match whose recorder died: outcomes are unknown, the duration follows from the
// ticks.
[[nodiscard]] metadata facts_of_unfinished(metadata facts, std::uint64_t total_ticks);

struct finish_options {
  using orderly = orderly_end;
  // Nothing: the recorder died. Then the file says that something may be lost, players' outcomes are
  // "unknown" and total_ticks comes from the last order frame.
  std::optional<orderly_end> closed;
  limits most;
};

// Write `tail` at keep_bytes, cut the file behind it, sync, write `header` at 0, sync; only then may the
// spools go. Interrupted anywhere before, all is as before and the same call makes the same again.
struct finished_live {
  std::uint64_t keep_bytes = 0;  // of the live file
  byte_vector tail;
  std::array<std::byte, header_bytes> header{};
  std::uint64_t total_ticks = 0;
  std::vector<stream_damage> damage;  // where the live file or a spool stopped being whole
};

// wrong_state for a file that is not live, else what reader::open could say of its head.
[[nodiscard]] result<finished_live> finish_live(const live_files& recorded,
                                                const finish_options& options = {});

}  // namespace tickreel::icrep
