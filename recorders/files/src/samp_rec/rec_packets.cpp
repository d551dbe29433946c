#include "rec_packets.hpp"

#include <optional>
#include <variant>

#include "rec_text.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

namespace vcmp = samp_rec::vcmp;

std::string_view text_of(const vcmp::name_field& name) noexcept {
  const std::string_view all(name.data(), name.size());
  return all.substr(0, all.find('\0'));
}

struct body_writer {
  text::json_writer& json;
  std::string& out;

  void operator()(const vcmp::packet_body::empty&) const {}
  void operator()(const vcmp::packet_body::spawn& from) const {
    json.member("team", from.team).member("skin", from.skin).member("class", from.player_class);
  }
  void operator()(const vcmp::packet_body::death& from) const {
    json.member("killer", text_of(from.killer))
        .member("reason", from.reason)
        .member("body_part", from.body_part);
  }
  void operator()(const vcmp::packet_body::vehicle_seat& from) const {
    json.member("vehicle_id", from.vehicle_id).member("model", from.model).member("seat", from.seat);
  }
  void operator()(const vcmp::on_foot_sync& from) const { append_rec_members(from, {}, out += ','); }
  void operator()(const vcmp::driver_sync& from) const { append_rec_members(from, {}, out += ','); }
  void operator()(const vcmp::packet_body::passenger& from) const {
    json.member("vehicle_id", from.vehicle_id).member("model", from.model).member("health", from.health);
    json.member("armour", from.armour).member("seat", from.seat);
  }
  void operator()(const vcmp::packet_body::text& from) const { json.member("text", as_text(from.bytes)); }
  void operator()(const vcmp::packet_body::private_message& from) const {
    json.member("to", text_of(from.to)).member("text", as_text(from.bytes));
  }
  void operator()(const vcmp::packet_body::pickup& from) const {
    json.member("id", from.id).member("model", from.model);
  }
  void operator()(const vcmp::packet_body::checkpoint& from) const {
    json.member("id", from.id).key("position").begin_array();
    json.value(from.position_m.x).value(from.position_m.y).value(from.position_m.z).end_array();
  }
  void operator()(const vcmp::packet_body::object_touched& from) const {
    json.member("first", from.first).member("second", from.second);
  }
  void operator()(const vcmp::packet_body::object_shot& from) const {
    json.member("first", from.first).member("second", from.second).member("weapon", from.weapon);
  }
  void operator()(const vcmp::packet_body::class_choice& from) const {
    json.member("index", from.index).member("class", from.player_class);
  }
};

class packet_recording final : public recording {
 public:
  packet_recording(const samp_rec::file_shape& shape, byte_vector bytes)
      : shape_(shape), bytes_(std::move(bytes)) {}

  std::string_view format() const noexcept override { return "rec"; }

  result<bool> next() override {
    if (take_found()) return true;
    if (!cursor_) {
      auto opened = vcmp::packet_cursor::open(bytes_);
      if (!opened) return fail(opened.error());
      cursor_ = *opened;
      tick_ = 0;
    }
    auto more = cursor_->next(packet_);
    if (!more || !*more) return more;
    if (tick_ == 0) first_time_ = packet_.time;
    // This program's times have an arbitrary origin.
    position_ = {tick_++, std::int64_t{packet_.time} - std::int64_t{first_time_}, packet_.offset, true};
    return true;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& out) const override {
    text::json_writer json(out);
    json.member("packet", vcmp::name(packet_.type));
    std::visit(body_writer{json, out}, packet_.body);
  }

  result<void> rewind() override {
    found_ = false;
    cursor_.reset();
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    summary out;
    out.format = "rec";
    out.format_version = shape_.version;
    out.bytes = shape_.file_bytes;
    const auto trouble = read_all(watch, out.ticks);
    if (trouble) out.health = trouble->code == error_code::truncated ? health::incomplete : health::damaged;
    out.keyframes = out.ticks;
    out.duration_ms = out.ticks == 0 ? 0 : duration_between(0, position_.time_ms);
    out.facts.push_back({"layout", std::string(samp_rec::name(shape_.layout))});
    if (const auto header = vcmp::read_header(bytes_); header && !text_of(header->player_name).empty()) {
      out.players.push_back({std::string(text_of(header->player_name)), {}, std::nullopt});
    }
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    verification out;
    if (const auto trouble = read_all(watch, out.ticks)) {
      out.findings.push_back({severity::error, trouble->offset, describe(*trouble)});
    }
    return out;
  }

 private:
  std::optional<error> read_all(const monitor& watch, std::uint64_t& packets) {
    (void)rewind();
    for (packets = 0;; ++packets) {
      const auto more = next();
      if (!more) return more.error();
      if (!*more) return std::nullopt;
      if (watch.stop()) return error{error_code::interrupted};
    }
  }

  samp_rec::file_shape shape_;
  byte_vector bytes_;
  std::optional<vcmp::packet_cursor> cursor_;
  vcmp::packet packet_;
  std::uint64_t tick_ = 0;
  std::uint32_t first_time_ = 0;
  tick_position position_;
};

}  // namespace

result<std::unique_ptr<recording>> open_rec_packets(rec_file from) {
  auto bytes = from.part(0, from.shape().file_bytes);
  if (!bytes) return fail(bytes.error());
  return std::make_unique<packet_recording>(from.shape(), std::move(*bytes));
}

}  // namespace tickreel::files
