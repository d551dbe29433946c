// An .mcap file that appears under its name when it is complete.
#pragma once

#include <algorithm>
#include <string>

#include "open_file.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/mcap/encoder.hpp"
#include "tickreel/text/utf8.hpp"
#include "tickreel/version.hpp"

namespace tickreel::files {

// The messages of a file, in chunks. Channels begin with their first message.
class message_file {
 public:
  static result<message_file> create(const file_path& output, bool overwrite, const codec_options& codec) {
    auto encoder = mcap::encoder::create({.codec = codec});
    if (!encoder) return fail(encoder.error());
    auto file = published_file::create(output, overwrite);
    if (!file) return fail(file.error());
    message_file made(std::move(*encoder), std::move(*file));
    made.encoder_.begin("tickreel " + std::string(version_text), made.bytes_);
    return made;
  }

  result<std::uint16_t> add_channel(const mcap::channel& added) { return encoder_.add_channel(added); }
  result<void> add(std::uint16_t channel, std::uint64_t time_ns, std::string_view json) {
    if (auto added = encoder_.add_message(channel, time_ns, as_bytes(json), bytes_); !added) return added;
    return flush();
  }
  result<void> add(const mcap::message& message) {
    if (auto added = encoder_.add_message(message, bytes_); !added) return added;
    return flush();
  }
  result<void> add_metadata(std::string_view name, std::span<const mcap::entry> entries) {
    if (auto added = encoder_.add_metadata(name, entries, bytes_); !added) return added;
    return flush();
  }
  // Copies a file into this one. `time_ns` as of messages.
  result<void> attach(const file_path& attached, std::uint64_t time_ns, const monitor& watch) {
    const auto from = open_file(attached);
    if (!from) return fail(from.error());
    const auto size = from->size();
    if (!size) return fail(size.error());
    std::string name;
    text::append_repaired(file_path(filesystem_path(attached).filename()).utf8(), name);
    auto begun = encoder_.begin_attachment(
        {.name = name, .media_type = "application/octet-stream", .time_ns = time_ns, .bytes = *size}, bytes_);
    if (!begun) return begun;
    byte_vector part(1u << 20);
    for (std::uint64_t at = 0; at < *size;) {
      if (watch.stop()) return fail(error_code::interrupted);
      const auto count = from->read_at(part, at);
      if (!count) return fail(count.error());
      if (*count == 0) return fail(error_code::truncated, at, "the file became shorter");
      const std::size_t bytes = static_cast<std::size_t>(std::min<std::uint64_t>(*count, *size - at));
      encoder_.add_attachment_bytes(byte_span(part).first(bytes), bytes_);
      if (auto written = flush(); !written) return written;
      at += bytes;
    }
    if (auto ended = encoder_.end_attachment(bytes_); !ended) return ended;
    return flush();
  }
  result<void> finish() {
    if (auto finished = encoder_.finish(bytes_); !finished) return finished;
    return flush();
  }
  [[nodiscard]] published_file& file() noexcept { return file_; }

 private:
  message_file(mcap::encoder&& encoder, published_file&& file) noexcept
      : encoder_(std::move(encoder)), file_(std::move(file)) {}
  result<void> flush() {
    if (bytes_.empty()) return {};
    auto written = file_.append(bytes_);
    bytes_.clear();
    return written;
  }

  mcap::encoder encoder_;
  published_file file_;
  byte_vector bytes_;
};

}  // namespace tickreel::files
