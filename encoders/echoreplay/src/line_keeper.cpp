#include "tickreel/echoreplay/line_keeper.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::echoreplay {

namespace {

enum class content : std::uint8_t { shape = 0, patch = 1, before = 2, after = 3, changed_shape = 4 };

constexpr std::size_t worth_packing = 200;
// A line determines the notation of its values only where several notations differ.
constexpr std::uint32_t max_refinements = 16;
constexpr int packing_level = 19;

std::optional<compressor> make_packer() {
  for (const codec_options& options : {codec_options{.codec = codec_id::zstd, .level = packing_level},
                                       {.codec = codec_id::gzip, .level = 9}}) {
    if (auto made = compressor::create(options)) return std::move(*made);
  }
  return std::nullopt;
}

// The head of an event, followed by a part of the content.
struct event_head {
  content what = content::shape;
  std::uint32_t shape = 0;
  codec_id codec = codec_id::none;
  std::uint64_t unpacked = 0;
  std::uint64_t packed = 0;
  bool operator==(const event_head&) const = default;
};

void write_head(const event_head& head, byte_writer& to) {
  to.u8(static_cast<std::uint8_t>(head.what));
  write_leb128(to, head.shape);
  to.u8(static_cast<std::uint8_t>(head.codec));
  write_leb128(to, head.unpacked);
  write_leb128(to, head.packed);
}

std::optional<event_head> read_head(byte_reader& from) noexcept {
  event_head head;
  const std::uint8_t what = from.u8();
  const std::uint64_t shape = read_leb128(from);
  const std::uint8_t codec = from.u8();
  head.unpacked = read_leb128(from);
  head.packed = read_leb128(from);
  const bool sound = from.ok() && what <= static_cast<std::uint8_t>(content::changed_shape) &&
                     codec <= static_cast<std::uint8_t>(codec_id::zstd) && shape <= max_line_shapes &&
                     head.unpacked <= max_kept_line_bytes && head.packed <= max_kept_line_bytes;
  if (!sound) return std::nullopt;
  head.what = static_cast<content>(what);
  head.shape = static_cast<std::uint32_t>(shape);
  head.codec = static_cast<codec_id>(codec);
  return head;
}

}  // namespace

struct line_keeper::state {
  line_values values;
  std::vector<line_shape> shapes;      // number 1 first
  std::vector<std::uint32_t> refined;  // refinements of each
  std::unordered_map<std::uint64_t, std::uint32_t> by_skeleton;
  std::size_t shape_bytes = 0;
  std::optional<compressor> packer = make_packer();
  byte_vector packed;
  std::string given;
  std::vector<byte_vector> events;
  std::uint64_t not_kept = 0;

  void add(content what, std::uint32_t shape, byte_span bytes) {
    event_head head{what, shape, codec_id::none, bytes.size(), bytes.size()};
    if (packer && bytes.size() >= worth_packing && packer->compress(bytes, packed) &&
        packed.size() < bytes.size()) {
      head.codec = packer->codec();
      head.packed = packed.size();
      bytes = packed;
    }
    do {
      const byte_span part = bytes.first(std::min(bytes.size(), max_line_event_bytes));
      bytes = bytes.subspan(part.size());
      byte_vector& event = events.emplace_back(64 + part.size());
      byte_writer to(event);
      write_head(head, to);
      to.bytes(part);
      event.resize(to.size());
    } while (!bytes.empty());
  }

  bool add_text(content what, std::string_view text) {
    if (text.size() > max_kept_line_bytes) {
      ++not_kept;
      return false;
    }
    if (!text.empty()) add(what, 0, as_bytes(text));
    return true;
  }

  echo::line_reference keep_whole(std::string_view line) {
    add(content::patch, 0, line_patch({}, line));
    return {echo::line_kind::whole, 0};
  }

  echo::line_reference keep_line(std::string_view line, const echo::state& tick) {
    if (line.size() > max_restored_line_bytes) {
      ++not_kept;
      return {echo::line_kind::missing, 0};
    }
    const auto skeleton = line_skeleton(line);
    if (!skeleton) return keep_whole(line);
    values.take(tick);
    const auto known = by_skeleton.find(*skeleton);
    if (known == by_skeleton.end()) return keep_with_new_shape(line, *skeleton, 0);
    const std::uint32_t number = known->second;
    given.clear();
    if (!shapes[number - 1].append_line(values, max_restored_line_bytes, given)) return keep_whole(line);
    if (given == line) return {echo::line_kind::shaped, number};
    if (refined[number - 1] < max_refinements) {
      const auto better = line_shape::of(line, values, &shapes[number - 1]);
      if (better && better->text() != shapes[number - 1].text()) {
        return keep_with_new_shape(line, *skeleton, number);
      }
    }
    add(content::patch, 0, line_patch(given, line));
    return {echo::line_kind::patched, number};
  }

  // `earlier_number`: the previous shape of lines of that skeleton; 0: none.
  echo::line_reference keep_with_new_shape(std::string_view line, std::uint64_t skeleton,
                                           std::uint32_t earlier_number) {
    if (shapes.size() == max_line_shapes || shape_bytes + line.size() > max_line_shape_bytes) {
      return keep_whole(line);
    }
    const line_shape* const earlier = earlier_number == 0 ? nullptr : &shapes[earlier_number - 1];
    auto shape = line_shape::of(line, values, earlier);
    if (!shape) return keep_whole(line);
    // Readers use the shape as parsed from its text.
    auto read = line_shape::from_text(shape->text());
    given.clear();
    if (!read || !read->append_line(values, max_restored_line_bytes, given) || given != line)
      return keep_whole(line);
    shape_bytes += shape->text().size();
    const std::uint32_t times = earlier_number == 0 ? 0 : refined[earlier_number - 1] + 1;
    refined.push_back(times);
    shapes.push_back(std::move(*shape));
    const auto number = static_cast<std::uint32_t>(shapes.size());
    by_skeleton.insert_or_assign(skeleton, number);
    if (earlier_number == 0) {
      add(content::shape, number, as_bytes(shapes.back().text()));
    } else {
      byte_vector change(leb128_max_size);
      byte_writer to(change);
      write_leb128(to, earlier_number);
      change.resize(to.size());
      const byte_vector patch = line_patch(shapes[earlier_number - 1].text(), shapes.back().text());
      change.insert(change.end(), patch.begin(), patch.end());
      add(content::changed_shape, number, change);
    }
    return {echo::line_kind::shaped, number};
  }
};

line_keeper::line_keeper() : state_(std::make_unique<state>()) {}
line_keeper::line_keeper(line_keeper&&) noexcept = default;
line_keeper& line_keeper::operator=(line_keeper&&) noexcept = default;
line_keeper::~line_keeper() = default;

echo::line_reference line_keeper::keep(std::string_view before, std::string_view line,
                                       const echo::state& tick) {
  state_->events.clear();
  (void)state_->add_text(content::before, before);
  return state_->keep_line(line, tick);
}

echo::line_reference line_keeper::keep_none(std::string_view before) {
  state_->events.clear();
  (void)state_->add_text(content::before, before);
  return {};
}

void line_keeper::keep_end(std::string_view after) {
  state_->events.clear();
  (void)state_->add_text(content::after, after);
}

// Their numbers stay reserved: a remaining part of an old one is never read as a new one.
void line_keeper::forget_shapes() noexcept {
  state_->by_skeleton.clear();
}

const std::vector<byte_vector>& line_keeper::events() const noexcept {
  return state_->events;
}

std::uint64_t line_keeper::not_kept() const noexcept {
  return state_->not_kept;
}

struct line_restorer::state {
  line_values values;
  std::unordered_map<std::uint32_t, line_shape> shapes;
  std::size_t shape_bytes = 0;
  decompressor unpacker;
  byte_vector unpacked;
  // The content assembled to date from the events of a tick.
  std::optional<event_head> under_way;
  byte_vector packed;

  // The content, once all its parts are present.
  std::optional<byte_span> unpack(const event_head& head) {
    if (packed.size() != head.packed) return std::nullopt;
    if (head.codec == codec_id::none) return byte_span(packed);
    const auto done =
        unpacker.decompress(head.codec, packed, static_cast<std::size_t>(head.unpacked), unpacked);
    if (!done || unpacked.size() != head.unpacked) return std::nullopt;
    return byte_span(unpacked);
  }

  void learn_change(std::uint32_t number, byte_span bytes) {
    byte_reader in(bytes);
    const std::uint64_t earlier = read_leb128(in);
    if (!in.ok() || earlier > max_line_shapes) return;
    const auto known = shapes.find(static_cast<std::uint32_t>(earlier));
    if (known == shapes.end()) return;
    std::string text;
    if (!apply_line_patch(known->second.text(), in.bytes(in.remaining()), max_kept_line_bytes, text)) return;
    learn(number, as_bytes(text));
  }

  void learn(std::uint32_t number, byte_span bytes) {
    if (shapes.size() == max_line_shapes || shape_bytes + bytes.size() > max_line_shape_bytes) return;
    auto shape = line_shape::from_text(std::string(as_text(bytes)));
    if (!shape) return;
    shape_bytes += bytes.size();
    shapes.insert_or_assign(number, std::move(*shape));
  }
};

line_restorer::line_restorer() : state_(std::make_unique<state>()) {}
line_restorer::line_restorer(line_restorer&&) noexcept = default;
line_restorer& line_restorer::operator=(line_restorer&&) noexcept = default;
line_restorer::~line_restorer() = default;

bool line_restorer::is_shape(byte_span event) noexcept {
  byte_reader in(event);
  const auto head = read_head(in);
  return head && (head->what == content::shape || head->what == content::changed_shape);
}

bool line_restorer::is_text(byte_span event) noexcept {
  byte_reader in(event);
  const auto head = read_head(in);
  return head && (head->what == content::before || head->what == content::after);
}

line_events line_restorer::take(const std::vector<byte_vector>& events) {
  line_events found;
  begin_tick();
  for (const byte_vector& event : events) take(event, found);
  return found;
}

void line_restorer::begin_tick() noexcept {
  state_->under_way.reset();
  state_->packed.clear();
}

void line_restorer::take(byte_span event, line_events& found) {
  byte_reader in(event);
  const auto head = read_head(in);
  if (!head) return;
  byte_vector& packed = state_->packed;
  if (state_->under_way != head || packed.size() >= head->packed) packed.clear();
  state_->under_way = head;
  const byte_span part = in.bytes(in.remaining());
  if (part.size() > head->packed - std::min<std::uint64_t>(packed.size(), head->packed)) return;
  packed.insert(packed.end(), part.begin(), part.end());
  if (packed.size() < head->packed) return;
  const auto bytes = state_->unpack(*head);
  if (!bytes) return;
  switch (head->what) {
    case content::shape:
      state_->learn(head->shape, *bytes);
      break;
    case content::changed_shape:
      state_->learn_change(head->shape, *bytes);
      break;
    case content::patch:
      found.patch.assign(bytes->begin(), bytes->end());
      break;
    case content::before:
      found.before = as_text(*bytes);
      break;
    case content::after:
      found.after = as_text(*bytes);
      break;
  }
}

bool line_restorer::knows_shape(std::uint32_t number) const noexcept {
  return state_->shapes.contains(number);
}

bool line_restorer::append_line(const echo::line_reference& how, const echo::state& tick, byte_span patch,
                                std::string& out) {
  if (how.kind == echo::line_kind::whole) {
    return !patch.empty() && apply_line_patch({}, patch, max_restored_line_bytes, out).has_value();
  }
  if (how.kind != echo::line_kind::shaped && how.kind != echo::line_kind::patched) return false;
  const auto shape = state_->shapes.find(how.shape);
  if (shape == state_->shapes.end()) return false;
  state_->values.take(tick);
  if (how.kind == echo::line_kind::shaped) {
    return shape->second.append_line(state_->values, max_restored_line_bytes, out);
  }
  if (patch.empty()) return false;
  std::string given;
  return shape->second.append_line(state_->values, max_restored_line_bytes, given) &&
         apply_line_patch(given, patch, max_restored_line_bytes, out).has_value();
}

}  // namespace tickreel::echoreplay
