// libzip over our own files: handles, errors, and the callbacks that read and write.
#pragma once

#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct zip_closer {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct entry_closer {
  void operator()(zip_file_t* entry) const noexcept { zip_fclose(entry); }
};
struct source_closer {
  void operator()(zip_source_t* source) const noexcept { zip_source_free(source); }
};
using archive_pointer = std::unique_ptr<zip_t, zip_closer>;
using entry_pointer = std::unique_ptr<zip_file_t, entry_closer>;
using source_pointer = std::unique_ptr<zip_source_t, source_closer>;

[[nodiscard]] error from_zip(const zip_error_t* what, std::uint64_t offset = error::no_offset);

// The callbacks of a libzip source for reading and writing. Our own errors are kept in `failure`.
class file_source {
 public:
  explicit file_source(const byte_source& input, std::uint64_t size) : input_(input), size_(size) {}
#ifndef TICKREEL_WITHOUT_FILES
  explicit file_source(published_file& output) : output_(&output) {}
#endif

  std::optional<error> failure;

  static zip_int64_t call(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<file_source*>(self)->answer(data, length, command);
  }

 private:
  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_OPEN:
        position_ = 0;
        return 0;
      case ZIP_SOURCE_READ:
        return read(data, length);
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE:
      case ZIP_SOURCE_BEGIN_WRITE:
      case ZIP_SOURCE_COMMIT_WRITE:
      case ZIP_SOURCE_ROLLBACK_WRITE:
      case ZIP_SOURCE_REMOVE:
        return 0;
      case ZIP_SOURCE_STAT: {
        auto* stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = bytes();
        stat->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
      }
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&error_, data, length);
      case ZIP_SOURCE_SEEK:
      case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t to = zip_source_seek_compute_offset(position_, bytes(), data, length, &error_);
        if (to < 0) return -1;
        position_ = static_cast<std::uint64_t>(to);
        return 0;
      }
      case ZIP_SOURCE_TELL:
      case ZIP_SOURCE_TELL_WRITE:
        return static_cast<zip_int64_t>(position_);
      case ZIP_SOURCE_WRITE:
        return write(data, length);
      case ZIP_SOURCE_SUPPORTS:
        return output_ != nullptr ? ZIP_SOURCE_SUPPORTS_WRITABLE : ZIP_SOURCE_SUPPORTS_SEEKABLE;
      default:
        zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
  }

#ifdef TICKREEL_WITHOUT_FILES
  [[nodiscard]] std::uint64_t bytes() const { return size_; }
  zip_int64_t write(const void*, zip_uint64_t) { return refuse({error_code::io_failed}, ZIP_ER_WRITE); }
#else
  [[nodiscard]] std::uint64_t bytes() const { return output_ != nullptr ? output_->size() : size_; }
#endif

  zip_int64_t read(void* data, zip_uint64_t length) {
    if (!input_) return refuse({error_code::io_failed}, ZIP_ER_READ);
    auto count =
        input_->read_at({static_cast<std::byte*>(data), static_cast<std::size_t>(length)}, position_);
    if (!count) return refuse(count.error(), ZIP_ER_READ);
    position_ += *count;
    return static_cast<zip_int64_t>(*count);
  }

#ifndef TICKREEL_WITHOUT_FILES
  // libzip writes sequentially, but seeks back to complete the entry's header.
  zip_int64_t write(const void* data, zip_uint64_t length) {
    byte_span from{static_cast<const std::byte*>(data), static_cast<std::size_t>(length)};
    const std::uint64_t end = output_->size();
    const std::size_t inside =
        position_ < end ? static_cast<std::size_t>(std::min<std::uint64_t>(end - position_, from.size())) : 0;
    if (inside > 0) {
      if (auto done = output_->overwrite(from.first(inside), position_); !done) {
        return refuse(done.error(), ZIP_ER_WRITE);
      }
    }
    if (inside < from.size()) {
      if (auto done = output_->append(from.subspan(inside)); !done) return refuse(done.error(), ZIP_ER_WRITE);
    }
    position_ += length;
    return static_cast<zip_int64_t>(length);
  }
#endif

  zip_int64_t refuse(const error& what, int zip_code) {
    failure = what;
    zip_error_set(&error_, zip_code, what.system_error != 0 ? what.system_error : EIO);
    return -1;
  }

  std::optional<byte_source> input_;
  std::uint64_t size_ = 0;
  published_file* output_ = nullptr;
  std::uint64_t position_ = 0;
  zip_error_t error_ = {};
};

}  // namespace tickreel::files
