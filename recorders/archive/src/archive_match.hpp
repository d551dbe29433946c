// Stores an assembled reel.
#pragma once

#include <functional>

#include "spool.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/assembler.hpp"

namespace tickreel::archive {

struct match_archive_options {
  bool compact = true;
  bool read_back = false;
  std::function<bool()> cancelled = {};
  failure_origin* origin = nullptr;  // set to what the current step uses
  // When the reading of the stream began: what arrived later may be missing.
  std::int64_t read_at_us = 0;
  // Called immediately before each of the two objects is written, and after both are: another archiver may write the same ones.
  std::function<result<void>()> before_writing = {};
  std::function<result<void>(const store::index_object&)> after_writing = {};
};

// The index object of a reel; no value if the store has none, or if the reel is absent or has another size.
[[nodiscard]] result<std::optional<store::index_object>> find_index(store::object_store& in,
                                                                    const std::string& key);

// Checks every hash of `assembled`, compresses it, and stores it, followed by its index object. May add an end
// to `assembled`.
[[nodiscard]] result<store::index_object> archive_match(store::object_store& into, const spool& room,
                                                        const file_path& assembled,
                                                        const fleet::assembled& counted,
                                                        const fleet::archive_work& work,
                                                        const match_archive_options& options);

}  // namespace tickreel::archive
