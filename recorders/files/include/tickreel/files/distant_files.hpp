// Recordings at addresses that are not paths, such as s3://bucket/key. The program registers how they are read, so
// this library needs no client of a network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// The content of such an address: two that are equal have the same bytes.
struct object_version {
  std::uint64_t bytes = 0;
  std::string tag = {};  // changes whenever the content changes; empty: unknown
};

struct distant_file {
  std::shared_ptr<distant_bytes> bytes;
  // The reason why bytes could not be fetched, which readers may take for damage. Empty if all could.
  std::function<std::optional<error>()> failure;
};

struct distant_place {
  bool (*has)(std::string_view address) noexcept = nullptr;
  // Called by any thread. Each call may return bytes that an earlier result shares.
  result<distant_file> (*open)(const std::string& address) = nullptr;
};

// Then open(), detect(), find_trailing_bytes() and structs_json() take such an address in place of a path; functions
// that write another file do not. Call it before any other function of this library, from one thread.
void register_distant_place(const distant_place& added) noexcept;

[[nodiscard]] bool is_distant(const file_path& path) noexcept;

// The bytes of a file, or of the object at an address. For a file as open(): invalid_argument for a folder, a pipe or a
// device.
result<byte_source> open_source(const file_path& path);

}  // namespace tickreel::files
