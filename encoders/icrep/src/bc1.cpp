#include "tickreel/icrep/bc1.hpp"

#include "tickreel/text/utf8.hpp"

namespace tickreel::icrep {

tl::unexpected<error> bc1_reader::failure() const noexcept {
  error what = in_.failure(detail_).value();
  what.values[0] = value_;
  return fail(what);
}

void bc1_reader::refuse(error_code reason, const char* detail, std::uint64_t value) noexcept {
  if (!in_.ok()) return;
  detail_ = detail;
  value_ = static_cast<std::int64_t>(value);
  in_.fail_with(reason);
}

bool bc1_reader::flag() noexcept {
  const std::uint8_t byte = in_.u8();
  if (byte > 1) refuse(error_code::malformed, "a bool of {}", byte);
  return byte == 1;
}

std::size_t bc1_reader::count(std::size_t smallest_item_bytes, std::uint64_t most) noexcept {
  const std::uint64_t items = in_.u64();
  if (!in_.ok()) return 0;
  if (items > most) {
    refuse(error_code::over_limit, "{u} items", items);
    return 0;
  }
  if (items > in_.remaining() / (smallest_item_bytes == 0 ? 1 : smallest_item_bytes)) {
    refuse(error_code::truncated, "the remaining bytes cannot hold {u} item{s}", items);
    return 0;
  }
  return static_cast<std::size_t>(items);
}

void bc1_reader::read_text(std::string& value) {
  const byte_span raw = in_.bytes(count(1, limits_.string_bytes));
  value.assign(as_text(raw));
  if (!text::is_utf8(as_text(raw))) refuse(error_code::malformed, "a text that is not UTF-8");
}

void bc1_reader::read_bytes(byte_vector& value) {
  const byte_span raw = in_.bytes(count(1, std::numeric_limits<std::uint64_t>::max()));
  value.assign(raw.begin(), raw.end());
}

}  // namespace tickreel::icrep
