#include "tickreel/echo/extra.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tickreel/text/json.hpp"

namespace tickreel::echo {

namespace {

constexpr std::uint64_t never_in_butter = session::has_possession | session::has_tournament_match |
                                          session::has_err_code | session::has_err_description |
                                          session::has_overtime_timer | session::has_game_timer;

// The same fields in both directions.
void copy_extra(const session& from, session& to) noexcept {
  to.fields |= from.fields & never_in_butter;
  std::copy(std::begin(from.possession), std::end(from.possession), std::begin(to.possession));
  to.tournament_match = from.tournament_match;
  to.err_code = from.err_code;
  to.err_description = from.err_description;
  to.overtime_timer = from.overtime_timer;
  to.game_timer = from.game_timer;
  if ((from.fields & session::has_disc_bounce_count) != 0) {
    to.fields |= session::has_disc_bounce_count;
    to.disc.bounce_count = from.disc.bounce_count;
  }
  // A .butter of combat contains one even if there was none.
  constexpr std::uint64_t of_payload = session::has_payload | session::nested_payload;
  to.fields = (to.fields & ~of_payload) | (from.fields & of_payload);
  to.payload = from.payload;
  for (std::size_t i = 0; i < max_teams; ++i) {
    if ((from.teams[i].fields & team::has_name) == 0) continue;
    to.teams[i].fields |= team::has_name;
    to.teams[i].name = from.teams[i].name;
  }
}

bool is_said(std::string_view& text, std::string_view word) noexcept {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool is_number(std::string_view& text, std::uint64_t& to) noexcept {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), to);
  if (failed != std::errc{} || end == text.data()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// A line without its end, from `at` on; moves `at` past it.
std::optional<std::string_view> take_line(std::string_view text, std::size_t& at) noexcept {
  const std::string_view rest = text.substr(at, extra_reader::max_line_bytes + 1);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  at += end + 1;
  return rest.substr(0, end);
}

}  // namespace

void take_extra(const state& from, state& to) noexcept {
  to.match = {};
  copy_extra(from.match, to.match);
  if ((to.match.fields & session::has_disc_bounce_count) != 0) to.match.fields |= session::has_disc;
  const bool any_name = std::any_of(std::begin(to.match.teams), std::end(to.match.teams),
                                    [](const team& each) { return (each.fields & team::has_name) != 0; });
  if (!any_name) return;
  to.match.fields |= session::has_teams;
  to.match.team_count = from.match.team_count;
}

extra_writer::extra_writer(std::size_t limit_bytes)
    : limit_bytes_(limit_bytes), part_(std::make_unique<state>()) {
  append_session_json(*part_, json_shape::api, number_style::shortest, last_);  // of a tick without any
}

void extra_writer::see(const state& tick) {
  const std::uint64_t number = ticks_++;
  if (until_) return;
  if (number == 0) {
    sessionid_ = tick.match.sessionid.view();
    map_ = tick.match.map_name.view();
  }
  take_extra(tick, *part_);
  now_.clear();
  append_session_json(*part_, json_shape::api, number_style::shortest, now_);
  if (now_ == last_) return;
  const std::string begin = "{\"tick\":" + std::to_string(number) + ",\"session\":";
  if (bytes_ + begin.size() + now_.size() + 4 > limit_bytes_) {
    until_ = number;
    return;
  }
  constexpr std::size_t block_bytes = 64u << 10;
  const bool is_first = blocks_.empty();
  const std::size_t bytes = begin.size() + now_.size() + 3;
  if (is_first || blocks_.back().size() + bytes > blocks_.back().capacity()) {
    blocks_.emplace_back().reserve(std::max(block_bytes, bytes));
  }
  std::string& to = blocks_.back();
  const std::size_t before = to.size();
  if (!is_first) to += ",\n";
  to.append(begin).append(now_) += '}';
  bytes_ += to.size() - before;
  last_.swap(now_);
}

std::string extra_writer::file_text() const {
  std::string out = "{\"tickreel_extra\":1,\"ticks\":" + std::to_string(ticks_) +
                    ",\"until\":" + std::to_string(until_.value_or(ticks_)) + ",\"session\":";
  tickreel::text::json_writer json(out);
  json.begin_object().member("sessionid", sessionid_).member("map_name", map_).end_object();
  out.reserve(out.size() + bytes_ + 64);
  out += ",\"changes\":[\n";
  for (const std::string& each : blocks_) out += each;
  if (!blocks_.empty()) out += '\n';
  return out.append("]}\n");
}

result<extra_reader> extra_reader::open(std::string_view text) {
  extra_reader made;
  made.text_ = text;
  constexpr std::string_view name = "{\"tickreel_extra\":";
  if (!text.starts_with(name)) {
    return fail(error_code::not_recognised, 0, "this is not what a .butter has no place for");
  }
  const auto first = take_line(text, made.at_);
  const auto wrong = [] {
    return fail(error_code::malformed, 0, "the first line is not one of an .extra.json");
  };
  if (!first) return wrong();
  std::string_view rest = first->substr(name.size());
  std::uint64_t version = 0;
  if (!is_number(rest, version)) return wrong();
  if (version != 1) {
    return fail(error_code::unsupported_version, 0, "version {}; 1 is known",
                static_cast<std::int64_t>(version));
  }
  constexpr std::string_view end = ",\"changes\":[";
  const bool is_head = is_said(rest, ",\"ticks\":") && is_number(rest, made.ticks_) &&
                       is_said(rest, ",\"until\":") && is_number(rest, made.until_) &&
                       is_said(rest, ",\"session\":") && rest.ends_with(end);
  if (!is_head || made.until_ > made.ticks_) return wrong();
  rest.remove_suffix(end.size());
  made.head_ = std::make_unique<state>();
  made.now_ = std::make_unique<state>();
  made.next_ = std::make_unique<state>();
  if (!tickreel::text::is_json(rest) || !made.parser_.parse_session(rest, *made.head_)) return wrong();
  if (auto read = made.next_line(); !read) return fail(read.error());
  return made;
}

std::string_view extra_reader::sessionid() const noexcept {
  return head_->match.sessionid.view();
}

result<void> extra_reader::next_line() {
  has_next_ = false;
  const std::size_t begin = at_;
  const auto line = take_line(text_, at_);
  const auto wrong = [&] {
    failed_ = true;
    return fail(error_code::malformed, begin, "a line of an .extra.json cannot be read");
  };
  if (!line) return wrong();
  if (*line == "]}") return {};
  std::string_view rest = *line;
  const std::uint64_t before = next_tick_;
  if (!is_said(rest, "{\"tick\":") || !is_number(rest, next_tick_) || !is_said(rest, ",\"session\":"))
    return wrong();
  if (rest.ends_with(',')) rest.remove_suffix(1);
  if (!rest.ends_with('}')) return wrong();
  rest.remove_suffix(1);
  if (next_tick_ >= ticks_ || (has_now_ && next_tick_ <= before)) return wrong();
  *next_ = {};
  if (!tickreel::text::is_json(rest) || !parser_.parse_session(rest, *next_)) return wrong();
  has_next_ = true;
  return {};
}

result<void> extra_reader::apply(std::uint64_t number, state& tick) {
  if (failed_) return {};
  while (has_next_ && next_tick_ <= number) {
    std::swap(now_, next_);
    has_now_ = true;
    if (auto read = next_line(); !read) return read;
  }
  if (number < until_) copy_extra(now_->match, tick.match);
  return {};
}

}  // namespace tickreel::echo
