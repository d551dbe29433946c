#include "byte_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "tickreel/bytes/reader.hpp"

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
  std::uint64_t file_position() const noexcept override { return position_; }
  std::uint64_t file_bytes() const noexcept override { return size_; }
  std::uint64_t total_bytes() const noexcept override { return size_; }

 private:
  byte_source from_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
};

// zlib's stream, closed when it goes.
class inflater {
 public:
  // Window bits as zlib.h spells them: negative for raw data.
  inflater() : ready_(inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() {
    if (ready_) inflateEnd(&stream_);
  }

  enum class state : std::uint8_t { more, ended, broken };

  // Takes from `input` and fills `output`, and moves both past what was used.
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
  torn_zip(const byte_source& from, std::uint64_t size, zip_first_entry entry)
      : from_(from), size_(size), entry_(std::move(entry)) {
    restart();
  }

  result<std::size_t> read(mutable_byte_span into) override {
    const std::size_t wanted = into.size();
    while (!into.empty() && !ended_) {
      if (pending_.empty()) {
        auto count = from_.read_at(block_, position_);
        if (!count) return fail(count.error());
        position_ += *count;
        pending_ = byte_span(block_).first(*count);
        if (pending_.empty()) {
          ended_ = true;
          damaged_ = true;  // it never said that it ended
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
      damaged_ = damaged_ || state == inflater::state::broken;
    }
    return wanted - into.size();
  }

  result<void> rewind() override {
    restart();
    return {};
  }
  std::uint64_t file_position() const noexcept override { return position_ - pending_.size(); }
  std::uint64_t file_bytes() const noexcept override { return size_; }
  bool damaged() const noexcept override { return damaged_; }

 private:
  void restart() {
    inflater_ = std::make_unique<inflater>();
    block_.resize(block_bytes);
    pending_ = {};
    position_ = entry_.data_offset;
    ended_ = damaged_ = false;
  }

  byte_source from_;
  std::uint64_t size_ = 0;
  zip_first_entry entry_;
  std::unique_ptr<inflater> inflater_;
  byte_vector block_;
  byte_span pending_;
  std::uint64_t position_ = 0;
  bool ended_ = false;
  bool damaged_ = false;
};

}  // namespace

result<std::unique_ptr<byte_stream>> open_stream(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  return std::make_unique<source_stream>(from, *size);
}

// Local file header, APPNOTE.TXT 4.3.7:
//   u32 0x04034b50 | u16 version | u16 flags | u16 method | u16 time | u16 date | u32 crc | u32 stored size
//   | u32 size | u16 length of name | u16 length of extra field | name | extra field | data
result<zip_first_entry> parse_first_entry(byte_span head) {
  byte_reader in(head);
  if (in.u32() != 0x04034b50u) return fail(error_code::bad_magic, 0);
  in.skip(2);
  const std::uint16_t flags = in.u16();
  zip_first_entry entry;
  entry.method = in.u16();
  in.skip(16);
  const std::uint16_t name_bytes = in.u16();
  const std::uint16_t extra_bytes = in.u16();
  entry.name = std::string(as_text(in.bytes(name_bytes)));
  in.skip(extra_bytes);
  if (!in.ok()) return in.failure("zip entry");
  constexpr std::uint16_t encrypted = 1;
  if ((flags & encrypted) != 0 || (entry.method != 0 && entry.method != 8)) {
    return fail(error_code::unsupported_codec, 0, "zip entry with method {}", entry.method);
  }
  entry.data_offset = in.offset();
  return entry;
}

result<std::unique_ptr<torn_zip_stream>> open_torn_zip(const byte_source& from) {
  byte_vector head(128u << 10);  // header, name and extra field are at most 30 + 2 * 65535 bytes
  const auto count = from.read_at(head, 0);
  if (!count) return fail(count.error());
  auto entry = parse_first_entry(byte_span(head).first(*count));
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
