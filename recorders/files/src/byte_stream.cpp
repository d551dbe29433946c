#include "byte_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/zip/archive.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t block_bytes = 64u << 10;

class source_stream final : public byte_stream {
 public:
  source_stream(const byte_source& from, std::uint64_t size) : from_(from), size_(size) {}

  result<std::size_t> read(mutable_byte_span into) override {
    auto count = from_.read_at(into, position_);
    if (count) position_ += *count;
    return count;
  }
  result<void> rewind() override {
    position_ = 0;
    return {};
  }
  result<bool> go_to(std::uint64_t offset) override {
    position_ = std::min(offset, size_);
    return true;
  }
  std::uint64_t file_position() const noexcept override { return position_; }
  std::uint64_t file_bytes() const noexcept override { return size_; }
  std::uint64_t total_bytes() const noexcept override { return size_; }

 private:
  byte_source from_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
};

// Owns a zlib stream.
class inflater {
 public:
  // Window bits as zlib.h defines them: negative for raw data.
  inflater() : ready_(inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
  // A copy at the same position of the same data.
  inflater(const inflater& other)
      : ready_(other.ready_ && inflateCopy(&stream_, const_cast<z_stream*>(&other.stream_)) == Z_OK) {}
  inflater& operator=(const inflater&) = delete;
  ~inflater() {
    if (ready_) inflateEnd(&stream_);
  }

  enum class state : std::uint8_t { more, ended, broken };

  // Decompresses from `input` to `output` and advances both past the bytes used.
  state run(byte_span& input, mutable_byte_span& output) {
    if (!ready_) return state::broken;
    std::vector<Bytef>& copy = input_;
    const std::size_t take = std::min<std::size_t>(input.size(), block_bytes);
    copy.resize(take);
    std::transform(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(take), copy.begin(),
                   [](std::byte value) { return std::to_integer<Bytef>(value); });
    stream_.next_in = copy.data();
    stream_.avail_in = static_cast<uInt>(take);
    const std::size_t room = std::min<std::size_t>(output.size(), block_bytes);
    output_.resize(room);
    stream_.next_out = output_.data();
    stream_.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t made = room - stream_.avail_out;
    std::transform(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(made), output.begin(),
                   [](Bytef value) { return static_cast<std::byte>(value); });
    input = input.subspan(take - stream_.avail_in);
    output = output.subspan(made);
    if (code == Z_STREAM_END) return state::ended;
    return code == Z_OK || code == Z_BUF_ERROR ? state::more : state::broken;
  }

 private:
  z_stream stream_ = {};
  bool ready_ = false;
  std::vector<Bytef> input_;
  std::vector<Bytef> output_;
};

class torn_zip final : public torn_zip_stream {
 public:
  torn_zip(const byte_source& from, std::uint64_t size, zip::first_entry entry)
      : from_(from), size_(size), entry_(std::move(entry)) {
    restart();
  }

  result<std::size_t> read(mutable_byte_span into) override {
    // Checkpoints are only taken between two calls of zlib.
    if (given_ >= next_mark_) mark();
    const mutable_byte_span all = into;
    while (!into.empty() && !ended_) {
      if (pending_.empty()) {
        std::size_t room = block_.size();
        if (entry_.method == 0 && entry_.content) {
          room = static_cast<std::size_t>(
              std::min<std::uint64_t>(room, entry_.data_offset + entry_.content->stored_bytes - position_));
        }
        auto count = from_.read_at(mutable_byte_span(block_).first(room), position_);
        if (!count) return fail(count.error());
        position_ += *count;
        pending_ = byte_span(block_).first(*count);
        if (pending_.empty()) {
          ended_ = true;
          // Deflated data contains its end; stored data ends at its declared length.
          came_to_end_ = entry_.method == 0 && room == 0;
          break;
        }
      }
      if (entry_.method == 0) {
        const std::size_t take = std::min(pending_.size(), into.size());
        std::copy_n(pending_.begin(), take, into.begin());
        pending_ = pending_.subspan(take);
        into = into.subspan(take);
        continue;
      }
      const auto state = inflater_->run(pending_, into);
      ended_ = state != inflater::state::more;
      came_to_end_ = state == inflater::state::ended;
      if (state == inflater::state::broken) end_ = prefix_end::damaged;
    }
    const std::size_t given = all.size() - into.size();
    given_ += given;
    crc32_ = crc32(all.first(given), crc32_);
    if (came_to_end_ && end_ == prefix_end::cut) {
      if (auto checked = check(); !checked) return fail(checked.error());
    }
    return given;
  }

  result<void> rewind() override {
    restart();
    return {};
  }
  // From the last place before it that was kept; what was not read yet is read, for the checksum.
  result<bool> go_to(std::uint64_t offset) override {
    const auto after =
        std::find_if(marks_.begin(), marks_.end(), [&](const place& each) { return each.offset > offset; });
    if (after != marks_.begin() && (offset < given_ || std::prev(after)->offset > given_)) {
      const place& from = *std::prev(after);
      restart();
      inflater_ = std::make_unique<inflater>(*from.state);
      position_ = from.position;
      given_ = from.offset;
      crc32_ = from.crc32;
    } else if (offset < given_) {
      restart();
    }
    byte_vector passed(block_bytes);
    while (given_ < offset) {
      const auto count = read(mutable_byte_span(passed).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(passed.size(), offset - given_))));
      if (!count) return fail(count.error());
      if (*count == 0) break;
    }
    return true;
  }
  std::uint64_t file_position() const noexcept override { return position_ - pending_.size(); }
  std::uint64_t file_bytes() const noexcept override { return size_; }
  prefix_end end() const noexcept override { return end_; }
  std::optional<std::uint32_t> content_checksum() const noexcept override {
    return came_to_end_ ? std::optional(crc32_) : std::nullopt;
  }

 private:
  void restart() {
    inflater_ = std::make_unique<inflater>();
    block_.resize(block_bytes);
    pending_ = {};
    position_ = entry_.data_offset;
    ended_ = came_to_end_ = false;
    end_ = prefix_end::cut;
    crc32_ = 0;
    given_ = 0;
  }

  // A checkpoint has 40 KB. At most 20 MB of them are kept, at larger distances in a longer text.
  void mark() {
    constexpr std::size_t max_marks = 512;
    if (marks_.size() == max_marks) {
      for (std::size_t i = 0; 2 * i + 1 < marks_.size(); ++i) marks_[i] = std::move(marks_[2 * i + 1]);
      marks_.resize(marks_.size() / 2);
      apart_ *= 2;
    }
    next_mark_ = given_ + apart_;
    if (ended_) return;
    marks_.push_back({given_, file_position(), crc32_, std::make_unique<inflater>(*inflater_)});
  }

  // Data descriptor, APPNOTE.TXT 4.3.9: [u32 0x08074b50] | u32 crc | sizes.
  result<void> check() {
    std::optional<std::uint32_t> declared_crc32;
    if (entry_.content) declared_crc32 = entry_.content->crc32;
    if (entry_.has_data_descriptor) {
      std::byte descriptor[8];
      auto count = from_.read_at(descriptor, file_position());
      if (!count) return fail(count.error());
      byte_reader in(byte_span(descriptor).first(*count));
      constexpr std::uint32_t signature = 0x08074b50u;
      const std::uint32_t first = in.u32();
      declared_crc32 = first == signature ? in.u32() : first;
      if (!in.ok()) return {};
    }
    if (!declared_crc32) return {};
    end_ = *declared_crc32 == crc32_ ? prefix_end::whole : prefix_end::damaged;
    return {};
  }

  byte_source from_;
  std::uint64_t size_ = 0;
  zip::first_entry entry_;
  std::unique_ptr<inflater> inflater_;
  byte_vector block_;
  byte_span pending_;
  std::uint64_t position_ = 0;
  bool ended_ = false;
  bool came_to_end_ = false;  // the end of the content was reached, not only the end of the file
  prefix_end end_ = prefix_end::cut;
  std::uint32_t crc32_ = 0;  // of the content up to `given_`
  std::uint64_t given_ = 0;

  // A checkpoint: decompression can restart there.
  struct place {
    std::uint64_t offset = 0;    // in the decompressed stream
    std::uint64_t position = 0;  // in the file
    std::uint32_t crc32 = 0;     // of the content before it
    std::unique_ptr<inflater> state;
  };
  std::vector<place> marks_;
  std::uint64_t apart_ = 4u << 20;
  std::uint64_t next_mark_ = 4u << 20;
};

}  // namespace

result<std::unique_ptr<byte_stream>> open_stream(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  return std::make_unique<source_stream>(from, *size);
}

result<std::unique_ptr<torn_zip_stream>> open_torn_zip(const byte_source& from) {
  byte_vector head(128u << 10);  // header, name and extra field are at most 30 + 2 * 65535 bytes
  const auto count = from.read_at(head, 0);
  if (!count) return fail(count.error());
  auto entry = zip::read_first_entry(byte_span(head).first(*count));
  if (!entry) return fail(entry.error());
  const auto size = from.size();
  if (!size) return fail(size.error());
  return std::make_unique<torn_zip>(from, *size, std::move(*entry));
}

byte_vector inflate_prefix(byte_span input, std::size_t limit) {
  byte_vector out;
  inflater stream;
  byte_vector block(block_bytes);
  while (out.size() < limit) {
    mutable_byte_span room(block.data(), std::min(block.size(), limit - out.size()));
    const std::size_t offered = room.size();
    const std::size_t before = input.size();
    const auto state = stream.run(input, room);
    const std::size_t made = offered - room.size();
    out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(made));
    const bool stuck = made == 0 && before == input.size();
    if (state != inflater::state::more || stuck) break;
  }
  return out;
}

}  // namespace tickreel::files
