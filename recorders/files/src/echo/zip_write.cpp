#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <string>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/text/utf8.hpp"
#include "zip.hpp"
#include "zip_source.hpp"

namespace tickreel::files {

namespace {

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

}  // namespace

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
  // The output's name may be any bytes; libzip rejects most control characters.
  std::string name = entry.name;
  text::repair(name);
  std::ranges::replace_if(name, [](char each) { return static_cast<unsigned char>(each) < 0x20; }, '_');
  const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), content_source.get(), ZIP_FL_ENC_UTF_8);
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

}  // namespace tickreel::files
