// Reading recordings of any format.
#include "recording.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/files/structs.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/tick_values.hpp"

using namespace tickreel;

namespace tickreel::c {

void append_sentences(const std::vector<std::string>& sentences, std::string& json) {
  text::json_writer out(json);
  out.array(sentences);
}

}  // namespace tickreel::c

namespace {

std::optional<files::trailing_bytes> trailing_bytes_of(const tickreel_recording& one) {
  // The library reads no addresses, so the first one does not fail.
  return one.path ? files::find_trailing_bytes(*one.path).value_or(std::nullopt)
                  : files::find_trailing_bytes(byte_source(one.bytes));
}

result<files::open_options> read_open_options(const tickreel_open_options* from) {
  const auto given = c::read_struct(from);
  if (!given) return fail(given.error());
  files::open_options to;
  to.live = given->is_live != 0;
  to.repair = given->is_repair != 0;
  return to;
}

result<void> append_tick(files::recording& from, std::string& json) {
  files::append_line_begin(from.position(), json);
  if (auto shown = viewer::append_limited_state(from, json); !shown) return shown;
  json += '}';
  return {};
}

result<void> check_types(files::recording& from, const std::vector<std::string>& types) {
  const auto known = from.event_types();
  if (!known) return fail(known.error());
  for (const std::string& each : types) {
    if (std::ranges::find(*known, each) == known->end()) {
      return c::fail_argument("a type of events that this recording cannot have: see tickreel_event_types()");
    }
  }
  return {};
}

result<files::event_query> read_query(files::recording& from, const tickreel_event_query* query,
                                      std::string& wrong) {
  const auto given = c::read_struct(query);
  if (!given) return fail(given.error());
  files::event_query to;
  if (given->type_count != 0 && given->types == nullptr) return c::fail_argument("types are missing");
  for (std::uint32_t i = 0; i < given->type_count; ++i) to.types.emplace_back(c::view_of(given->types[i]));
  if (auto known = check_types(from, to.types); !known) return fail(known.error());
  to.player = c::view_of(given->player);
  files::tick_range range;
  wrong = files::read_range(c::view_of(given->from), c::view_of(given->to), range);
  to.from = range.from;
  to.to = range.to;
  return to;
}

}  // namespace

std::vector<std::string> tickreel_recording::losses() const {
  std::vector<std::string> all = in->losses();
  if (at_end) {
    if (const auto trailing = trailing_bytes_of(*this)) all.push_back(trailing->sentence());
  }
  for (std::string& each : omitted.sentences()) all.push_back(std::move(each));
  return all;
}

int32_t tickreel_open(const char* path, const tickreel_open_options* options, tickreel_recording** out) {
  return c::guarded([&]() -> result<void> {
    if (path == nullptr || out == nullptr) return c::fail_argument("a pointer is NULL");
    *out = nullptr;
    const auto how = read_open_options(options);
    if (!how) return fail(how.error());
    auto opened = files::open(file_path(path), *how);
    if (!opened) return fail(opened.error());
    auto made = std::make_unique<tickreel_recording>();
    made->in = std::move(*opened);
    made->path = file_path(path);
    *out = made.release();
    return {};
  });
}

int32_t tickreel_open_memory(const void* bytes, size_t size, const tickreel_open_options* options,
                             tickreel_recording** out) {
  return c::guarded([&]() -> result<void> {
    if ((bytes == nullptr && size != 0) || out == nullptr) return c::fail_argument("a pointer is NULL");
    *out = nullptr;
    const auto how = read_open_options(options);
    if (!how) return fail(how.error());
    auto made = std::make_unique<tickreel_recording>();
    made->bytes = byte_span(static_cast<const std::byte*>(bytes), size);
    if (options != nullptr && c::read_struct(options)->is_copied != 0) {
      made->copy.assign(made->bytes.begin(), made->bytes.end());
      made->bytes = made->copy;
    }
    auto opened = files::open(made->bytes, *how);
    if (!opened) return fail(opened.error());
    made->in = std::move(*opened);
    *out = made.release();
    return {};
  });
}

void tickreel_recording_free(tickreel_recording* recording) {
  delete recording;
}

const char* tickreel_format(const tickreel_recording* recording) {
  return recording == nullptr ? "" : recording->in->format().data();
}

int32_t tickreel_info(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    auto known = one.in->summarise();
    if (!known) return fail(known.error());
    if (const auto trailing = trailing_bytes_of(one)) {
      known->health = files::health::damaged;
      known->left_out.push_back(trailing->sentence());
    }
    files::append_summary({}, *known, one.answer, one.path ? files::structs_json(*one.path) : std::string());
    return one.rewind();
  });
}

int32_t tickreel_next(tickreel_recording* recording, tickreel_tick* out) {
  return c::guarded([&]() -> std::int32_t {
    if (recording == nullptr)
      return c::set_failure({error_code::invalid_argument, error::no_offset, "a pointer is NULL"});
    if (const auto usable = c::check_struct(out); !usable) return c::set_failure(usable.error());
    recording->has_tick = false;
    const auto more = recording->in->next();
    if (!more) return c::set_failure(more.error());
    recording->at_end = !*more;
    if (!*more) return TICKREEL_END;
    recording->has_tick = true;
    const files::tick_position& at = recording->in->position();
    tickreel_tick tick{};
    tick.is_keyframe = at.keyframe ? 1 : 0;
    tick.tick = at.tick;
    tick.time_ms = at.time_ms;
    tick.offset = at.offset;
    const auto written = c::write_struct(tick, out);
    return written ? std::int32_t{TICKREEL_OK} : c::set_failure(written.error());
  });
}

int32_t tickreel_tick_json(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    if (!one.has_tick)
      return fail(error_code::wrong_state, error::no_offset, "tickreel_next() has not gone to a tick");
    return append_tick(*one.in, one.answer);
  });
}

int32_t tickreel_lines_before(tickreel_recording* recording, tickreel_text* lines) {
  return c::answer_with(recording, lines, [](tickreel_recording& one) -> result<void> {
    one.answer = one.in->lines_before();
    return {};
  });
}

int32_t tickreel_lines_after(tickreel_recording* recording, tickreel_text* lines) {
  return c::answer_with(recording, lines, [](tickreel_recording& one) -> result<void> {
    one.has_tick = false;
    auto after = one.in->lines_after();
    if (!after) return fail(after.error());
    one.at_end = true;
    one.answer = std::move(*after);
    return {};
  });
}

int32_t tickreel_rewind(tickreel_recording* recording) {
  return c::guarded([&]() -> result<void> {
    if (recording == nullptr) return c::fail_argument("a pointer is NULL");
    return recording->rewind();
  });
}

int32_t tickreel_seek(tickreel_recording* recording, const char* place) {
  return c::guarded([&]() -> result<void> {
    if (recording == nullptr || place == nullptr) return c::fail_argument("a pointer is NULL");
    const auto where = files::parse_moment(place);
    if (!where) return c::fail_argument("not a place: \"120\", \"90s\" and \"08:30\" are");
    recording->has_tick = false;
    recording->at_end = false;
    return recording->in->seek(*where);
  });
}

int32_t tickreel_losses(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    c::append_sentences(one.losses(), one.answer);
    return {};
  });
}

int32_t tickreel_events(tickreel_recording* recording, const tickreel_event_query* query,
                        tickreel_json_function each, void* user) {
  std::string wrong;
  const std::int32_t code = c::guarded([&]() -> result<void> {
    if (recording == nullptr || each == nullptr) return c::fail_argument("a pointer is NULL");
    const auto asked = read_query(*recording->in, query, wrong);
    if (!asked) return fail(asked.error());
    if (!wrong.empty()) return c::fail_argument("");
    recording->has_tick = false;
    std::string line;
    bool stopped = false;
    const auto given = recording->in->events(*asked, [&](std::string_view json) {
      line.assign(json);
      stopped = each(user, line.c_str(), line.size()) != 0;
      return !stopped;
    });
    if (!given) return fail(given.error());
    recording->at_end = !stopped;
    return {};
  });
  return wrong.empty() ? code : c::set_failure(error_code::invalid_argument, std::move(wrong));
}

int32_t tickreel_event_types(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    const auto types = one.in->event_types();
    if (!types) return fail(types.error());
    c::append_sentences(*types, one.answer);
    return {};
  });
}

int32_t tickreel_statistics(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    one.has_tick = false;
    one.answer = "[";
    std::size_t number = 0;
    const auto counted = one.in->statistics([&](const files::match_rows& rows) {
      if (number++ != 0) one.answer += ',';
      files::append_match({}, number, rows, one.answer);
      return true;
    });
    if (!counted) return fail(counted.error());
    one.answer += ']';
    one.at_end = true;
    return {};
  });
}

int32_t tickreel_verify(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) -> result<void> {
    one.has_tick = false;
    auto outcome = one.in->verify();
    if (!outcome) return fail(outcome.error());
    if (const auto trailing = trailing_bytes_of(one)) {
      outcome->findings.push_back({files::severity::error, trailing->offset, trailing->sentence()});
    }
    files::append_verification({}, one.in->format(), *outcome, one.answer);
    one.at_end = true;
    return {};
  });
}

int32_t tickreel_extend(tickreel_recording* recording, int32_t* growth) {
  return c::guarded([&]() -> result<void> {
    if (recording == nullptr || growth == nullptr) return c::fail_argument("a pointer is NULL");
    const auto grew = recording->in->extend();
    if (!grew) return fail(grew.error());
    *growth = static_cast<std::int32_t>(*grew);
    return {};
  });
}

int32_t tickreel_follow(tickreel_recording* recording, tickreel_json_function tick,
                        tickreel_json_function event, void* user, int32_t* growth) {
  const std::int32_t code = tickreel_extend(recording, growth);
  if (code != TICKREEL_OK || *growth == TICKREEL_REPLACED) return code;
  return c::guarded([&]() -> result<void> {
    files::observer to;
    std::string line;
    result<void> shown;
    if (tick != nullptr) {
      to.tick = [&] {
        line.clear();
        if (auto done = append_tick(*recording->in, line); !done) {
          if (shown) shown = done;
          return;
        }
        (void)tick(user, line.c_str(), line.size());
      };
    }
    if (event != nullptr) {
      to.event = [&](std::string_view json) {
        line.assign(json);
        (void)event(user, line.c_str(), line.size());
      };
    }
    recording->has_tick = false;
    const auto went = recording->in->resume(to);
    if (!went) return fail(went.error());
    return shown;
  });
}
