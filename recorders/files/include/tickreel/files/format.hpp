// Formats of recordings: what the program knows of each, the list of all, and detection by content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class published_file;
}

namespace tickreel::files {

struct echo_access;   // echo/echo_access.hpp: formats of Echo VR
struct reel_encoder;  // reel/reel_encoders.hpp: encoders of reels

// The beginning of a file, by which a format claims it.
struct probe {
  byte_span head;  // the first bytes, 64 KiB unless the file is shorter
  std::uint64_t file_bytes = 0;
};

// The `detail` of the error of a program that knows a format and leaves it to another program.
inline constexpr const char* read_elsewhere = "another reader opens this format";

// How sure a format is.
enum class claim : std::uint8_t { no, plausible, certain };

// What a viewer draws.
enum class stage : std::uint8_t {
  by_tick,    // a tick decides: a reel holds anything
  arena,      // Echo VR
  path,       // one path through a world
  starcraft,  // a StarCraft II map
  world,      // entities of a game's own world
  table,      // no picture: results of games
};
// "arena"; empty for by_tick.
[[nodiscard]] std::string_view name(stage value) noexcept;

// The content of a recording, which decides how two of them are compared.
enum class content : std::uint8_t { ticks, echo_ticks, rows, match, replay };

// The viewer's page has two readers, so that it loads only the half of the formats that it needs.
enum class page_reader : std::uint8_t { none, by_encoder, echo, others };

// How ticks and events are shown to people.
struct presentation {
  files::stage stage = stage::by_tick;
  page_reader reader = page_reader::none;
  double position_units = 1;           // what events count positions in: this many are one unit of the map
  bool has_sparse_ticks = false;       // numbers of ticks that are missing are no gaps
  bool has_events_as_ticks = false;    // its ticks hold nothing but its events
  bool lasts_through_its_end = false;  // the duration includes the last tick
  bool is_collection = false;          // many games in one file, each with its result alone
};

// What convert() offers where it writes Echo VR ticks to a format.
struct echo_output {
  bool has_keyframes = true;
  bool is_exact = false;       // a profile changes nothing
  bool has_side_data = false;  // a file beside it holds what the format cannot; see convert_options::extra
  std::span<const codec_id> codecs = {};  // those that it takes; empty: any
};

// What recover() makes of a file.
struct recovery_target {
  std::string_view extension;                     // of the name that recover() chooses
  std::string_view format = {};                   // its name
  std::span<const std::string_view> others = {};  // other formats that the output may have
  const char* wrong_name = "";                    // the error where the output's name is of another format
};

// A sequence of encoders; std::span needs a complete type.
struct reel_encoder_list {
  const reel_encoder* first = nullptr;
  std::size_t count = 0;
};

// Everything that the program knows of a format. Null where a format has no such thing.
struct format {
  std::string_view name;        // as in `info`: the extension in lower case
  std::string_view extension;   // with its dot
  std::string_view looks_like;  // for people whose file is of no known format

  claim (*claims)(const probe& file) noexcept = nullptr;
  result<std::unique_ptr<recording>> (*open)(const byte_source& from, const open_options& options) = nullptr;

  // Where the recording ends in a longer file; empty when the file does not say.
  std::optional<std::uint64_t> (*find_end)(byte_source& from, std::uint64_t file_bytes) = nullptr;
  // The bytes that files of the format begin with, by which a second recording in one file is found; empty
  // when there are none. Files that begin otherwise are not searched.
  std::string_view magic = {};
  // Whether bytes in the middle of a file, which begin with `magic`, belong to the recording itself.
  bool (*continues_at)(const byte_source& from, std::uint64_t offset) = nullptr;

  presentation shown = {};
  files::content holds = content::ticks;
  codec_id usual_codec = codec_id::gzip;
  // Written record by record: what was recorded can always be recovered, followed and published to a broker.
  bool has_records = false;
  // Events that were derived from a recording can be stored with it.
  bool stores_derived_events = false;

  // The error of an edit that is null here, where another one than the usual says more.
  const char* edit_advice = nullptr;
  const char* derive_advice = nullptr;
  const char* wrong_recovered_name = "the output's name tells another format than the input has";

  const echo_access* echo = nullptr;  // of a format that may hold Echo VR ticks
  echo_output as_echo_output = {};
  reel_encoder_list reel_encoders = {};  // those whose reels are published as this format
  std::span<const conversion> conversions = {};

  // Reads a file once more before it is published; see files/src/published_check.hpp.
  result<void> (*check)(const byte_source& from) = nullptr;

  // What can be done with a file. `output` is never empty and never the input.
  result<recover_report> (*recover)(const file_path& input, const file_path& output,
                                    const recover_options& options) = nullptr;
  // Null: a file of the same format.
  result<recovery_target> (*find_recovery_target)(const file_path& input) = nullptr;
  result<edit_report> (*anonymise)(const file_path& input, const file_path& output,
                                   const edit_options& options) = nullptr;
  result<edit_report> (*recompress)(const file_path& input, const file_path& output,
                                    const recompress_options& options) = nullptr;
  result<edit_report> (*strip_voice)(const file_path& input, const file_path& output,
                                     const edit_options& options) = nullptr;
  result<edit_report> (*sign)(const file_path& input, const file_path& output,
                              const sign_options& options) = nullptr;
  result<edit_report> (*compact)(const file_path& input, const file_path& output,
                                 const edit_options& options) = nullptr;
  // The output may be the input where `stores_derived_events`, with edit_options::overwrite.
  result<edit_report> (*derive)(const file_path& input, const file_path& output,
                                const edit_options& options) = nullptr;
};

// In the order in which they are asked.
[[nodiscard]] std::span<const format> formats() noexcept;

// Adds a format to the list, behind those that are there. Call it before anything else of this library, from
// one thread. `added` is copied; what it points to must stay until the program ends. invalid_argument for a
// format without name, extension, claims() or open(); already_exists for a name or extension that is taken; over_limit
// beyond max_registered_formats.
inline constexpr std::size_t max_registered_formats = 16;
result<void> register_format(const format& added);

// Null for a name that is not in the list.
[[nodiscard]] const format* find_format(std::string_view name) noexcept;

// The format of the content; the surest claim wins, the first of equals. Null when no format claims it.
[[nodiscard]] const format* detect(const probe& file) noexcept;
// The same for any source; not_recognised when no format claims it.
result<const format*> detect(const byte_source& from);
// The same for a file on disk. invalid_argument for a folder, a pipe or a device.
result<const format*> detect(const file_path& path);

// The content of a file; content::ticks where it cannot be read.
[[nodiscard]] content content_of(const file_path& path);
// The page's reader that opens a file. page_reader::echo where it cannot be read, which says why.
[[nodiscard]] page_reader page_reader_of(const file_path& path);
// The names of the formats that Echo VR ticks can be written to, sorted.
[[nodiscard]] std::vector<std::string_view> echo_outputs();
// Whether any conversion writes files of that name, a format or a text such as "csv".
[[nodiscard]] bool is_output(std::string_view name);

}  // namespace tickreel::files
