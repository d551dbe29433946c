// The functions behind the table in format.cpp: each format's own, in its own file.
#pragma once

#include <functional>

#include "tickreel/files/format.hpp"
#include "tickreel/io/path.hpp"

// In a table: a function that writes files, or null where there are none.
#ifdef TICKREEL_WITHOUT_FILES
#define TICKREEL_WRITES(function) nullptr
#else
#define TICKREEL_WRITES(function) &function
#endif

// In a table: what opens a format. A page has two readers that share the formats, so that it loads only half
// of all that reads them; each knows those of the other, and answers that they are read elsewhere.
#if defined(TICKREEL_READS_ECHO)
#define TICKREEL_OPENS(function) &function
#define TICKREEL_OPENS_OTHER(function) &open_elsewhere
#define TICKREEL_ECHO(function) &function
#elif defined(TICKREEL_READS_OTHERS)
#define TICKREEL_OPENS(function) &open_elsewhere
#define TICKREEL_OPENS_OTHER(function) &function
#define TICKREEL_ECHO(function) nullptr
#else
#define TICKREEL_OPENS(function) &function
#define TICKREEL_OPENS_OTHER(function) &function
#define TICKREEL_ECHO(function) &function
#endif

namespace tickreel::files {

inline result<std::unique_ptr<recording>> open_elsewhere(const byte_source&, const open_options&) {
  return fail(error_code::unsupported_operation, error::no_offset, read_elsewhere);
}

// A file that may be a recording: invalid_argument for a folder, a pipe or a device.
result<byte_source> open_file(const file_path& path);
// Whether the file of that name, which is being written, was cut or replaced since the last time.
std::function<bool()> replacement_of(const file_path& path);

// Frames of a reel may be of a format that can be edited.
inline constexpr const char* reel_first = "a reel has to be converted to its recording's own format first";

claim claims_butter(const probe& file) noexcept;
claim claims_echoreplay(const probe& file) noexcept;
claim claims_gamecache(const probe& file) noexcept;
claim claims_rec(const probe& file) noexcept;
claim claims_icrep(const probe& file) noexcept;
claim claims_reel(const probe& file) noexcept;
claim claims_sc2replay(const probe& file) noexcept;

result<std::unique_ptr<recording>> open_butter_recording(const byte_source& from,
                                                         const open_options& options);
result<std::unique_ptr<recording>> open_echoreplay_recording(const byte_source& from,
                                                             const open_options& options);
result<std::unique_ptr<recording>> open_gamecache_recording(const byte_source& from,
                                                            const open_options& options);
result<std::unique_ptr<recording>> open_rec_recording(const byte_source& from, const open_options& options);
result<std::unique_ptr<recording>> open_icrep_recording(const byte_source& from, const open_options& options);
result<std::unique_ptr<recording>> open_reel_recording(const byte_source& from, const open_options& options);
result<std::unique_ptr<recording>> open_sc2_recording(const byte_source& from, const open_options& options);

result<recover_report> recover_echoreplay(const file_path& input, const file_path& output,
                                          const recover_options& options);
result<recover_report> recover_rec(const file_path& input, const file_path& output,
                                   const recover_options& options);
result<recover_report> recover_icrep(const file_path& input, const file_path& output,
                                     const recover_options& options);
result<recover_report> recover_reel(const file_path& input, const file_path& output,
                                    const recover_options& options);

result<edit_report> compact_reel(const file_path& input, const file_path& output,
                                 const edit_options& options);

result<edit_report> derive_reel(const file_path& input, const file_path& output, const edit_options& options);
// Of .butter and .echoreplay.
result<edit_report> derive_echo(const file_path& input, const file_path& output, const edit_options& options);

result<edit_report> anonymise_sc2replay(const file_path& input, const file_path& output,
                                        const edit_options& options);

result<edit_report> anonymise_icrep(const file_path& input, const file_path& output,
                                    const edit_options& options);
// Of .butter, .echoreplay and reels of either. Ticks are encoded anew.
result<edit_report> anonymise_echo(const file_path& input, const file_path& output,
                                   const edit_options& options);
// Of .butter and .echoreplay.
result<edit_report> recompress_echo(const file_path& input, const file_path& output,
                                    const recompress_options& options);
result<edit_report> recompress_icrep(const file_path& input, const file_path& output,
                                     const recompress_options& options);
result<edit_report> strip_voice_of_icrep(const file_path& input, const file_path& output,
                                         const edit_options& options);
result<edit_report> sign_icrep(const file_path& input, const file_path& output, const sign_options& options);

}  // namespace tickreel::files
