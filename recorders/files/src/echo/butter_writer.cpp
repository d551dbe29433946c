#include "butter_writer.hpp"

#include <algorithm>

#include "butter_format.hpp"
#include "byte_stream.hpp"
#include "published_check.hpp"

namespace tickreel::files {

namespace {

// A chunk is written at this size even without a following keyframe; readers carry the previous frame over.
constexpr std::size_t largest_chunk = 16u << 20;

}  // namespace

result<butter_writer> butter_writer::create(const file_path& output, bool overwrite,
                                            butter::compression codec,
                                            std::uint32_t keyframe_interval_ticks) {
  auto file = published_file::create(output, overwrite);
  if (!file) return fail(file.error());
  auto chunks = published_file::create(output.utf8() + ".chunks", true);
  if (!chunks) return fail(chunks.error());
  auto made = compressor::create(butter::codec_of(codec));
  if (!made) return fail(made.error());
  butter_writer writer(std::move(*file), std::move(*chunks), std::move(*made), codec);
  writer.target_frames_ = keyframe_interval_ticks;
  return writer;
}

result<void> butter_writer::add_group(byte_span frames, std::uint32_t frame_count,
                                      bool starts_with_keyframe) {
  const std::uint32_t target = std::max(target_frames_, longest_run_);
  const bool full = starts_with_keyframe && raw_frames_ + frame_count > target;
  if (!raw_.empty() && (full || raw_.size() + frames.size() > largest_chunk)) {
    if (auto sealed = seal(); !sealed) return sealed;
  }
  raw_.insert(raw_.end(), frames.begin(), frames.end());
  raw_frames_ += frame_count;
  longest_run_ = std::max(longest_run_, frame_count);
  return {};
}

result<void> butter_writer::seal() {
  if (raw_.empty()) return {};
  if (auto done = compressor_.compress(raw_, stored_); !done) return done;
  raw_.clear();
  raw_frames_ = 0;
  return add_stored_chunk(stored_);
}

result<void> butter_writer::add_chunk(byte_span frames) {
  if (auto sealed = seal(); !sealed) return sealed;
  raw_.assign(frames.begin(), frames.end());
  return seal();
}

result<void> butter_writer::add_stored_chunk(byte_span stored) {
  if (!raw_.empty()) {
    if (auto sealed = seal(); !sealed) return sealed;
  }
  if (auto appended = chunks_.append(stored); !appended) return appended;
  sizes_.push_back(static_cast<std::uint32_t>(stored.size()));
  return {};
}

result<std::uint64_t> butter_writer::finish(byte_span header,
                                            std::optional<std::uint16_t> keyframe_interval_ticks) {
  if (auto sealed = seal(); !sealed) return fail(sealed.error());
  const auto interval = keyframe_interval_ticks.value_or(
      static_cast<std::uint16_t>(std::clamp<std::uint32_t>(longest_run_, 1, 65535)));
  auto head = butter::encode_head(header, interval, name_, sizes_);
  if (!head) return fail(head.error());
  if (auto appended = output_.append(*head); !appended) return fail(appended.error());
  auto from = file::open_for_reading(chunks_.temporary_path());
  if (!from) return fail(from.error());
  byte_vector block(256u << 10);
  for (std::uint64_t done = 0; done < chunks_.size();) {
    auto count = from->read_at(block, done);
    if (!count) return fail(count.error());
    if (*count == 0) return fail(error_code::truncated, done, "the temporary file of the chunks");
    if (auto appended = output_.append(byte_span(block).first(*count)); !appended)
      return fail(appended.error());
    done += *count;
  }
  const std::uint64_t bytes = output_.size();
  if (auto checked = check_published_file(output_, butter_format.name); !checked)
    return fail(checked.error());
  if (auto committed = output_.commit(); !committed) return fail(committed.error());
  return bytes;
}

// Other readers read a .butter completely; here the first chunk is enough.
result<void> check_butter(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  constexpr std::uint64_t usual_bytes = 1u << 20;
  byte_vector begin;
  for (std::uint64_t bytes = std::min(usual_bytes, *size);; bytes = std::min(bytes * 4, *size)) {
    begin.resize(static_cast<std::size_t>(bytes));
    const auto count = from.read_at(begin, 0);
    if (!count) return fail(count.error());
    auto reader = butter::reader::open(byte_span(begin).first(*count));
    if (reader && reader->chunk_count() == 0)
      return fail(error_code::truncated, *size, "there are no chunks");
    const bool all = bytes == *size;
    if (!reader) {
      if (all) return fail(reader.error());
      continue;
    }
    const std::size_t last = reader->chunk_count() - 1;
    if (reader->chunk_offset(last) + reader->chunk_bytes(last) != *size) {
      return fail(error_code::malformed, *size, "the table of chunks does not fit the file");
    }
    const auto first = reader->skip();
    if (first && *first) return {};
    if (all) return fail(first ? error{error_code::truncated, *size, "there is no tick"} : first.error());
  }
}

}  // namespace tickreel::files
