// Descriptions of recording formats, the list of all formats, and detection by content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/ground.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct echo_access;   // echo/echo_access.hpp: formats of Echo VR
struct reel_encoder;  // reels/reel_encoders.hpp: encoders of reels

// The beginning of a file, which formats use to claim it.
struct probe {
  byte_span head;  // the first bytes, 64 KiB unless the file is shorter
  std::uint64_t file_bytes = 0;
};

// The certainty of a claim.
enum class claim : std::uint8_t { no, plausible, certain };

// The picture that a viewer draws.
enum class stage : std::uint8_t {
  by_tick,    // the first ticks decide, because a reel may contain anything
  arena,      // Echo VR
  path,       // one path through a world
  starcraft,  // a StarCraft II map
  world,      // entities of a game's own world
  table,      // no picture: a table of game results
};
// "arena"; empty for by_tick.
[[nodiscard]] std::string_view name(stage value) noexcept;

// The content of a recording, which decides how recordings are compared.
enum class content : std::uint8_t { ticks, echo_ticks, rows, match, replay };

// The viewer's page has three readers and loads only the one that it needs.
enum class page_reader : std::uint8_t { none, by_encoder, echo, others, captures };
// The file of a reader: "reader.wasm"; empty for `none` and `by_encoder`.
[[nodiscard]] std::string_view module_of(page_reader reader) noexcept;
// The `detail` of the error when another of the readers opens the format; its first value is the page_reader.
inline constexpr const char* read_elsewhere = "reader {} of the viewer's page opens this format";

// How ticks and events are shown to users.
struct presentation {
  files::stage stage = stage::by_tick;
  page_reader reader = page_reader::none;
  double position_units = 1;           // positions in events have this many units per unit of the map
  bool has_sparse_ticks = false;       // missing tick numbers are not gaps
  bool has_events_as_ticks = false;    // ticks contain only their events
  bool lasts_through_its_end = false;  // the duration includes the last tick
  bool is_collection = false;          // many games in one file, each with only its result
};

// Where a format stores the text of the API's responses.
enum class stored_text : std::uint8_t { nowhere, as_ticks, beside_ticks };

// Properties of convert() with this format as the output.
struct echo_output {
  bool has_keyframes = true;
  bool is_exact = false;              // profiles have no effect
  bool may_have_bone_errors = false;  // see convert_options::bone_errors
  bool has_side_data = false;  // side data can be written to a file beside it; see convert_options::extra
  stored_text text = stored_text::nowhere;
  bool leaves_content_out = false;  // recover() reports what the format cannot store as left out, not as lost
};

// The output of recover().
struct recovery_target {
  std::string_view extension;       // of the name that recover() chooses
  std::string_view format = {};     // the output's format
  bool takes_echo_outputs = false;  // also the other formats of echo_outputs()
  const char* wrong_name = "";      // the error for an output name of another format
};

// A sequence of encoders; std::span needs a complete type.
struct reel_encoder_list {
  const reel_encoder* first = nullptr;
  std::size_t count = 0;
};

// The description of a format. Null members are not supported by the format.
struct format {
  std::string_view name;        // as in `info`: the extension in lower case
  std::string_view extension;   // with its dot
  std::string_view title = {};  // in texts for users: "StarCraft II replay"; empty: the name
  std::string_view looks_like;  // for users whose file has no known format

  claim (*claims)(const probe& file) noexcept = nullptr;
  result<std::unique_ptr<recording>> (*open)(const byte_source& from, const open_options& options) = nullptr;

  // The offset at which the recording ends in a longer file; empty if the file does not say.
  std::optional<std::uint64_t> (*find_end)(byte_source& from, std::uint64_t file_bytes) = nullptr;
  // The bytes at the beginning of each file of the format. The search for a second recording in one file uses
  // them; empty if there are none.
  std::string_view magic = {};
  // Whether bytes that begin with `magic` in the middle of a file belong to the recording itself.
  bool (*continues_at)(const byte_source& from, std::uint64_t offset) = nullptr;

  presentation shown = {};
  files::content holds = content::ticks;
  codec_id usual_codec = codec_id::gzip;
  std::span<const codec_id> codecs = {};  // that it can be written with; empty: all
  // Written record by record, so that everything recorded can be recovered, followed and published to a
  // broker.
  bool has_records = false;
  // Derived events can be stored in it.
  bool stores_derived_events = false;
  // Recordings are converted to it, and open() fails: a file of another program's format.
  bool is_only_written = false;

  // The error of an edit that is null here, if it should be more specific than the default.
  const char* edit_advice = nullptr;
  const char* derive_advice = nullptr;
  const char* wrong_recovered_name = "the output's name implies another format than the input's";

  const echo_access* echo = nullptr;  // of a format that may contain Echo VR ticks
  echo_output as_echo_output = {};
  reel_encoder_list reel_encoders = {};  // encoders whose reels are published as this format
  std::span<const conversion> conversions = {};

  // See files::read_ground().
  result<ground_picture> (*read_ground)(const byte_source& map, const played_map& played) = nullptr;

  // Reads a file again before it is published; see files/src/published_check.hpp.
  result<void> (*check)(const byte_source& from) = nullptr;

  // Operations on a file. `output` is never empty and never the input.
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
  // With `stores_derived_events` and edit_options::overwrite the output may be the input.
  result<edit_report> (*derive)(const file_path& input, const file_path& output,
                                const edit_options& options) = nullptr;
};

// In the order of detection.
[[nodiscard]] std::span<const format> formats() noexcept;

// Adds a format to the end of the list. Call it before any other function of this library, from one thread.
// `added` is copied; what it points to must remain valid until the program ends. Errors: invalid_argument for
// a format without name, extension, claims() or open(); already_exists for a name or extension in use;
// over_limit beyond max_registered_formats.
inline constexpr std::size_t max_registered_formats = 16;
result<void> register_format(const format& added);

// Null if the list has no such name.
[[nodiscard]] const format* find_format(std::string_view name) noexcept;

// The format that claims the content with the highest certainty, the first of equals. Null if none claims it.
[[nodiscard]] const format* detect(const probe& file) noexcept;
// The same for any source; not_recognised if no format claims it.
result<const format*> detect(const byte_source& from);
// The same for a file on disk. invalid_argument for a folder, a pipe or a device.
result<const format*> detect(const file_path& path);

// The content of a file; content::ticks if no format claims it or it is damaged.
result<content> content_of(const file_path& path);
// The page's reader for a file. page_reader::echo if no format claims it or it is damaged; that reader reports why.
result<page_reader> page_reader_of(const file_path& path);
// The names of the formats that Echo VR ticks can be written to, sorted.
[[nodiscard]] std::vector<std::string_view> echo_outputs();
// The format of that name if Echo VR ticks can be written to it, else null.
[[nodiscard]] const format* echo_output_of(std::string_view name) noexcept;
// The name of the recording that a file contains, without the extensions of its format: "X" for "X.butter", and for
// "X.butter.reel", which becomes X.butter at the end.
[[nodiscard]] std::string recording_name(const file_path& path);
// Whether any conversion writes to that name: a format or a text such as "csv".
[[nodiscard]] bool is_output(std::string_view name);
// For verbs that keep the input's format: fails if the extension of `output` names another one. A name without a
// known extension is allowed.
[[nodiscard]] result<void> check_output_name(const format& of, const file_path& output);

}  // namespace tickreel::files
