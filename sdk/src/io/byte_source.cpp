#include "tickreel/io/byte_source.hpp"

#include <algorithm>

#include "tickreel/io/whole_file.hpp"

namespace tickreel {

namespace {

byte_span part_of(byte_span all, std::uint64_t offset, std::uint64_t count) noexcept {
  const std::uint64_t start = std::min<std::uint64_t>(offset, all.size());
  return all.subspan(static_cast<std::size_t>(start),
                     static_cast<std::size_t>(std::min<std::uint64_t>(count, all.size() - start)));
}

}  // namespace

result<byte_source> byte_source::open(const file_path& path, system_calls& calls) {
  auto opened = file::open_for_reading(path, calls);
  if (!opened) return fail(opened.error());
  return byte_source(std::move(*opened));
}

result<std::uint64_t> byte_source::size() const {
  if (file_ != nullptr) return file_->size();
  if (distant_ != nullptr) return distant_->size();
  return std::uint64_t{memory_.size()};
}

result<std::size_t> byte_source::read_at(mutable_byte_span into, std::uint64_t offset) const {
  if (file_ != nullptr) return file_->read_at(into, offset);
  if (distant_ != nullptr) return distant_->read_at(into, offset);
  const byte_span part = part_of(memory_, offset, into.size());
  std::copy(part.begin(), part.end(), into.begin());
  return part.size();
}

result<byte_span> byte_source::view(std::uint64_t offset, std::size_t count) {
  if (in_memory()) return part_of(memory_, offset, count);
  byte_vector& buffer = buffer_.bytes;
  if (buffer.size() < count) buffer.resize(count);
  const auto done = read_at(mutable_byte_span(buffer).first(count), offset);
  if (!done) return fail(done.error());
  return byte_span(buffer).first(*done);
}

result<held_bytes> byte_source::whole(std::uint64_t limit) const {
  if (file_ != nullptr) {
    auto content = read_whole_file(*file_, limit);
    if (!content) return fail(content.error());
    return held_bytes(std::move(*content));
  }
  const std::uint64_t bytes = distant_ != nullptr ? distant_->size() : memory_.size();
  if (bytes > limit) {
    return fail(error_code::over_limit, error::no_offset, "the recording is larger than {} bytes",
                static_cast<std::int64_t>(limit));
  }
  if (distant_ == nullptr) return held_bytes(memory_);
  byte_vector content(static_cast<std::size_t>(bytes));
  const auto came = distant_->read_at(content, 0);
  if (!came) return fail(came.error());
  content.resize(*came);
  return held_bytes(std::move(content));
}

}  // namespace tickreel
