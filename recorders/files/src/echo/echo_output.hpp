// Writes Echo VR ticks to files of one format.
#pragma once

#include "echo_input.hpp"
#include "tick_feed.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Each function writes one file from the feed's current tick on, until the file must end, and adds to the
// report.
result<void> write_butter_file(tick_feed& feed, const file_path& output, const convert_options& options,
                               convert_report& report);
result<void> write_echoreplay_file(tick_feed& feed, const file_path& output, const convert_options& options,
                                   convert_report& report);
result<void> write_reel_file(tick_feed& feed, const file_path& output, const convert_options& options,
                             convert_report& report);

// Steps that several of them share.
inline constexpr std::uint32_t default_butter_interval_ticks = 300;  // that of the known writer

[[nodiscard]] std::uint32_t interval_of(const convert_options& options, std::uint32_t by_default) noexcept;
[[nodiscard]] butter::encoder_options encoder_options_of(const convert_options& options);
void add(butter::omissions& to, const butter::omissions& from) noexcept;
// The header of frames that are kept, unless an option requests other ones; else empty.
byte_vector header_to_keep(echo_source& from, const convert_options& options);
// An error unless the input can be opened and has a readable tick.
result<void> check_first_tick(const result<std::unique_ptr<echo_input>>& input);
// Converts the readable ticks of a damaged input; sets the numbers of ticks and bytes in `report`.
result<convert_report> convert_for_recovery(echo_source& from, std::string_view to, const file_path& output,
                                            const recover_options& options, recover_report& report);
// Only a published file belongs to this conversion and is removed if a later one fails.
result<void> commit(published_file& file, const file_path& output, convert_report& report);

}  // namespace tickreel::files
