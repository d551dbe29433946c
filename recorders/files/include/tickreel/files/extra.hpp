// NAME.extra.json beside NAME.butter: data that a .butter cannot store. See tickreel/echo/extra.hpp.
#pragma once

#include "tickreel/echo/extra.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

[[nodiscard]] file_path extra_path(const file_path& butter);

// Begin it together with the .butter, so that an existing file is reported before anything is written. The
// file appears complete or not at all.
result<published_file> begin_extra_file(const file_path& butter, bool overwrite);
result<void> finish_extra_file(published_file& to, const echo::extra_writer& from);

}  // namespace tickreel::files
