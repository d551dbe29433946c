#include "zip.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "paths.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::files {

namespace {

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

error from_zip(const zip_error_t* what, std::uint64_t offset = error::no_offset) {
  if (zip_error_system_type(what) == ZIP_ET_SYS && zip_error_code_system(what) != 0) {
    return from_system_error(zip_error_code_system(what), "zip archive");
  }
  switch (zip_error_code_zip(what)) {
    case ZIP_ER_NOZIP:
    case ZIP_ER_INCONS:
      return {error_code::truncated, offset, "the zip archive's directory at its end is missing or damaged"};
    case ZIP_ER_CRC:
      return {error_code::checksum_mismatch, offset, "zip entry"};
    case ZIP_ER_ZLIB:
      return {error_code::corrupt_compression, offset, "zip entry"};
    case ZIP_ER_EOF:
      return {error_code::truncated, offset, "zip entry"};
    case ZIP_ER_COMPNOTSUPP:
    case ZIP_ER_ENCRNOTSUPP:
    case ZIP_ER_NOPASSWD:
      return {error_code::unsupported_codec, offset, "zip entry"};
    case ZIP_ER_MEMORY:
      return {error_code::out_of_memory};
    case ZIP_ER_CANCELLED:
      return {error_code::interrupted};
    default:
      return {error_code::io_failed, offset, "zip archive (libzip error {})", {zip_error_code_zip(what), 0}};
  }
}

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

#ifndef TICKREEL_WITHOUT_FILES
// Passes the entry's text to libzip.
class text_source {
 public:
  text_source(const zip_entry_options& entry, const text_producer& text) : entry_(entry), text_(text) {}

  std::optional<error> failure;

  static zip_int64_t call(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<text_source*>(self)->answer(data, length, command);
  }

 private:
  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_OPEN:
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE:
        return 0;
      case ZIP_SOURCE_READ:
        return read(static_cast<char*>(data), static_cast<std::size_t>(length));
      case ZIP_SOURCE_STAT: {
        auto* stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->mtime = entry_.modified_s != 0 ? static_cast<time_t>(entry_.modified_s) : std::time(nullptr);
        stat->valid = ZIP_STAT_MTIME;
        if (entry_.max_text_bytes) {
          stat->size = *entry_.max_text_bytes;
          stat->valid |= ZIP_STAT_SIZE;
        }
        return sizeof(zip_stat_t);
      }
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&error_, data, length);
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
      default:
        zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
  }

  zip_int64_t read(char* into, std::size_t room) {
    std::size_t done = 0;
    while (done < room && !ended_) {
      if (pending_.empty()) {
        auto piece = text_();
        if (!piece) {
          failure = piece.error();
          zip_error_set(&error_, ZIP_ER_READ, EIO);
          return -1;
        }
        pending_ = *piece;
        ended_ = pending_.empty();
        if (ended_) break;
      }
      const std::size_t take = std::min(room - done, pending_.size());
      std::memcpy(into + done, pending_.data(), take);
      pending_.remove_prefix(take);
      done += take;
    }
    return static_cast<zip_int64_t>(done);
  }

  const zip_entry_options& entry_;
  const text_producer& text_;
  std::string_view pending_;
  bool ended_ = false;
  zip_error_t error_ = {};
};

#endif

class zip_stream final : public byte_stream {
 public:
  static result<std::unique_ptr<byte_stream>> open(const byte_source& from) {
    const auto size = from.size();
    if (!size) return fail(size.error());
    std::unique_ptr<zip_stream> made(new zip_stream(from, *size));
    if (auto opened = made->open_archive(name_of(from.name())); !opened) return fail(opened.error());
    return made;
  }

  result<std::size_t> read(mutable_byte_span into) override {
    if (unpacks_) return read_unpacked(into);
    const zip_int64_t count = zip_fread(entry_.get(), into.data(), into.size());
    if (count < 0) {
      if (source_->failure) return fail(*source_->failure);
      return fail(from_zip(zip_file_get_error(entry_.get()), given_));
    }
    given_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

  // libzip decompresses only from the beginning.
  result<bool> go_to(std::uint64_t offset) override {
    if (zip_get_num_entries(archive_.get(), 0) != 1) return false;
    if (unpacked_ == nullptr) {
      auto only = open_torn_zip(from_);
      if (!only) return false;
      unpacked_ = std::move(*only);
    }
    auto gone = unpacked_->go_to(offset);
    unpacks_ = gone && *gone;
    return gone;
  }

  result<void> rewind() override {
    unpacks_ = false;
    given_ = 0;
    entry_.reset(zip_fopen_index(archive_.get(), index_, 0));
    if (!entry_) return fail(from_zip(zip_get_error(archive_.get())));
    return {};
  }

  // The share of the text that was read, scaled to the file's size.
  std::uint64_t file_position() const noexcept override {
    if (total_ == 0) return 0;
    const double share = static_cast<double>(given_) / static_cast<double>(total_);
    return std::min(size_, static_cast<std::uint64_t>(share * static_cast<double>(size_)));
  }
  std::uint64_t file_bytes() const noexcept override { return size_; }
  std::uint64_t total_bytes() const noexcept override { return total_; }
  std::string_view comment() const noexcept override {
    int length = 0;
    const char* const text = zip_get_archive_comment(archive_.get(), &length, ZIP_FL_ENC_RAW);
    return text == nullptr ? std::string_view{} : std::string_view(text, static_cast<std::size_t>(length));
  }

 private:
  zip_stream(const byte_source& from, std::uint64_t size)
      : from_(from), size_(size), source_(std::make_unique<file_source>(from, size)) {}

  result<std::size_t> read_unpacked(mutable_byte_span into) {
    auto count = unpacked_->read(into);
    if (!count || *count != 0) return count;
    if (const auto checksum = unpacked_->content_checksum()) {
      if (checksum_ && *checksum != *checksum_)
        return fail(error_code::checksum_mismatch, error::no_offset, "zip entry");
      return count;
    }
    const bool cut = unpacked_->end() == prefix_end::cut;
    return fail(cut ? error_code::truncated : error_code::corrupt_compression, error::no_offset, "zip entry");
  }

  result<void> open_archive(const std::string& file_name) {
    zip_error_t why;
    zip_error_init(&why);
    source_pointer source(zip_source_function_create(&file_source::call, source_.get(), &why));
    if (!source) return fail(from_zip(&why));
    archive_.reset(zip_open_from_source(source.get(), ZIP_RDONLY, &why));
    if (!archive_) return fail(source_->failure.value_or(from_zip(&why)));
    (void)source.release();  // the archive owns it now
    if (auto found = choose_entry(file_name); !found) return found;
    return rewind();
  }

  result<void> choose_entry(const std::string& file_name) {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count <= 0) return fail(error_code::malformed, 0, "the zip archive is empty");
    zip_int64_t chosen = zip_name_locate(archive_.get(), file_name.c_str(), 0);
    constexpr std::string_view extension = ".echoreplay";
    for (zip_int64_t each = 0; each < count && chosen < 0; ++each) {
      const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(each), 0);
      if (name != nullptr && std::string_view(name).ends_with(extension)) chosen = each;
    }
    index_ = static_cast<zip_uint64_t>(std::max<zip_int64_t>(chosen, 0));
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive_.get(), index_, 0, &stat) == 0 && (stat.valid & ZIP_STAT_SIZE) != 0) {
      total_ = stat.size;
    }
    if ((stat.valid & ZIP_STAT_CRC) != 0) checksum_ = stat.crc;
    return {};
  }

  byte_source from_;
  std::uint64_t size_ = 0;
  std::unique_ptr<torn_zip_stream> unpacked_;  // a second decompressor of the same text, for go_to()
  bool unpacks_ = false;                       // read() uses unpacked_
  std::unique_ptr<file_source> source_;        // declared before the archive, which uses it
  archive_pointer archive_;
  entry_pointer entry_;
  zip_uint64_t index_ = 0;
  std::uint64_t total_ = 0;
  std::optional<std::uint32_t> checksum_;  // the directory's
  std::uint64_t given_ = 0;
};

#ifndef TICKREEL_WITHOUT_FILES
int cancelled(zip_t*, void* watch) {
  return static_cast<const monitor*>(watch)->stop() ? 1 : 0;
}

// Adds the comment to an archive without one: the comment is the end of the file, and the two bytes before it
// are its length.
result<void> append_comment(published_file& archive, std::string_view text) {
  if (text.empty()) return {};
  std::array<std::byte, 2> length;
  byte_writer(length).u16(static_cast<std::uint16_t>(text.size()));
  if (auto done = archive.overwrite(length, archive.size() - length.size()); !done) return done;
  return archive.append(as_bytes(text));
}
#endif

}  // namespace

result<std::unique_ptr<byte_stream>> open_zip_stream(const byte_source& from) {
  return zip_stream::open(from);
}

#ifndef TICKREEL_WITHOUT_FILES
result<void> write_zip(published_file& out, const zip_entry_options& entry, const text_producer& text,
                       const monitor& watch) {
  file_source target(out);
  text_source content(entry, text);
  const auto failed = [&](const zip_error_t* why) {
    return fail(content.failure ? *content.failure : target.failure ? *target.failure : from_zip(why));
  };
  zip_error_t why;
  zip_error_init(&why);
  source_pointer target_source(zip_source_function_create(&file_source::call, &target, &why));
  if (!target_source) return failed(&why);
  archive_pointer archive(zip_open_from_source(target_source.get(), ZIP_CREATE | ZIP_TRUNCATE, &why));
  if (!archive) return failed(&why);
  (void)target_source.release();  // the archive owns it now

  source_pointer content_source(zip_source_function_create(&text_source::call, &content, &why));
  if (!content_source) return failed(&why);
  const zip_int64_t index =
      zip_file_add(archive.get(), entry.name.c_str(), content_source.get(), ZIP_FL_ENC_UTF_8);
  if (index < 0) return failed(zip_get_error(archive.get()));
  (void)content_source.release();
  // The default of libzip is zlib's level 9, which takes several times as long for 2 %.
  constexpr int usual_level = 6;
  const auto compression_level =
      static_cast<zip_uint32_t>(entry.level == 0 ? usual_level : std::clamp(entry.level, 1, 9));
  if (zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE,
                               compression_level) != 0) {
    return failed(zip_get_error(archive.get()));
  }
  if (watch.cancelled) {
    zip_register_cancel_callback_with_state(archive.get(), &cancelled, nullptr, const_cast<monitor*>(&watch));
  }
  // libzip does the work here: it pulls the text, deflates it and writes the archive.
  if (zip_close(archive.get()) != 0) return failed(zip_get_error(archive.get()));
  (void)archive.release();
  return entry.archive_comment ? append_comment(out, entry.archive_comment()) : result<void>{};
}
#endif

}  // namespace tickreel::files
