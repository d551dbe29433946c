// The table of formats that can be opened, and telling them apart.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// What a format is shown of a file in order to claim it.
struct probe {
  byte_span head;  // the first bytes, 64 KiB unless the file is shorter
  std::uint64_t file_bytes = 0;
};

// What opening a format is answered with, as `detail`, by a program that knows it and leaves it to another
// one.
inline constexpr const char* read_elsewhere = "another reader opens this format";

// How sure a format is.
enum class claim : std::uint8_t { no, plausible, certain };

struct format {
  std::string_view name;        // as in `info`
  std::string_view extension;   // with its dot
  std::string_view looks_like;  // for people whose file is none of them
  claim (*claims)(const probe& file) noexcept;
  result<std::unique_ptr<recording>> (*open)(const byte_source& from, const open_options& options);

  // What else can be done with files of this format; null where nothing can. `output` is never empty and
  // never the input.
  result<recover_report> (*recover)(const file_path& input, const file_path& output,
                                    const recover_options& options) = nullptr;
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
  // Whose output may be the input, with edit_options::overwrite.
  result<edit_report> (*derive)(const file_path& input, const file_path& output,
                                const edit_options& options) = nullptr;
};

// In the order in which they are asked. One source file per format; a new one adds its line to format.cpp.
[[nodiscard]] std::span<const format> formats() noexcept;

// The format of the content; the surest claim wins, the first of equals. Null when nobody claims it.
[[nodiscard]] const format* detect(const probe& file) noexcept;
// The same wherever it lies; not_recognised when nobody claims it.
result<const format*> detect(const byte_source& from);
// The same for a file on disk. invalid_argument for a folder, a pipe or a device.
result<const format*> detect(const file_path& path);

}  // namespace tickreel::files
