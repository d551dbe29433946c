#include "script.hpp"

#include <iterator>
#include <sstream>

#include "broker_model.hpp"

namespace tickreel::sim {

namespace {

constexpr const char* codec_names[] = {"none", "gzip", "lz4", "zstd"};
constexpr codec_id codecs[] = {codec_id::none, codec_id::gzip, codec_id::lz4, codec_id::zstd};

template <std::size_t Count>
std::int64_t number_of(const std::string& name, const char* const (&names)[Count]) {
  for (std::size_t i = 0; i < Count; ++i) {
    if (name == names[i]) return static_cast<std::int64_t>(i);
  }
  return -1;
}

std::int64_t one_to(generator& random, std::uint64_t most) {
  return static_cast<std::int64_t>(1 + random.below(most));
}

}  // namespace

step any_fault(generator& random, bool may_die) {
  const auto kind =
      static_cast<fault>(random.below(may_die ? std::size(fault_names) : std::size(fault_names) - 1));
  std::int64_t after = static_cast<std::int64_t>(random.below(random.chance(2) ? 4 : 40));
  std::int64_t count = random.chance(4) ? 0 : one_to(random, 3);
  if (kind == fault::full) after = static_cast<std::int64_t>(random.below(random.chance(2) ? 300 : 20'000));
  // A call that is interrupted without limit never ends.
  if (kind == fault::interrupted) count = one_to(random, 3);
  if (kind == fault::death) count = static_cast<std::int64_t>(random.below(std::size(cut_names)));
  return {verb::fault, static_cast<std::int64_t>(kind), after, count};
}

step any_cut(generator& random) {
  const auto how = static_cast<std::int64_t>(random.below(std::size(cut_names)));
  return {verb::cut, how, static_cast<std::int64_t>(random.below(1'000'000)), 0};
}

namespace {

void add_fault(generator& random, std::vector<step>& to, bool may_die) {
  to.push_back(any_fault(random, may_die));
}

void add_cut(generator& random, std::vector<step>& to) {
  to.push_back(any_cut(random));
}

void add_recording(generator& random, script& to, std::int64_t ticks) {
  while (ticks > 0) {
    const std::uint64_t dice = random.below(100);
    if (dice < 45) {
      to.steps.push_back({verb::push, one_to(random, 20)});
      ticks -= to.steps.back().first;
    } else if (dice < 53) {
      to.steps.push_back({verb::burst, one_to(random, 2 * to.ring_ticks)});
      ticks -= to.steps.back().first;
    } else if (dice < 61) {
      to.steps.push_back({verb::event, one_to(random, 4)});
    } else if (dice < 65) {
      to.steps.push_back({verb::gap, one_to(random, 5)});
    } else if (dice < 71) {
      to.steps.push_back({verb::clock, one_to(random, random.chance(4) ? 4'000'000 : 1500)});
    } else if (dice < 75) {
      const std::int64_t by = one_to(random, 100'000'000);
      to.steps.push_back({verb::wall, random.chance(2) ? by : -by});
    } else if (dice < 82) {
      to.steps.push_back({verb::follow});
    } else if (dice < 92) {
      add_fault(random, to.steps, random.chance(3));
    } else if (dice < 97) {
      to.steps.push_back({verb::heal});
    } else {
      to.steps.push_back({verb::pump});
    }
  }
}

// What happens to the file afterwards.
void add_aftermath(generator& random, script& to) {
  constexpr verb all[] = {verb::publish, verb::publish, verb::recover,
                          verb::copy,    verb::compact, verb::follow};
  for (std::uint64_t left = random.below(5); left != 0; --left) {
    if (random.chance(3)) add_fault(random, to.steps, random.chance(2));
    to.steps.push_back({all[random.below(std::size(all))]});
    if (random.chance(3)) to.steps.push_back({verb::heal});
    if (random.chance(3)) add_cut(random, to.steps);
  }
}

}  // namespace

script script_of(std::uint64_t seed) {
  generator random(seed);
  script made;
  made.format = static_cast<recorded_as>(random.below(std::size(format_names)));
  made.content = random.below(1000);
  made.seal_frames = static_cast<std::uint32_t>(one_to(random, 40));
  made.keyframe_ticks = static_cast<std::uint32_t>(one_to(random, 60));
  made.sync_interval_ms = random.chance(4) ? static_cast<std::uint32_t>(one_to(random, 2000)) : 0;
  made.ring_ticks = 4u << random.below(4);
  made.tick_ms = random.chance(2) ? 16 : 33;
  made.codec = codecs[random.below(std::size(codecs))];
  if (random.chance(10)) add_fault(random, made.steps, true);
  made.steps.push_back({verb::open});
  const std::int64_t five_seconds = 5000 / made.tick_ms;
  add_recording(random, made, random.chance(4) ? one_to(random, 40) : five_seconds);
  if (random.chance(3)) add_fault(random, made.steps, true);
  if (!random.chance(4)) made.steps.push_back({verb::close});
  if (random.chance(2)) add_cut(random, made.steps);
  add_aftermath(random, made);
  return made;
}

std::string to_text(const script& what) {
  std::ostringstream out;
  out << "format " << format_names[static_cast<std::size_t>(what.format)] << "\ncontent " << what.content
      << "\nseal_frames " << what.seal_frames << "\nkeyframe_ticks " << what.keyframe_ticks
      << "\nsync_interval_ms " << what.sync_interval_ms << "\nring_ticks " << what.ring_ticks << "\ntick_ms "
      << what.tick_ms << "\ncodec ";
  for (std::size_t i = 0; i < std::size(codecs); ++i) {
    if (codecs[i] == what.codec) out << codec_names[i] << "\n";
  }
  if (what.fleet) {
    out << "fleet 1\nmessage_bytes " << what.message_bytes << "\nqueue_records " << what.queue_records
        << "\nkeep_bytes " << what.keep_bytes << "\ninterleave " << what.interleave << "\n";
  }
  for (const step& each : what.steps) {
    out << verb_names[static_cast<std::size_t>(each.what)];
    switch (each.what) {
      case verb::broker:
        out << ' ' << broker_fault_names[each.first] << ' ' << each.second << ' ' << each.third;
        break;
      case verb::fault:
      case verb::store:
        out << ' ' << fault_names[each.first] << ' ' << each.second << ' ' << each.third;
        break;
      case verb::cut:
      case verb::store_cut:
        out << ' ' << cut_names[each.first] << ' ' << each.second;
        break;
      case verb::push:
      case verb::burst:
      case verb::event:
      case verb::gap:
      case verb::clock:
      case verb::wall:
      case verb::deliver:
      case verb::republish:
      case verb::watch:
      case verb::unwatch:
      case verb::archive:
        out << ' ' << each.first;
        break;
      case verb::archivers:
        out << ' ' << each.first << ' ' << each.second;
        break;
      default:
        break;
    }
    out << '\n';
  }
  return out.str();
}

namespace {

bool read_option(const std::string& word, std::istringstream& from, script& to) {
  std::string name;
  if (word == "format" || word == "codec") {
    from >> name;
    const std::int64_t number =
        word == "format" ? number_of(name, format_names) : number_of(name, codec_names);
    if (number < 0) return false;
    if (word == "format") to.format = static_cast<recorded_as>(number);
    if (word == "codec") to.codec = codecs[number];
    return true;
  }
  if (word == "content") return static_cast<bool>(from >> to.content);
  if (word == "seal_frames") return static_cast<bool>(from >> to.seal_frames);
  if (word == "keyframe_ticks") return static_cast<bool>(from >> to.keyframe_ticks);
  if (word == "sync_interval_ms") return static_cast<bool>(from >> to.sync_interval_ms);
  if (word == "ring_ticks") return static_cast<bool>(from >> to.ring_ticks);
  if (word == "tick_ms") return static_cast<bool>(from >> to.tick_ms);
  if (word == "fleet") return static_cast<bool>(from >> to.fleet);
  if (word == "message_bytes") return static_cast<bool>(from >> to.message_bytes);
  if (word == "queue_records") return static_cast<bool>(from >> to.queue_records);
  if (word == "keep_bytes") return static_cast<bool>(from >> to.keep_bytes);
  if (word == "interleave") return static_cast<bool>(from >> to.interleave);
  return false;
}

bool read_step(const std::string& word, std::istringstream& from, script& to) {
  const std::int64_t number = number_of(word, verb_names);
  if (number < 0) return false;
  step made{static_cast<verb>(number)};
  std::string name;
  if (made.what == verb::fault || made.what == verb::store || made.what == verb::broker) {
    if (!(from >> name >> made.second >> made.third)) return false;
    made.first =
        made.what == verb::broker ? number_of(name, broker_fault_names) : number_of(name, fault_names);
  } else if (made.what == verb::cut || made.what == verb::store_cut) {
    if (!(from >> name >> made.second)) return false;
    made.first = number_of(name, cut_names);
  } else if (made.what == verb::archivers) {
    if (!(from >> made.first >> made.second)) return false;
  } else if (!(from >> made.first)) {
    made.first = 0;
  }
  const bool is_number = made.what == verb::wall || made.first >= 0;
  if (is_number) to.steps.push_back(made);
  return is_number;
}

}  // namespace

std::optional<script> read_script(std::string_view text, std::string& why) {
  script made;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (read_option(word, words, made)) continue;
    if (read_step(word, words, made)) continue;
    why = "line " + std::to_string(number) + ": '" + line + "' is not a step";
    return std::nullopt;
  }
  return made;
}

}  // namespace tickreel::sim
