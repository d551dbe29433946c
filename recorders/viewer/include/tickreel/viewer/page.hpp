// The viewer's page: the files with which a browser shows recordings, including the reader.
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
  std::string_view name;  // as the browser requests it
  std::string_view type;
  std::string bytes;
};

struct page {
  std::array<page_file, 8> files;
  [[nodiscard]] const page_file* find(std::string_view name) const noexcept;
};

// The files index.html, app.js, worker.js, app.css, reader.wasm, others.wasm, captures.wasm and query.wasm, made by
// scripts/viewer; all are required.
result<page> page_in(const file_path& folder);
// The embedded page; empty if the program was built without one.
[[nodiscard]] std::optional<page> built_in_page();

// A picture that the page shows below the recording.
struct page_map {
  std::string name;     // of its file
  std::string edges;    // "left bottom right top" in the game; empty: the page has usual ones
  std::string doubt;    // why it may be of another map; empty: no reason
  std::string picture;  // in a format of browsers
};

// Writes a single file with page, reader and recording, for browsers without a network. It fetches nothing:
// its policy names every script by its hash. Written atomically. Fails with over_limit for a recording above
// `max_bytes`: browsers hold several copies of such a page.
struct single_file_options {
  bool overwrite = false;
  bool spoiler_free = false;  // initial state of the page
  const page_map* map = nullptr;
  std::uint64_t max_bytes = 256u * 1024 * 1024;
};
result<std::uint64_t> write_single_file(const page& from, const file_path& recording, const file_path& to,
                                        const single_file_options& options = {});

}  // namespace tickreel::viewer
