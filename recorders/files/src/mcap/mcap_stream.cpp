#include "mcap_stream.hpp"

#include <simdjson.h>
#include <algorithm>
#include <charconv>

#include "tickreel/counted.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t max_damage_kept = 100;
// A tick that would be larger ends before the message.
constexpr std::size_t max_tick_bytes = 64u << 20;
constexpr std::size_t max_tick_keys = 1024;
// Each tick of a file of another program repeats its topics.
constexpr std::size_t max_topic_bytes = 4096;
constexpr std::int64_t ns_per_tick_ms = 1'000'000;

bool is_own_schema(const mcap::reader& file, const mcap::stored_channel& of) {
  const mcap::stored_schema* const schema = file.find_schema(of.schema);
  return schema != nullptr && of.encoding == "json" &&
         ((of.topic == "/tick" && schema->name == "tickreel.Tick") ||
          (of.topic == "/events" && schema->name == "tickreel.Event"));
}

bool is_scene(const mcap::stored_channel& of) {
  return of.topic == "/scene" && of.encoding == "json";
}

// Negative if `to` is earlier.
std::int64_t ms_between(std::uint64_t from_ns, std::uint64_t to_ns) {
  constexpr auto per_ms = static_cast<std::uint64_t>(ns_per_tick_ms);
  return to_ns >= from_ns ? static_cast<std::int64_t>((to_ns - from_ns) / per_ms)
                          : -static_cast<std::int64_t>((from_ns - to_ns) / per_ms);
}

// Reads `"name":number` at the beginning of `text`, and removes it.
template <class Number>
bool take_number(std::string_view& text, std::string_view name, Number& out) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

void read_players(std::string_view info, std::vector<player_summary>& out) {
  simdjson::dom::parser parser;
  simdjson::dom::array players;
  const simdjson::padded_string text(info);
  if (parser.parse(text)["players"].get(players) != simdjson::SUCCESS) return;
  for (const simdjson::dom::element each : players) {
    std::string_view name;
    std::string_view team;
    std::uint64_t userid = 0;
    if (each["name"].get(name) != simdjson::SUCCESS) continue;
    player_summary& added = out.emplace_back();
    added.name = name;
    if (each["team"].get(team) == simdjson::SUCCESS) added.team = team;
    if (each["userid"].get(userid) == simdjson::SUCCESS) added.userid = userid;
  }
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end != 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

recorded_facts facts_of(const mcap::item& metadata) {
  recorded_facts out;
  out.are_known = true;
  for (const auto& [key, value] : metadata.entries) {
    if (key == "format") out.format = value;
    if (key == "health") out.health = value;
    if (key == "lines_before") out.lines_before = value;
    if (key == "lines_after") out.lines_after = value;
    if (key == "info") read_players(value, out.players);
    if (key == "losses") out.losses = lines_in(value);
  }
  return out;
}

}  // namespace

std::string short_topic(std::string_view topic) {
  constexpr std::size_t max_bytes = 100;
  if (topic.size() <= max_bytes) return std::string(topic);
  std::size_t end = max_bytes;
  while (end != 0 && (static_cast<unsigned char>(topic[end]) & 0xC0u) == 0x80u)
    --end;  // not within a character
  return std::string(topic.substr(0, end)) + "...";
}

result<mcap::reader> open_mcap_reader(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  auto read = [source = from](std::uint64_t offset, std::size_t count) mutable {
    return source.view(offset, count);
  };
  return mcap::reader::open(std::move(read), *size);
}

void mcap_omissions::add_damage(std::vector<std::string>& out) const {
  constexpr std::size_t max_sentences = 10;
  for (std::size_t at = 0; at < std::min(damage.size(), max_sentences); ++at) {
    out.push_back("at offset " + std::to_string(damage[at].offset) + ": " + damage[at].message);
  }
  if (damage_count > max_sentences)
    out.push_back(counted(damage_count - max_sentences, "more damaged place"));
  if (missing_messages != 0) out.push_back(counted(missing_messages, "message") + " lost");
  if (bad_messages != 0) {
    out.push_back(counted(bad_messages, "message") +
                  " left out, without valid JSON of a tick or event, the first at offset " +
                  std::to_string(first_bad));
  }
}

void mcap_omissions::add_uncopied(std::vector<std::string>& out) const {
  if (attachments != 0) out.push_back(counted(attachments, "attachment") + " left out");
  if (unknown_records != 0) out.push_back(counted(unknown_records, "record") + " of unknown kinds left out");
}

void mcap_omissions::add_left_out(std::vector<std::string>& out) const {
  constexpr std::size_t max_sentences = 20;
  std::size_t listed = 0;
  std::uint64_t more = 0;
  for (const auto& [channel, each] : other_messages) {
    if (listed == max_sentences) {
      more += each.count;
      continue;
    }
    ++listed;
    out.push_back(counted(each.count, "message") + " of topic " + each.topic + " (encoding " + each.encoding +
                  "), the first at offset " + std::to_string(each.offset) + ": no tick contains them");
  }
  if (more != 0) out.push_back(counted(more, "message") + " of other topics: no tick contains them");
}

result<mcap_stream> mcap_stream::open(const byte_source& from) {
  auto opened = open_mcap_reader(from);
  if (!opened) return fail(opened.error());
  mcap_stream made;
  made.reader_ = std::make_unique<mcap::reader>(std::move(*opened));
  if (auto done = made.recognise(); !done) return fail(done.error());
  if (auto done = made.read_recorded(); !done) return fail(done.error());
  made.rewind();
  return made;
}

// By a message, because other programs rewrite files and then have another name in the header. A chunk of either kind of
// file may begin with /scene.
result<void> mcap_stream::recognise() {
  mcap::item found;
  for (;;) {
    const auto more = reader_->next(found);
    if (!more) return fail(more.error());
    if (!*more) return {};
    if (found.kind != mcap::item_kind::message) continue;
    const mcap::stored_channel& of = *reader_->find_channel(found.message.channel);
    is_own_ = is_own_schema(*reader_, of);
    if (is_own_ || !is_scene(of)) return {};
  }
}

result<void> mcap_stream::read_recorded() {
  mcap::item found;
  const auto facts = reader_->find_metadata("tickreel", found);
  if (!facts) return fail(facts.error());
  if (*facts) recorded_ = facts_of(found);
  const auto recovered = reader_->find_metadata(recovered_metadata, found);
  if (!recovered) return fail(recovered.error());
  if (*recovered) {
    recorded_.health = name(health::recovered);
    for (const auto& [key, value] : found.entries) {
      if (key == "losses") recorded_.before_recovery = lines_in(value);
    }
    recorded_.losses.insert(recorded_.losses.end(), recorded_.before_recovery.begin(),
                            recorded_.before_recovery.end());
  }
  const auto clip = reader_->find_metadata(clip_metadata, found);
  if (!clip) return fail(clip.error());
  if (!*clip) return {};
  for (const auto& [key, value] : found.entries) {
    if (key == "cut_from") clip_ = value;
  }
  return {};
}

void mcap_stream::rewind() {
  reader_->rewind();
  roles_.clear();
  omissions_ = {};
  messages_ = 0;
  position_ = {};
  state_.clear();
  event_.clear();
  time_ns_ = start_ns_ = 0;
  has_start_ = at_end_ = false;
  falling_times_ = 0;
  next_state_.clear();
  next_keys_.clear();
  next_time_ns_ = next_offset_ = next_tick_ = 0;
}

result<mcap_stream::step> mcap_stream::next(const monitor& watch) {
  mcap::item found;
  while (!at_end_) {
    if (++items_ % 1024 == 0) {
      watch.report(reader_->offset(), file_bytes());
      if (watch.stop()) return fail(error_code::interrupted);
    }
    const auto more = reader_->next(found);
    if (!more) return fail(more.error());
    if (*more) {
      const auto taken = take(found);
      if (!taken) return fail(taken.error());
      if (*taken) return **taken;
      continue;
    }
    at_end_ = true;
    omissions_.missing_messages = reader_->missing_messages();
    if (!next_keys_.empty() && begin_next({}, {}, {})) return step::tick;
  }
  return step::end;
}

result<std::optional<mcap_stream::step>> mcap_stream::take(const mcap::item& found) {
  switch (found.kind) {
    case mcap::item_kind::message:
      ++messages_;
      return take_message(found);
    case mcap::item_kind::metadata:
      // A file that was cut, or whose summary is damaged.
      if (found.name == "tickreel" && !recorded_.are_known) recorded_ = facts_of(found);
      break;
    case mcap::item_kind::attachment:
      ++omissions_.attachments;
      break;
    case mcap::item_kind::unknown:
      ++omissions_.unknown_records;
      break;
    case mcap::item_kind::damage:
      if (found.why.code == error_code::truncated) omissions_.is_cut = true;
      ++omissions_.damage_count;
      if (omissions_.damage.size() < max_damage_kept) {
        error what = found.why;
        what.offset = error::no_offset;
        omissions_.damage.push_back({severity::error, found.offset, describe(what)});
      }
      break;
  }
  return std::nullopt;
}

const mcap_stream::channel_role& mcap_stream::role_of(std::uint16_t channel) {
  const auto known = roles_.find(channel);
  if (known != roles_.end()) return known->second;
  channel_role& made = roles_[channel];
  const mcap::stored_channel& of = *reader_->find_channel(channel);
  if (is_own_) {
    if (is_own_schema(*reader_, of)) {
      made.of = of.topic == "/tick" ? role::tick : role::event;
    } else if (is_scene(of)) {
      made.of = role::derived;
    }
  } else if (of.encoding == "json" && of.topic.size() <= max_topic_bytes) {
    made.of = role::json;
    // Members of a tick's own have these names; no two topics get one name.
    std::string_view bare = of.topic;
    while (bare.ends_with('_')) bare.remove_suffix(1);
    const bool is_taken = bare == "tick" || bare == "time_ms";
    text::append_json_text(is_taken ? of.topic + '_' : of.topic, made.key);
  }
  return made;
}

std::optional<std::string_view> mcap_stream::line_of(const mcap::item& found, role as) {
  const std::string_view json = as_text(found.message.data);
  // A member is one level deeper in its tick. Fewer bytes cannot be too deep.
  if (as == role::json && json.size() >= 2 * text::max_nested_json) {
    line_.assign(1, '[').append(json) += ']';
    if (!text::is_json(line_)) return std::nullopt;
  } else if (!text::is_json(json)) {
    return std::nullopt;
  }
  // A control character outside of a text is white space.
  const bool is_line = std::ranges::none_of(json, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (is_line) return json;
  line_.resize(json.size());
  std::size_t size = 0;
  if (simdjson::minify(json.data(), json.size(), line_.data(), size) != simdjson::SUCCESS)
    return std::nullopt;
  return std::string_view(line_).substr(0, size);
}

std::optional<mcap_stream::step> mcap_stream::take_message(const mcap::item& found) {
  const channel_role& as = role_of(found.message.channel);
  if (as.of == role::derived) return std::nullopt;
  if (as.of == role::other) {
    mcap_omissions::messages& left_out = omissions_.other_messages[found.message.channel];
    if (left_out.count++ == 0) {
      const mcap::stored_channel& channel = *reader_->find_channel(found.message.channel);
      left_out.topic = short_topic(channel.topic);
      left_out.encoding = channel.encoding;
      left_out.offset = found.offset;
    }
    return std::nullopt;
  }
  const auto line = line_of(found, as.of);
  bool is_valid = line.has_value();
  std::optional<step> out;
  if (is_valid && as.of == role::json) {
    if (add_member(found, as.key, *line)) out = step::tick;
  } else if (is_valid && as.of == role::tick) {
    is_valid = take_own_tick(found, *line);
    if (is_valid) out = step::tick;
  } else if (is_valid) {
    is_valid = line->starts_with("{\"tick\":") && line->ends_with('}');
    if (is_valid) event_ = *line;
    if (is_valid) out = step::event;
  }
  if (!is_valid && omissions_.bad_messages++ == 0) omissions_.first_bad = found.offset;
  return out;
}

bool mcap_stream::take_own_tick(const mcap::item& found, std::string_view json) {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  if (!take_number(json, "{\"tick\":", tick) || !take_number(json, ",\"time_ms\":", time_ms)) return false;
  if (!json.ends_with('}') || (json != "}" && !json.starts_with(','))) return false;
  json.remove_suffix(1);
  if (!json.empty()) json.remove_prefix(1);
  state_ = json;
  position_ = {tick, time_ms, found.offset, true};
  if (!has_start_) start_ns_ = found.message.time_ns - static_cast<std::uint64_t>(time_ms) * ns_per_tick_ms;
  set_time(found.message.time_ns);
  return true;
}

void mcap_stream::set_time(std::uint64_t time_ns) {
  if (has_start_ && time_ns < time_ns_) ++falling_times_;
  has_start_ = true;
  time_ns_ = time_ns;
}

bool mcap_stream::add_member(const mcap::item& found, const std::string& key, std::string_view json) {
  if (!next_keys_.empty()) {
    const bool is_same_tick = found.message.time_ns == next_time_ns_ &&
                              next_state_.size() + key.size() + json.size() < max_tick_bytes &&
                              next_keys_.size() < max_tick_keys && !next_keys_.contains(key);
    if (!is_same_tick) return begin_next(found, key, json);
    next_state_ += ',';
  } else {
    next_time_ns_ = found.message.time_ns;
    next_offset_ = found.offset;
  }
  next_keys_.insert(key);
  ((next_state_ += key) += ':') += json;
  return false;
}

bool mcap_stream::begin_next(const mcap::item& found, const std::string& key, std::string_view json) {
  std::swap(state_, next_state_);
  next_state_.clear();
  next_keys_.clear();
  if (!has_start_) start_ns_ = next_time_ns_;
  set_time(next_time_ns_);
  position_ = {next_tick_++, ms_between(start_ns_, next_time_ns_), next_offset_, true};
  if (!key.empty()) (void)add_member(found, key, json);
  return true;
}

}  // namespace tickreel::files
