#include "zip.hpp"

#include <algorithm>

#include "paths.hpp"
#include "zip_source.hpp"

namespace tickreel::files {

error from_zip(const zip_error_t* what, std::uint64_t offset) {
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

namespace {

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

}  // namespace

result<std::unique_ptr<byte_stream>> open_zip_stream(const byte_source& from) {
  return zip_stream::open(from);
}

}  // namespace tickreel::files
