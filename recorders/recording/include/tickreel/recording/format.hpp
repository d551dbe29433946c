// The table of formats that can be opened, and telling them apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/recording/edit.hpp"
#include "tickreel/recording/recording.hpp"
#include "tickreel/recording/recover.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

// What a format is shown of a file in order to claim it.
struct probe {
  byte_span head;  // the first bytes, 64 KiB unless the file is shorter
  std::uint64_t file_bytes = 0;
};

// How sure a format is.
enum class claim : std::uint8_t { no, plausible, certain };

struct format {
  std::string_view name;        // as in `info`
  std::string_view extension;   // with its dot
  std::string_view looks_like;  // for people whose file is none of them
  claim (*claims)(const probe& file) noexcept;
  result<std::unique_ptr<recording>> (*open)(const std::filesystem::path& path, const open_options& options);

  // What else can be done with files of this format; null where nothing can. `output` is never empty and
  // never the input.
  result<recover_report> (*recover)(const std::filesystem::path& input, const std::filesystem::path& output,
                                    const recover_options& options) = nullptr;
  result<edit_report> (*anonymise)(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const edit_options& options) = nullptr;
  result<edit_report> (*recompress)(const std::filesystem::path& input, const std::filesystem::path& output,
                                    const recompress_options& options) = nullptr;
  result<edit_report> (*strip_voice)(const std::filesystem::path& input, const std::filesystem::path& output,
                                     const edit_options& options) = nullptr;
  result<edit_report> (*sign)(const std::filesystem::path& input, const std::filesystem::path& output,
                              const sign_options& options) = nullptr;
};

// In the order in which they are asked. One source file per format; a new one adds its line to format.cpp.
[[nodiscard]] std::span<const format> formats() noexcept;

// Null when there is no format of that name.
[[nodiscard]] const format* format_named(std::string_view name) noexcept;

// The format of the content; the surest claim wins, the first of equals. Null when nobody claims it.
[[nodiscard]] const format* detect(const probe& file) noexcept;
// The same for a file on disk; not_recognised when nobody claims it.
result<const format*> detect(const std::filesystem::path& path);

}  // namespace tickreel::recording
