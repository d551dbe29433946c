#include "bzip2.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::uint64_t block_begins = 0x314159265359;
constexpr std::uint64_t stream_ends = 0x177245385090;
constexpr std::size_t bytes_per_level = 100'000;
constexpr unsigned code_limit = 6;
constexpr unsigned longest_code = 20;
constexpr unsigned symbol_limit = 258;        // two that repeat, 255 places, the end
constexpr std::size_t symbols_per_code = 50;  // until another code may take over

// From the high end of each byte. Behind the end come zeros, and ok() is false.
class bit_source {
 public:
  explicit bit_source(byte_span input) noexcept : input_(input) {}

  // At most 32 bits.
  [[nodiscard]] std::uint32_t peek(unsigned count) noexcept {
    if (available_ < count) fill();
    return static_cast<std::uint32_t>(bits_ >> 1 >> (63 - count));
  }
  void drop(unsigned count) noexcept {
    bits_ <<= count;
    available_ -= count;
  }
  [[nodiscard]] std::uint32_t take(unsigned count) noexcept {
    const std::uint32_t value = peek(count);
    drop(count);
    return value;
  }
  [[nodiscard]] bool ok() const noexcept { return available_ >= behind_the_end_; }

 private:
  void fill() noexcept {
    while (available_ <= 32) {
      std::uint64_t more = 0;
      if (input_.size() >= 4) {
        more = detail::load<std::endian::big, std::uint32_t>(input_.data());
        input_ = input_.subspan(4);
      } else {
        for (unsigned i = 0; i < 4; ++i) {
          more <<= 8;
          if (input_.empty()) {
            behind_the_end_ += 8;
          } else {
            more |= std::to_integer<std::uint64_t>(input_.front());
            input_ = input_.subspan(1);
          }
        }
      }
      bits_ |= more << (32 - available_);
      available_ += 32;
    }
  }

  byte_span input_;
  std::uint64_t bits_ = 0;  // the next one highest
  unsigned available_ = 0;
  std::uint64_t behind_the_end_ = 0;
};

// The most significant bit first, unlike zip's.
constexpr auto crc_table = [] {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    std::uint32_t value = i << 24;
    for (int bit = 0; bit < 8; ++bit) value = (value << 1) ^ ((value >> 31) * 0x04C11DB7);
    out[i] = value;
  }
  return out;
}();

std::uint32_t crc_of(byte_span bytes) noexcept {
  std::uint32_t crc = ~0u;
  for (const std::byte each : bytes) {
    crc = (crc << 8) ^ crc_table[(crc >> 24) ^ std::to_integer<std::uint32_t>(each)];
  }
  return ~crc;
}

// A prefix code: shorter codes are the smaller numbers, and so are smaller symbols of one length.
class prefix_code {
 public:
  // A length from 1 to 20 for each symbol. Where there are more codes than bits to tell them apart, the last
  // are never read.
  void build(std::span<const std::uint8_t> lengths) noexcept {
    std::array<std::uint16_t, longest_code + 2> counts{};
    for (const std::uint8_t length : lengths) ++counts[length];
    std::uint32_t code = 0;
    std::uint16_t place = 0;
    std::array<std::uint16_t, longest_code + 1> next{};
    for (unsigned length = 1; length <= longest_code; ++length) {
      code <<= 1;
      first_[length] = code;
      places_[length] = next[length] = place;
      code += counts[length];
      place = static_cast<std::uint16_t>(place + counts[length]);
      ends_[length] = code;
    }
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      symbols_[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
    }
    direct_.fill(0);
    for (unsigned length = 1; length <= direct_bits; ++length) {
      const std::uint32_t end = std::min(ends_[length], std::uint32_t{1} << length);
      for (std::uint32_t each = first_[length]; each < end; ++each) {
        const std::uint16_t symbol = symbols_[places_[length] + each - first_[length]];
        const std::uint32_t from = each << (direct_bits - length);
        std::fill_n(direct_.begin() + from, std::size_t{1} << (direct_bits - length),
                    static_cast<std::uint16_t>(length << 9 | symbol));
      }
    }
  }

  // symbol_limit when the bits are no code.
  [[nodiscard]] unsigned read(bit_source& from) const noexcept {
    const std::uint32_t bits = from.peek(longest_code);
    if (const unsigned known = direct_[bits >> (longest_code - direct_bits)]; known != 0) {
      from.drop(known >> 9);
      return known & 511;
    }
    for (unsigned length = direct_bits + 1; length <= longest_code; ++length) {
      const std::uint32_t code = bits >> (longest_code - length);
      if (code >= ends_[length]) continue;
      from.drop(length);
      return symbols_[places_[length] + code - first_[length]];
    }
    return symbol_limit;
  }

 private:
  static constexpr unsigned direct_bits = 10;
  std::array<std::uint16_t, 1u << direct_bits> direct_;  // length << 9 | symbol; 0: longer
  std::array<std::uint32_t, longest_code + 1> first_{};
  std::array<std::uint32_t, longest_code + 1> ends_{};
  std::array<std::uint16_t, longest_code + 1> places_{};
  std::array<std::uint16_t, symbol_limit> symbols_{};
};

// Bytes by how long ago they came.
class recent_bytes {
 public:
  void add(std::uint8_t byte) noexcept { bytes_[count_++] = byte; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::uint8_t front() const noexcept { return bytes_[0]; }
  std::uint8_t take(std::size_t place) noexcept {
    const std::uint8_t found = bytes_[place];
    std::memmove(bytes_.data() + 1, bytes_.data(), place);
    return bytes_[0] = found;
  }

 private:
  std::array<std::uint8_t, 256> bytes_{};
  std::size_t count_ = 0;
};

class block_reader {
 public:
  block_reader(bit_source& from, std::size_t block_limit) noexcept
      : from_(&from), block_limit_(block_limit) {}

  // A block, behind its CRC, to the front of `into`; how many bytes it gave. Empty when it is not sound or
  // does not fit.
  std::optional<std::size_t> read(mutable_byte_span into) {
    no_room_ = false;
    const bool shuffled = from_->take(1) != 0;
    const std::uint32_t row = from_->take(24);
    if (shuffled || !read_codes() || !read_symbols(into)) return std::nullopt;
    if (row >= count_ || !from_->ok()) return std::nullopt;
    sort();
    return count_ <= narrow_limit ? unroll<false>(row, into) : unroll<true>(row, into);
  }
  [[nodiscard]] bool no_room() const noexcept { return no_room_; }

 private:
  // Successors below this fit in two bytes.
  static constexpr std::size_t narrow_limit = 1u << 16;

  bool read_codes() {
    recent_ = {};
    const std::uint32_t sixteens = from_->take(16);
    for (unsigned high = 0; high < 16; ++high) {
      if ((sixteens >> (15 - high) & 1) == 0) continue;
      const std::uint32_t used = from_->take(16);
      for (unsigned low = 0; low < 16; ++low) {
        if ((used >> (15 - low) & 1) != 0) recent_.add(static_cast<std::uint8_t>(high << 4 | low));
      }
    }
    const unsigned codes = from_->take(3);
    const std::uint32_t uses = from_->take(15);
    if (recent_.size() == 0 || codes < 2 || codes > code_limit || uses == 0) return false;
    // Which code is used for each fifty symbols, by how long ago it was used.
    recent_bytes order;
    for (unsigned code = 0; code < codes; ++code) order.add(static_cast<std::uint8_t>(code));
    uses_.clear();
    for (std::uint32_t i = 0; i < uses; ++i) {
      unsigned place = 0;
      while (from_->take(1) != 0) {
        if (++place == codes) return false;
      }
      // More than a block has symbols are passed over.
      if (uses_.size() <= block_limit_ / symbols_per_code) uses_.push_back(order.take(place));
    }
    std::array<std::uint8_t, symbol_limit> lengths;
    const std::size_t symbols = recent_.size() + 2;
    for (unsigned code = 0; code < codes; ++code) {
      unsigned length = from_->take(5);
      for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        for (;;) {
          if (length < 1 || length > longest_code) return false;
          if (from_->take(1) == 0) break;
          length = from_->take(1) == 0 ? length + 1 : length - 1;
        }
        lengths[symbol] = static_cast<std::uint8_t>(length);
      }
      if (!from_->ok()) return false;
      codes_[code].build(std::span(lengths).first(symbols));
    }
    return true;
  }

  // The block's bytes as they lie behind the sorting: for the time being where its content goes. What finds
  // no room there has memory of its own; four equal bytes take five in a block, so that it can have a quarter
  // more than its content.
  bool read_symbols(mutable_byte_span into) {
    column_ = into.first(std::min(into.size(), block_limit_));
    spilled_.clear();
    count_ = 0;
    counts_.fill(0);
    const std::size_t most = std::min(block_limit_, column_.size() + column_.size() / 4 + 1);
    const unsigned end = static_cast<unsigned>(recent_.size()) + 1;
    std::size_t repeats = 0;
    std::size_t digit = 1;
    const auto put = [this, most](std::uint8_t byte, std::size_t times) {
      if (times > most - count_) {
        no_room_ = most < block_limit_;
        return false;
      }
      const std::size_t here = count_ < column_.size() ? std::min(times, column_.size() - count_) : 0;
      if (here != 0) std::memset(column_.data() + count_, byte, here);
      if (here != times) spilled_.insert(spilled_.end(), times - here, std::byte{byte});
      count_ += times;
      counts_[byte] += static_cast<std::uint32_t>(times);
      return true;
    };
    for (const std::uint8_t use : uses_) {
      const prefix_code& code = codes_[use];
      for (std::size_t i = 0; i < symbols_per_code; ++i) {
        const unsigned symbol = code.read(*from_);
        if (symbol <= 1) {
          // Two digits, 1 and 2, of a number with base 2.
          if (digit > block_limit_) return false;
          repeats += digit << symbol;
          digit *= 2;
          continue;
        }
        if (repeats != 0) {
          if (!put(recent_.front(), repeats)) return false;
          repeats = 0;
          digit = 1;
        }
        if (symbol == end) return true;
        if (symbol > end || !put(recent_.take(symbol - 1), 1)) return false;
      }
      if (!from_->ok()) return false;
    }
    return false;
  }

  // Where each byte of the sorted column stands in the other, which is where the byte behind it comes from.
  void sort() {
    low_.resize(count_);
    high_.resize(count_ <= narrow_limit ? 0 : count_);
    std::array<std::uint32_t, 256> next;
    std::exclusive_scan(counts_.begin(), counts_.end(), next.begin(), 0u);
    std::size_t i = 0;
    for (const byte_span part : {byte_span(column_).first(count_ - spilled_.size()), byte_span(spilled_)}) {
      for (const std::byte each : part) {
        const std::uint32_t place = next[std::to_integer<std::size_t>(each)]++;
        low_[place] = static_cast<std::uint16_t>(i);
        if (!high_.empty()) high_[place] = static_cast<std::uint8_t>(i >> 16);
        ++i;
      }
    }
    // Of the sorted column, where each byte's run ends; and which run a place is in, or one before it.
    runs_ = 0;
    std::uint32_t at = 0;
    for (std::size_t byte = 0; byte < counts_.size(); ++byte) {
      if (counts_[byte] == 0) continue;
      run_bytes_[runs_] = static_cast<std::uint8_t>(byte);
      run_ends_[runs_++] = at += counts_[byte];
    }
    const auto bits = static_cast<unsigned>(std::bit_width(count_));
    shift_ = bits > hint_bits ? bits - hint_bits : 0;
    unsigned run = 0;
    for (std::size_t hint = 0; hint << shift_ < count_; ++hint) {
      while (run_ends_[run] <= hint << shift_) ++run;
      hints_[hint] = static_cast<std::uint8_t>(run);
    }
  }

  // Follows the places from the first, and undoes the counting of equal bytes.
  template <bool Wide>
  std::optional<std::size_t> unroll(std::uint32_t place, mutable_byte_span into) noexcept {
    std::byte* out = into.data();
    std::byte* const end = out + into.size();
    unsigned equal = 0;
    std::byte last{};
    for (std::size_t i = 0; i < count_; ++i) {
      unsigned run = hints_[place >> shift_];
      while (run_ends_[run] <= place) ++run;
      const std::byte byte{run_bytes_[run]};
      place = Wide ? std::uint32_t{low_[place]} | std::uint32_t{high_[place]} << 16 : low_[place];
      if (equal == 4) {
        const std::size_t more = std::to_integer<std::size_t>(byte);
        no_room_ = static_cast<std::size_t>(end - out) < more;
        if (no_room_) return std::nullopt;
        out = std::fill_n(out, more, last);
        equal = 0;
        continue;
      }
      no_room_ = out == end;
      if (no_room_) return std::nullopt;
      equal = byte == last ? equal + 1 : 1;
      *out++ = last = byte;
    }
    if (equal == 4) return std::nullopt;
    return static_cast<std::size_t>(out - into.data());
  }

  static constexpr unsigned hint_bits = 10;

  bit_source* from_;
  std::size_t block_limit_;
  bool no_room_ = false;
  recent_bytes recent_;
  std::array<prefix_code, code_limit> codes_;
  std::vector<std::uint8_t> uses_;
  mutable_byte_span column_;
  byte_vector spilled_;
  std::size_t count_ = 0;
  std::array<std::uint32_t, 256> counts_{};
  std::vector<std::uint16_t> low_;
  std::vector<std::uint8_t> high_;
  std::array<std::uint32_t, 256> run_ends_{};
  std::array<std::uint8_t, 256> run_bytes_{};
  unsigned runs_ = 0;
  unsigned shift_ = 0;
  std::array<std::uint8_t, 1u << hint_bits> hints_{};
};

}  // namespace

unpacked unpack_bzip2(byte_span stream, mutable_byte_span into) {
  constexpr unpacked damaged = {unpack_outcome::damaged, 0};
  if (stream.size() < 4 || as_text(stream.first(3)) != "BZh") return damaged;
  const auto level = std::to_integer<std::size_t>(stream[3]) - '0';
  if (level < 1 || level > 9) return damaged;
  bit_source from(stream.subspan(4));
  block_reader block(from, level * bytes_per_level);
  std::uint32_t all = 0;
  for (std::size_t done = 0;;) {
    const std::uint64_t magic = std::uint64_t{from.take(24)} << 24 | from.take(24);
    const std::uint32_t crc = from.take(32);
    if (magic == stream_ends) {
      return from.ok() && crc == all ? unpacked{unpack_outcome::whole, done} : damaged;
    }
    if (magic != block_begins) return damaged;
    const mutable_byte_span rest = into.subspan(done);
    const auto count = block.read(rest);
    if (!count) return block.no_room() ? unpacked{unpack_outcome::no_room, 0} : damaged;
    if (crc_of(rest.first(*count)) != crc) return damaged;
    done += *count;
    all = std::rotl(all, 1) ^ crc;
  }
}

}  // namespace tickreel::sc2
