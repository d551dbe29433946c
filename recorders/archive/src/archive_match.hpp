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
  failure_source* source = nullptr;  // set for each step
  // When the reading of the stream began: what arrived later may be missing.
  std::int64_t read_at_us = 0;
  bool* has_written = nullptr;  // set before the first object is written
};

// What a store has of a reel.
struct archived_reel {
  // No value if the store has no index object, or if the reel is absent or is another one.
  std::optional<store::index_object> index = std::nullopt;
  store::seen_object index_seen = {};
  store::seen_object reel_seen = {};
  bool is_replaced = false;  // `index` is still the `next` of the index object that the store has
};
[[nodiscard]] result<archived_reel> find_archived(store::object_store& in, const std::string& key,
                                                  const std::function<bool()>& cancelled = {});
// Stores the index object that a killed archiver did not store. Fails with in_use if another one did so meanwhile.
[[nodiscard]] result<void> finish_replacement(store::object_store& in, archived_reel& found);

// Checks every hash of `assembled`, compresses it, and stores it, followed by its index object. Replaces only what
// `found` has; fails with in_use if the store has something else. May add an end to `assembled`.
[[nodiscard]] result<store::index_object> archive_match(
    store::object_store& into, const spool& room, const file_path& assembled, const fleet::assembled& counted,
    const fleet::archive_work& work, const archived_reel& found, const match_archive_options& options);

}  // namespace tickreel::archive
