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

// A distant source states a size, and its content states others. Memory is allocated for received bytes and
// at most the same again. `into` then has `count` bytes, or fewer at the end of the source.
result<void> read_as_it_comes(distant_bytes& from, std::uint64_t offset, std::uint64_t count,
                              byte_vector& into) {
  constexpr std::uint64_t first_step = std::uint64_t{1} << 20;
  into.clear();
  while (into.size() < count) {
    const std::size_t filled = into.size();
    const std::uint64_t step = std::min(std::max<std::uint64_t>(filled, first_step), count - filled);
    into.resize(filled + static_cast<std::size_t>(step));
    const auto came = from.read_at(mutable_byte_span(into).subspan(filled), offset + filled);
    if (!came) return fail(came.error());
    into.resize(filled + *came);
    if (*came < step) break;
  }
  return {};
}

}  // namespace

result<byte_source> byte_source::open(const file_path& path, system_calls& calls) {
  auto opened = file::open_for_reading(path, calls);
  if (!opened) return fail(opened.error());
  return byte_source(std::move(*opened));
}

bool byte_source::is_being_written() const {
  return file_ != nullptr && file_->is_locked_elsewhere();
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
  if (distant_ != nullptr) {
    if (const auto done = read_as_it_comes(*distant_, offset, count, buffer); !done)
      return fail(done.error());
    return byte_span(buffer);
  }
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
  // With 32-bit addresses, a larger size would wrap.
  limit = std::min<std::uint64_t>(limit, byte_vector().max_size());
  if (bytes > limit) {
    return fail(error_code::over_limit, error::no_offset, "the recording is larger than {} bytes",
                static_cast<std::int64_t>(limit));
  }
  if (distant_ == nullptr) return held_bytes(memory_);
  byte_vector content;
  if (const auto done = read_as_it_comes(*distant_, 0, bytes, content); !done) return fail(done.error());
  return held_bytes(std::move(content));
}

}  // namespace tickreel
