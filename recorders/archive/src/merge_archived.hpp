// Adds the records of an archived, unfinished match to a new assembly that lacks them.
#pragma once

#include <functional>
#include <optional>

#include "spool.hpp"
#include "tickreel/fleet/assembler.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::archive {

// Writes the records of both to the new file `into`. No value if the stored object does not begin with the
// recorded bytes: its records are not the recorder's then. Sets `origin`
// to what a failed step used: a file or the store.
[[nodiscard]] result<std::optional<fleet::assembled>> merge_archived(
    store::object_store& from, const spool& room, const store::index_object& stored,
    const file_path& assembled, const fleet::match_subjects& subjects, const file_path& into,
    const std::function<bool()>& cancelled, failure_origin& origin);

}  // namespace tickreel::archive
