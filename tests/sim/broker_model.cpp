#include "broker_model.hpp"

#include <algorithm>
#include <sstream>

#include "tickreel/codec/codec.hpp"
#include "tickreel/fleet/status.hpp"

namespace tickreel::sim {

namespace {

constexpr std::int64_t call_us = 200;
constexpr std::int64_t answer_wait_us = 5'000'000;

// As NATS counts them, about.
std::uint64_t size_of(const model_message& one) {
  std::uint64_t bytes = one.subject.size() + one.body.size();
  for (const auto& [name, value] : one.fields) bytes += name.size() + value.size();
  return bytes;
}

bool is_of_messages(broker_fault kind) {
  return kind == broker_fault::lost || kind == broker_fault::unanswered || kind == broker_fault::doubled ||
         kind == broker_fault::late || kind == broker_fault::full;
}

}  // namespace

std::string_view model_message::field(std::string_view name) const {
  for (const auto& [each, value] : fields) {
    if (each == name) return value;
  }
  return {};
}

void model_stream::erase(std::uint64_t sequence) {
  const auto found = messages.find(sequence);
  if (found == messages.end()) return;
  bytes -= size_of(*found->second);
  messages.erase(found);
  given_out.erase(sequence);
}

bool matches(const std::string& filter, std::string_view subject) {
  if (filter.empty()) return true;
  if (filter.back() != '>') return subject == filter;
  return subject.starts_with(std::string_view(filter).substr(0, filter.size() - 1));
}

broker_model*& broker_model::in_use() {
  static broker_model* one = nullptr;
  return one;
}

// Faults.

void broker_model::plan(broker_fault kind, std::uint64_t a, std::uint64_t b) {
  model_stream* const records = find(subjects.stream);
  switch (kind) {
    case broker_fault::down:
      restart(0);
      down_until_us_ = simulated_now_us() + static_cast<std::int64_t>(a) * 1000;
      return;
    case broker_fault::restart:
      return restart(b);
    case broker_fault::purge:
      for (; records != nullptr && a > 0 && !records->messages.empty(); --a) {
        records->erase(records->messages.begin()->first);
        has_lost_ = true;
      }
      return;
    case broker_fault::remove:
      return remove_some(a, b);
    case broker_fault::forge:
      for (std::uint64_t i = 0; records != nullptr && i < a; ++i) forge(b * 1000 + i);
      return;
    case broker_fault::remake:
      has_lost_ = has_lost_ || records != nullptr;
      return delete_stream(subjects.stream);
    default:
      planned_.push_back({kind, a, std::max<std::uint64_t>(b, 1)});
  }
}

void broker_model::heal() {
  planned_.clear();
  release_held(true);
  down_until_us_ = 0;
}

void broker_model::restart(std::uint64_t lost_messages) {
  for (const auto& each : connections_) {
    if (const auto open = each.lock()) open->is_open = false;
  }
  connections_.clear();
  held_.clear();
  for (auto& [name, stream] : streams_) {
    for (std::uint64_t left = lost_messages; left > 0 && !stream.messages.empty(); --left) {
      const std::uint64_t last = stream.messages.rbegin()->first;
      stream.erase(last);
      stream.last = last - 1;
      has_lost_ = true;
    }
    stream.ids.clear();
    for (const auto& [sequence, one] : stream.messages) {
      if (const auto id = one->field("Nats-Msg-Id"); !id.empty())
        stream.ids.emplace(id, std::pair(sequence, simulated_now_us()));
    }
    stream.given_out.clear();
  }
}

void broker_model::set_dead(client which, bool dead) {
  dead_[static_cast<std::size_t>(which)] = dead;
  if (!dead) return;
  for (const auto& each : connections_) {
    if (const auto open = each.lock(); open && open->of == which) open->is_open = false;
  }
}

void broker_model::remove_some(std::uint64_t count, std::uint64_t seed) {
  model_stream* const records = find(subjects.stream);
  generator random(seed);
  for (; records != nullptr && count > 0 && !records->messages.empty(); --count) {
    auto which = records->messages.begin();
    std::advance(which, static_cast<std::ptrdiff_t>(random.below(records->messages.size())));
    records->erase(which->first);
    has_lost_ = true;
  }
}

std::optional<broker_model::planned> broker_model::strike(const std::function<bool(broker_fault)>& applies) {
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    planned& each = planned_[i];
    if (!applies(each.kind)) continue;
    if (each.after != 0) {
      --each.after;
      continue;
    }
    planned found = each;
    if (--each.count == 0 || found.kind == broker_fault::late || found.kind == broker_fault::kill)
      planned_.erase(planned_.begin() + static_cast<std::ptrdiff_t>(i));
    return found;
  }
  return std::nullopt;
}

// Calls.

result<std::shared_ptr<model_connection>> broker_model::connect() {
  advance_clock(call_us);
  ++calls_;
  if (dead_[static_cast<std::size_t>(now)] || simulated_now_us() < down_until_us_)
    return fail(error_code::connection_refused);
  auto made = std::make_shared<model_connection>();
  made->of = now;
  connections_.push_back(made);
  return made;
}

result<void> broker_model::begin_call(model_connection& from, const std::function<void()>& effect) {
  if (is_archiver(from.of) && before_archiver) before_archiver();
  if (from.of != client::recorder && between_calls && !is_between_) {
    is_between_ = true;
    const client before = std::exchange(now, client::recorder);
    between_calls();
    now = before;
    is_between_ = false;
  }
  advance_clock(call_us);
  ++calls_;
  if (is_archiver(from.of) && strike([](broker_fault kind) { return kind == broker_fault::kill; }))
    kill_archiver();
  if (dead_[static_cast<std::size_t>(from.of)] || !from.is_open) return fail(error_code::connection_lost);
  const auto struck =
      strike([](broker_fault kind) { return kind == broker_fault::cut || kind == broker_fault::silent; });
  if (!struck) return {};
  if (struck->kind == broker_fault::silent) {
    advance_clock(answer_wait_us);
    return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
  }
  if (effect && calls_ % 2 == 0) effect();
  from.is_open = false;
  return fail(error_code::connection_lost);
}

model_stream* broker_model::find(const std::string& name) {
  const auto found = streams_.find(name);
  if (found == streams_.end()) return nullptr;
  expire(found->second);
  return &found->second;
}

void broker_model::make(const fleet::stream_settings& settings) {
  model_stream& made = streams_[settings.name];
  made.settings = settings;
  made.created_ns = fleet::system_time_us() * 1000 + static_cast<std::int64_t>(calls_ % 1000);
}

std::vector<std::string> broker_model::names() const {
  std::vector<std::string> all;
  for (const auto& each : streams_) all.push_back(each.first);
  return all;
}

void broker_model::expire(model_stream& from) {
  const auto age_us = std::chrono::duration_cast<std::chrono::microseconds>(from.settings.max_age).count();
  while (age_us != 0 && !from.messages.empty() &&
         from.messages.begin()->second->stored_ns / 1000 + age_us < fleet::system_time_us())
    from.erase(from.messages.begin()->first);
  while (from.settings.max_bytes > 0 && !from.settings.refuse_when_full &&
         from.bytes > static_cast<std::uint64_t>(from.settings.max_bytes))
    from.erase(from.messages.begin()->first);
}

// Messages.

bool broker_model::publish(model_message&& one, const std::function<void(result<fleet::stored_at>)>& answer) {
  const auto struck = strike(is_of_messages);
  const broker_fault kind = struck ? struck->kind : broker_fault::cut;
  bool answers = false;
  if (kind == broker_fault::late) {
    held_.push_back({std::move(one), answer, struck->count});
    return false;
  }
  if (kind == broker_fault::full) {
    answer(fail(error_code::no_space));
    answers = true;
  } else if (kind != broker_fault::lost) {
    auto stored = store(one, true);
    if (kind == broker_fault::doubled) (void)store(one, false);
    answers = kind != broker_fault::unanswered;
    if (answers) answer(std::move(stored));
  }
  release_held(false);
  return answers;
}

void broker_model::release_held(bool all) {
  std::vector<held_message> held = std::exchange(held_, {});
  for (held_message& each : held) {
    if (!all && --each.after > 0) {
      held_.push_back(std::move(each));
    } else {
      each.answer(store(each.one, true));
    }
  }
}

result<fleet::stored_at> broker_model::store(const model_message& one, bool checks_ids) {
  const auto found = std::ranges::find_if(streams_, [&](const auto& each) {
    return std::ranges::any_of(each.second.settings.subjects,
                               [&](const std::string& filter) { return matches(filter, one.subject); });
  });
  if (found == streams_.end()) return fail(error_code::connection_lost);
  model_stream& into = found->second;
  const std::string id(one.field("Nats-Msg-Id"));
  const auto window =
      std::chrono::duration_cast<std::chrono::microseconds>(into.settings.duplicates_within).count();
  if (const auto known = into.ids.find(id); checks_ids && !id.empty() && known != into.ids.end()) {
    if (simulated_now_us() - known->second.second < window)
      return fleet::stored_at{known->second.first, true};
  }
  if (const std::string_view replaced = one.field(fleet::replaces_field); !replaced.empty()) {
    std::uint64_t last = 0;
    for (const auto& [place, each] : into.messages) last = each->subject == one.subject ? place : last;
    if (std::to_string(last) != replaced) return fail(error_code::in_use);
  }
  const std::uint64_t bytes = size_of(one);
  if (into.settings.max_bytes > 0 && into.settings.refuse_when_full &&
      into.bytes + bytes > static_cast<std::uint64_t>(into.settings.max_bytes))
    return fail(error_code::no_space);
  auto kept = std::make_shared<model_message>(one);
  kept->stored_ns = fleet::system_time_us() * 1000;
  if (into.settings.max_per_subject == 1) {
    for (auto each = into.messages.begin(); each != into.messages.end(); ++each) {
      if (each->second->subject != one.subject) continue;
      into.erase(each->first);
      break;
    }
  }
  const std::uint64_t place = ++into.last;
  into.messages[place] = kept;
  into.bytes += bytes;
  if (!id.empty()) into.ids[id] = {place, simulated_now_us()};
  ++stored_;
  expire(into);
  if (one.subject == subjects.archived && announced) announced(*kept);
  return fleet::stored_at{place, false};
}

// What any publisher of the league can send: it reads heads and ids, and computes no hash of a record.
void broker_model::forge(std::uint64_t seed) {
  generator random(seed);
  const model_stream& from = *find(subjects.stream);
  model_message made{.subject = subjects.records, .body = {}, .fields = {}};
  std::uint64_t newest = 0;
  for (const auto& each : from.messages) {
    const auto head = fleet::read_fields([&](const char* name) { return each.second->field(name); });
    if (head && head->sequence) newest = std::max<std::uint64_t>(newest, *head->sequence);
  }
  if (!from.messages.empty()) {
    auto which = from.messages.begin();
    std::advance(which, static_cast<std::ptrdiff_t>(random.below(from.messages.size())));
    made.body = which->second->body;
    made.fields = which->second->fields;
  }
  std::erase_if(made.fields, [&](const auto& each) { return each.first == "Nats-Msg-Id"; });
  const auto set = [&](const std::string& name, const std::string& value) {
    std::erase_if(made.fields, [&](const auto& each) { return each.first == name; });
    made.fields.emplace_back(name, value);
  };
  const auto spoil = [&] {
    if (made.body.empty()) made.body.resize(40);
    made.body[random.below(made.body.size())] ^= static_cast<std::byte>(1 + random.below(255));
  };
  const auto set_sequence = [&](std::uint64_t sequence) {
    if (made.field("Tickreel-Sequence").empty()) {
      set("Tickreel-Kind", "chunk");
      set("Tickreel-Ticks", "0-0");
    }
    set("Tickreel-Sequence", std::to_string(sequence));
  };
  switch (random.below(9)) {
    case 0:
      break;  // a copy
    case 1:
      spoil();
      break;
    case 2:
      set_sequence(random.below(newest + 1));
      break;
    case 3:
      set_sequence(newest + 1 + random.below(3));
      spoil();
      break;
    case 4:
      set_sequence(newest + 1 + random.below(3));
      break;
    case 5:
      set("Tickreel-Kind", "header");
      std::erase_if(made.fields, [](const auto& each) { return each.first == "Tickreel-Sequence"; });
      spoil();
      break;
    case 6:
      set("Tickreel-Sequence", random.chance(2) ? "-1" : "99999999999");
      break;
    case 7:
      set_sequence(newest + 1 + random.below(2));
      set("Tickreel-Part", std::to_string(random.below(2)) + "/2");
      break;
    default:
      made.subject = subjects.status;
      made.fields.clear();
      made.body.assign(random.below(20), std::byte{'{'});
      break;
  }
  ++forged_;
  (void)store(made, true);
}

bool broker_model::has(byte_span body) const {
  return std::ranges::any_of(streams_, [&](const auto& stream) {
    return std::ranges::any_of(stream.second.messages,
                               [&](const auto& each) { return std::ranges::equal(each.second->body, body); });
  });
}

std::uint64_t broker_model::fingerprint() const {
  std::uint64_t hash = calls_;
  for (const auto& [name, stream] : streams_) {
    for (const auto& [sequence, one] : stream.messages) {
      hash = hash * 31 + sequence;
      if (name == subjects.stream) hash = hash * 31 + xxh3_64(one->body);
    }
  }
  return hash;
}

std::string broker_model::text() const {
  std::ostringstream out;
  for (const auto& [name, stream] : streams_) {
    out << "    " << name << ":";
    for (const auto& [sequence, one] : stream.messages) {
      const auto number = one->field("Tickreel-Sequence");
      out << ' ' << sequence;
      if (name != subjects.stream) continue;
      out << '=' << (number.empty() ? one->field("Tickreel-Kind") : number);
      if (const auto part = one->field("Tickreel-Part"); !part.empty()) out << '[' << part << ']';
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace tickreel::sim
