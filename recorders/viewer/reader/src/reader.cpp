#include "tickreel/viewer/reader.hpp"

#include <algorithm>
#include <charconv>

#include "game_line.hpp"
#include "live_watch.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::size_t max_range_bytes = 1u << 20;
constexpr std::size_t max_event_bytes = 256u << 20;

void append_error(const error& what, text::json_writer& json) {
  json.key("error").begin_object().member("code", name(what.code)).member("message", describe(what));
  json.key("offset");
  what.offset == error::no_offset ? json.null() : json.value(what.offset);
  json.end_object();
}

void append_texts(const std::vector<std::string>& texts, text::json_writer& json) {
  json.begin_array();
  for (const std::string& each : texts) json.value(each);
  json.end_array();
}

// As `info` does.
void add_trailing_bytes(const byte_source& of, files::summary& about) {
  const auto trailing = files::find_trailing_bytes(of);
  if (!trailing) return;
  about.health = files::health::damaged;
  about.left_out.push_back(trailing->sentence());
}

error not_open() {
  return {error_code::wrong_state, error::no_offset, "no recording is open"};
}

}  // namespace

reader::reader() = default;
reader::~reader() = default;

std::byte* reader::room(std::uint64_t bytes) noexcept {
  open_.reset();
  watch_.reset();
  extends_ = false;
  outside_.reset();
  return bytes_.room(bytes);
}

void reader::leave_outside(std::shared_ptr<distant_bytes> where) {
  (void)room(0);
  outside_ = std::move(where);
}

namespace {

// A buffer in memory that grows, and may move meanwhile.
class growing_bytes final : public distant_bytes {
 public:
  explicit growing_bytes(const recording_buffer& held) noexcept : held_(held) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return held_.bytes().size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    return byte_source(held_.bytes()).read_at(into, offset);
  }

 private:
  const recording_buffer& held_;
};

}  // namespace

byte_source reader::source() const {
  if (outside_ == nullptr && live_) return {std::make_shared<growing_bytes>(bytes_), {}};
  return outside_ == nullptr ? byte_source(bytes_.bytes()) : byte_source(outside_, {});
}

std::byte* reader::append(std::uint64_t bytes) noexcept {
  if (!extends_) open_.reset();  // it reads in place
  return bytes_.append(bytes);
}

const std::string& reader::open() {
  const std::string& begun = begin();
  return open_ == nullptr || whole_ ? begun : about();
}

const std::string& reader::begin() {
  open_.reset();
  watch_.reset();
  forget_place();
  auto opened = files::open(source(), {.live = live_});
  if (!opened) return refuse_file(opened.error());
  open_ = std::move(*opened);
  extends_ = live_ && open_->extend();
  if (live_ && !extends_ && outside_ == nullptr) {
    // Recordings that are reopened each time are read in place.
    auto in_place = files::open(bytes_.bytes());
    if (!in_place) return refuse_file(in_place.error());
    open_ = std::move(*in_place);
  }
  first_tick_ = 0;
  first_ms_ = 0;
  ticks_ = 0;
  // Unreadable parts are reported by state().
  const auto first = next();
  if (first && *first) {
    first_tick_ = open_->position().tick;
    first_ms_ = open_->position().time_ms;
  }
  if (const auto head = open_->head()) return tell(*head, false);
  return about();
}

const std::string& reader::about() {
  if (open_ == nullptr) return refuse(not_open());
  if (extends_) return watched_about();
  forget_place();
  auto known = open_->quick_summary();
  if (!known) return refuse_file(known.error());
  add_trailing_bytes(source(), *known);
  // An earlier scan may have reported losses; they are reported again.
  (void)open_->rewind();
  ticks_ = known->ticks;
  return tell(*known, true);
}

const std::string& reader::tell(const files::summary& about, bool whole) {
  whole_ = whole;
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object().member("ok", true).key("info");
  std::string info;
  files::append_summary({}, about, info);
  json.raw(info);
  if (const auto* const known = files::find_format(about.format); known != nullptr && !known->title.empty())
    json.member("title", known->title);
  if (const auto stage = files::name(presentation_of(*open_).stage); !stage.empty())
    json.member("stage", stage);
  json.member("whole", whole).member("ticks", about.ticks);
  json.member("first_tick", first_tick_).member("first_time_ms", first_ms_);
  if (extends_) json.member("extends", true);
  if (watch_ != nullptr && watch_->last) json.member("last_tick", watch_->last->tick);
  // A malicious file's times can have any value.
  const std::uint64_t last_ms =
      static_cast<std::uint64_t>(first_ms_) + static_cast<std::uint64_t>(about.duration_ms);
  json.member("last_time_ms", static_cast<std::int64_t>(last_ms)).end_object();
  return answer_;
}

const std::string& reader::refuse_file(const error& what) {
  open_.reset();
  watch_.reset();
  extends_ = false;
  answer_.clear();
  text::json_writer refusal(answer_);
  refusal.begin_object().member("ok", false);
  if (what.detail == std::string_view(files::read_elsewhere)) {
    refusal.member("elsewhere", files::module_of(static_cast<files::page_reader>(what.values[0])));
  }
  append_error(what, refusal);
  const auto known = files::detect(source());
  refusal.member("recoverable", known.has_value()).end_object();
  return answer_;
}

const std::string& reader::entrances() {
  answer_.clear();
  if (open_ == nullptr) return answer_;
  for (const files::entrance& each : open_->entrances()) {
    answer_ += std::to_string(each.place) + ' ' + std::to_string(each.tick) + ' ' +
               std::to_string(each.time_ms) + '\n';
  }
  return answer_;
}

void reader::learn(std::string_view known) {
  if (open_ == nullptr) return;
  std::vector<files::entrance> all;
  const char* at = known.data();
  const char* const end = at + known.size();
  const auto number = [&](auto& value) {
    const auto [stopped, code] = std::from_chars(at, end, value);
    at = stopped == end ? end : stopped + 1;
    return code == std::errc{};
  };
  for (files::entrance each; at != end; all.push_back(each)) {
    if (!number(each.place) || !number(each.tick) || !number(each.time_ms)) return;
  }
  open_->learn(all);
}

const std::string& reader::state(std::uint64_t tick) {
  if (open_ == nullptr) return refuse(not_open());
  answer_.clear();
  const auto there = go_to(tick);
  if (!there) return refuse(there.error());
  if (!*there) return answer_;
  if (const auto shown = append_line(); !shown) return refuse(shown.error());
  return answer_;
}

const std::string& reader::range(std::uint64_t from, std::uint32_t count) {
  return several(from, count, &reader::append_line);
}

const std::string& reader::game_lines(std::uint64_t from, std::uint32_t count) {
  return several(from, count, &reader::append_game_line);
}

const std::string& reader::several(std::uint64_t from, std::uint32_t count,
                                   result<void> (reader::*append_one)()) {
  if (open_ == nullptr) return refuse(not_open());
  answer_.clear();
  if (count == 0) return answer_;
  auto there = go_to(from);
  for (std::uint32_t given = 0; there && *there;) {
    const std::size_t before = answer_.size();
    if (given != 0) answer_ += '\n';
    const auto shown = (this->*append_one)();
    // A line that is too long is requested again, alone.
    const bool too_much = given != 0 && (!shown || answer_.size() > max_range_bytes);
    if (too_much) {
      answer_.resize(before);
      break;
    }
    if (!shown) return refuse(shown.error());
    if (++given == count) break;
    there = next();
  }
  if (!there && answer_.empty()) return refuse(there.error());
  return answer_;
}

const std::string& reader::events() {
  if (open_ == nullptr) return refuse(not_open());
  if (watch_ != nullptr) return watched_events();
  forget_place();
  answer_.clear();
  bool too_many = false;
  const auto given = open_->events({}, [&](std::string_view json) {
    too_many = answer_.size() + json.size() > max_event_bytes;
    if (too_many) return false;
    answer_ += json;
    answer_ += '\n';
    return true;
  });
  if (too_many)
    return refuse({error_code::over_limit, error::no_offset, "there are too many events to list"});
  if (given || given.error().code == error_code::unsupported_operation) return answer_;
  if (answer_.empty()) return refuse(given.error());
  text::json_writer json(answer_);
  json.begin_object();
  append_error(given.error(), json);
  json.end_object();
  answer_ += '\n';
  return answer_;
}

const std::string& reader::verify() {
  if (open_ == nullptr) return refuse(not_open());
  forget_place();
  auto outcome = open_->verify();
  if (!outcome) return refuse(outcome.error());
  if (const auto trailing = files::find_trailing_bytes(source())) {
    outcome->findings.push_back({files::severity::error, trailing->offset, trailing->sentence()});
  }
  answer_.clear();
  files::append_verification({}, open_->format(), *outcome, answer_);
  return answer_;
}

const std::string& reader::summary() {
  if (open_ == nullptr) return refuse(not_open());
  forget_place();
  auto known = open_->summarise();
  if (!known) return refuse(known.error());
  add_trailing_bytes(source(), *known);
  (void)open_->rewind();
  return tell(*known, true);
}

const std::string& reader::lost() {
  if (open_ == nullptr) return refuse(not_open());
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object().key("losses");
  append_texts(open_->losses(), json);
  json.end_object();
  return answer_;
}

const std::string& reader::refuse(const error& what) {
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object();
  append_error(what, json);
  json.end_object();
  return answer_;
}

char* reader::text_room(std::uint32_t bytes) {
  constexpr std::uint32_t max_text_bytes = 1u << 20;
  if (bytes > max_text_bytes) return nullptr;
  text_.assign(bytes, ' ');
  return text_.data();
}

result<void> reader::walk(const std::function<bool()>& see) {
  forget_place();
  if (const auto back = open_->rewind(); !back) return back;
  for (;;) {
    const auto more = open_->next();
    if (!more) return fail(more.error());
    if (!*more || !see()) return {};
  }
}

result<bool> reader::next() {
  auto more = open_->next();
  placed_ = more && *more;
  return more;
}

result<bool> reader::go_to(std::uint64_t tick) {
  if (placed_) {
    const std::uint64_t here = open_->position().tick;
    if (here == tick) return true;
    if (tick == here + 1) return next();
  }
  placed_ = false;
  auto more = open_->go_to(tick);
  placed_ = more && *more;
  return more;
}

result<void> reader::append_line() {
  const std::size_t before = answer_.size();
  files::append_line_begin(open_->position(), answer_);
  if (const auto shown = append_members(answer_); !shown) {
    answer_.resize(before);
    return shown;
  }
  answer_ += '}';
  return {};
}

result<void> reader::append_game_line() {
  answer_ += std::to_string(open_->position().tick) + '\t';
  return viewer::append_game_line(*open_, answer_);
}

result<void> reader::append_members(std::string& out) {
  return append_limited_state(*open_, out);
}

}  // namespace tickreel::viewer
