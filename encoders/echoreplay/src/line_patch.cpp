// The part of a line that its shape does not contain.
//
//   patch = leb128 bytes of the line | hunk*
//   hunk  = leb128 bytes kept | leb128 bytes left out | leb128 bytes put in | those bytes
//
// Bytes after the last hunk are kept.
#include <vector>

#include "line_parts.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/echoreplay/line_shape.hpp"

namespace tickreel::echoreplay {

namespace {

struct span_in_line {
  std::size_t offset = 0;
  std::size_t size = 0;
};

// The time, then each value.
bool spans_of(std::string_view line, std::vector<span_in_line>& out) {
  const auto parts = parts_of(line);
  if (!parts) return false;
  out.push_back({0, parts->time.size()});
  return visit_line_values(line, *parts, [&](std::uint64_t, std::size_t offset, std::size_t size) {
    out.push_back({offset, size});
  });
}

class patch_writer {
 public:
  explicit patch_writer(std::size_t line_bytes) { number(line_bytes); }
  void hunk(std::size_t kept, std::size_t left_out, std::string_view put_in) {
    number(kept);
    number(left_out);
    number(put_in.size());
    const byte_span bytes = as_bytes(put_in);
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] byte_vector take() noexcept { return std::move(out_); }

 private:
  void number(std::uint64_t value) {
    std::byte room[leb128_max_size];
    byte_writer to(room);
    write_leb128(to, value);
    out_.insert(out_.end(), to.written().begin(), to.written().end());
  }
  byte_vector out_;
};

}  // namespace

byte_vector line_patch(std::string_view from, std::string_view to) {
  std::vector<span_in_line> old_values;
  std::vector<span_in_line> new_values;
  bool alike =
      spans_of(from, old_values) && spans_of(to, new_values) && old_values.size() == new_values.size();
  patch_writer patch(to.size());
  std::size_t old_at = 0;
  std::size_t new_at = 0;
  std::size_t patched = 0;  // of `from`
  for (std::size_t i = 0; alike && i <= old_values.size(); ++i) {
    const bool is_end = i == old_values.size();
    const span_in_line old_value = is_end ? span_in_line{from.size(), 0} : old_values[i];
    const span_in_line new_value = is_end ? span_in_line{to.size(), 0} : new_values[i];
    alike = from.substr(old_at, old_value.offset - old_at) == to.substr(new_at, new_value.offset - new_at);
    const std::string_view text = to.substr(new_value.offset, new_value.size);
    if (from.substr(old_value.offset, old_value.size) != text) {
      patch.hunk(old_value.offset - patched, old_value.size, text);
      patched = old_value.offset + old_value.size;
    }
    old_at = old_value.offset + old_value.size;
    new_at = new_value.offset + new_value.size;
  }
  if (alike) return patch.take();
  patch_writer whole(to.size());
  whole.hunk(0, from.size(), to);
  return whole.take();
}

result<void> apply_line_patch(std::string_view from, byte_span patch, std::size_t limit_bytes,
                              std::string& out) {
  byte_reader in(patch);
  const std::uint64_t bytes = read_leb128(in);
  if (!in.ok()) return in.failure("a line's patch");
  if (bytes > limit_bytes) {
    return fail(error_code::over_limit, 0, "a line of {} bytes", static_cast<std::int64_t>(bytes));
  }
  const std::size_t begin = out.size();
  std::size_t used = 0;
  const auto malformed = [&] {
    out.resize(begin);
    return fail(error_code::malformed, in.offset(), "a patch that does not fit its line");
  };
  while (in.ok() && !in.at_end()) {
    const std::uint64_t kept = read_leb128(in);
    const std::uint64_t left_out = read_leb128(in);
    const std::uint64_t put_in = read_leb128(in);
    if (!in.ok() || kept > from.size() - used || left_out > from.size() - used - kept ||
        put_in > in.remaining() || kept + put_in > bytes - (out.size() - begin)) {
      return malformed();
    }
    out.append(from, used, static_cast<std::size_t>(kept));
    out += as_text(in.bytes(static_cast<std::size_t>(put_in)));
    used += static_cast<std::size_t>(kept + left_out);
  }
  if (from.size() - used > bytes - (out.size() - begin)) return malformed();
  out.append(from, used);
  if (out.size() - begin != bytes) return malformed();
  return {};
}

}  // namespace tickreel::echoreplay
