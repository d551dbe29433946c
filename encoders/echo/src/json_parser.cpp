#include <cstring>

#include "answer_reader.hpp"
#include "tickreel/text/json_repair.hpp"

namespace tickreel::echo {

namespace ondemand = simdjson::ondemand;

struct json_parser::buffers {
  ondemand::parser parser;
  // The response followed by the padding that simdjson reads.
  std::unique_ptr<char[]> text;
  std::size_t room = 0;
  // Of a response whose texts are not all Unicode.
  std::string repaired;
  std::vector<std::size_t> replaced;

  result<parse_report> parse(std::string_view json, state& out, omission_listener* listener,
                             void (*read)(answer_reader&, ondemand::object&) noexcept) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    const std::size_t start = json.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    json.remove_prefix(start);
    replaced.clear();
    // The reader of texts stops at half a surrogate pair, when a part of the response was reported already.
    bool needs_repair = tickreel::text::has_lone_surrogate(json);
    if (!needs_repair) {
      auto done = parse_text(json, start, out, listener, read, needs_repair);
      if (!needs_repair) return done;
    }
    repaired.clear();
    tickreel::text::append_repaired_json(json, repaired, &replaced);
    auto done = parse_text(repaired, start, out, listener, read, needs_repair);
    if (!done && repaired.size() != json.size()) {
      error unplaced = done.error();
      unplaced.offset = error::no_offset;
      return fail(unplaced);
    }
    return done;
  }

 private:
  result<parse_report> parse_text(std::string_view json, std::size_t start, state& out,
                                  omission_listener* listener,
                                  void (*read)(answer_reader&, ondemand::object&) noexcept, bool& not_utf8) {
    not_utf8 = false;
    if (json.empty()) return fail(error_code::bad_json, error::no_offset, refusal(simdjson::EMPTY));
    if (!reserve(json.size()))
      return fail(error_code::out_of_memory, error::no_offset, "buffers for an answer");
    std::memcpy(text.get(), json.data(), json.size());
    std::memset(text.get() + json.size(), ' ', simdjson::SIMDJSON_PADDING);

    ondemand::document document;
    if (const auto status = parser.iterate(text.get(), json.size(), room).get(document)) {
      not_utf8 = status == simdjson::UTF8_ERROR;
      return fail(error_code::bad_json, error::no_offset, refusal(status));
    }
    ondemand::object root;
    if (const auto status = document.get_object().get(root)) {
      return fail(error_code::bad_json, start, refusal(status));
    }
    parse_report report;
    answer_reader reader(out, report, listener, text.get(), replaced);
    read(reader, root);
    if (reader.broken()) {
      std::uint64_t offset = error::no_offset;
      const char* at = nullptr;
      if (document.current_location().get(at) == simdjson::SUCCESS && at >= text.get() &&
          at <= text.get() + json.size()) {
        offset = start + static_cast<std::uint64_t>(at - text.get());
      }
      return fail(error_code::bad_json, offset, "the object breaks off");
    }
    if (const char* rest_begin = nullptr; document.current_location().get(rest_begin) == simdjson::SUCCESS) {
      return fail(error_code::bad_json, start + static_cast<std::uint64_t>(rest_begin - text.get()),
                  "trailing text after the object");
    }
    reader.note_other_replaced();
    return report;
  }

  bool reserve(std::size_t bytes) {
    if (text && bytes + simdjson::SIMDJSON_PADDING <= room) return true;
    // Responses differ by a few bytes from poll to poll, so the buffer grows in large steps.
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(bytes, std::size_t{16} << 10));
    if (parser.allocate(capacity)) return false;
    room = capacity + simdjson::SIMDJSON_PADDING;
    text = std::make_unique_for_overwrite<char[]>(room);
    return true;
  }

  static const char* refusal(simdjson::error_code status) noexcept {
    switch (status) {
      case simdjson::EMPTY:
        return "nothing there";
      case simdjson::UTF8_ERROR:
        return "not UTF-8";
      case simdjson::UNCLOSED_STRING:
        return "a text without end";
      case simdjson::UNESCAPED_CHARS:
        return "a control character inside a text";
      case simdjson::INCORRECT_TYPE:
        return "not an object";
      default:
        return "not JSON";
    }
  }
};

json_parser::json_parser() : buffers_(std::make_unique<buffers>()) {}
json_parser::json_parser(json_parser&&) noexcept = default;
json_parser& json_parser::operator=(json_parser&&) noexcept = default;
json_parser::~json_parser() = default;

result<parse_report> json_parser::parse_session(std::string_view json, state& out,
                                                omission_listener* left_out) {
  out.match = session{};
  return buffers_->parse(json, out, left_out, read_session);
}

result<parse_report> json_parser::parse_bones(std::string_view json, state& out,
                                              omission_listener* left_out) {
  out.bones = bones_kind::without_list;
  out.bone_player_count = 0;
  return buffers_->parse(json, out, left_out, read_bones);
}

}  // namespace tickreel::echo
