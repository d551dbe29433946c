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
};

// The index object of a reel; no value if the store has none.
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
