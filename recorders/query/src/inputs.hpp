// Access to the recording of an input: its bytes, or the file with its name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"

namespace tickreel::query {

result<std::unique_ptr<files::recording>> open_recording(const input& from);
result<std::optional<files::trailing_bytes>> find_trailing_bytes(const input& in);
// Appends the sentence to the losses of a recording that was read to its end.
result<void> add_trailing_bytes(const input& in, std::vector<std::string>& losses);
// Whether it is a file of a format that Tickreel only writes.
[[nodiscard]] bool is_only_written(const input& from);
result<byte_source> open_bytes(const input& from);

}  // namespace tickreel::query
