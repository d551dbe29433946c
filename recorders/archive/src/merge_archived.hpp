// Adds the records of an archived, unfinished match to a new assembly that lacks them.
#pragma once

#include <functional>
#include <optional>

#include "archive_match.hpp"
#include "spool.hpp"
#include "tickreel/fleet/assembler.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::archive {

// Writes the records of both to the new file `into`. `found` has an index object. No value if the stored object does
// not begin with the recorded bytes: its records are not the recorder's then. Fails with in_use if the store now has
// another object. Sets `source` for the error: a file or the store.
[[nodiscard]] result<std::optional<fleet::assembled>> merge_archived(
    store::object_store& from, const spool& room, const archived_reel& found, const file_path& assembled,
    const fleet::match_subjects& subjects, const file_path& into, const std::function<bool()>& cancelled,
    failure_source& source);

}  // namespace tickreel::archive
