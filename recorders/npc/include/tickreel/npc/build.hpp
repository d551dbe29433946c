// Writes .rec files from a script's production, block by block, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/header.hpp"

namespace tickreel::npc {

struct built_file {
  file_path file;
  std::string name;
  samp_rec::recording_kind kind = samp_rec::recording_kind::none;
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t duration_ms = 0;
  double length_m = 0;  // along the blocks
  double top_mps = 0;   // of the velocities in the blocks
};

// `why` holds the system's error of a file; otherwise `text` describes an error in the script.
struct build_problem {
  file_path file;
  error why{error_code::invalid_argument};
  std::string text;
  int line = 0;               // of the script, if known
  std::uint64_t written = 0;  // files finished before the error; they stay
};

struct build_options {
  bool overwrite = false;
  std::uint64_t blocks = 40'000'000;  // of all files together
  // Called regularly with the milliseconds of recording done and in total.
  std::function<void(std::uint64_t, std::uint64_t)> progress = {};
  std::function<bool()> cancelled = {};  // true: cancel with the error interrupted
};

// Writes NAME.rec for each actor and each saved recording to `folder`, which must exist. Each file is written
// atomically; nothing is written if one of them exists and `overwrite` is false.
[[nodiscard]] tl::expected<std::vector<built_file>, build_problem> build(production& what,
                                                                         const file_path& folder,
                                                                         const build_options& options = {});

// One actor's file as bytes, in pieces; `use` returns false to cancel. For callers that write the file
// themselves.
result<built_file> write_actor(const plan& part, const timeline& when,
                               const std::function<result<void>(byte_span)>& use);

}  // namespace tickreel::npc
