// The viewer's page: the files that a browser shows recordings with, reader included.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::viewer {

struct page_file {
  std::string_view name;  // as the browser asks for it
  std::string_view type;
  std::string bytes;
};

struct page {
  std::array<page_file, 6> files;
  [[nodiscard]] const page_file* find(std::string_view name) const noexcept;
};

// Those of index.html, app.js, worker.js, app.css, reader.wasm and others.wasm that scripts/viewer makes; all
// of them must be there.
result<page> page_in(const file_path& folder);
// What was built into this program; empty when it was built without a page.
[[nodiscard]] std::optional<page> built_in_page();

// Everything in one file: page, reader and recording, for a browser without a network. Nothing is fetched:
// its policy names every script by its hash. Written beside and renamed. over_limit for a recording above
// `most_bytes`: browsers hold such a page several times.
struct single_file_options {
  bool overwrite = false;
  bool spoiler_free = false;  // it begins so
  std::uint64_t most_bytes = 256u * 1024 * 1024;
};
result<std::uint64_t> write_single_file(const page& from, const file_path& recording, const file_path& to,
                                        const single_file_options& options = {});

}  // namespace tickreel::viewer
