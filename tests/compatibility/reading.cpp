#include "reading.hpp"

#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include "run_program.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel::test {

namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

std::string to_hex(std::uint64_t value) {
  char digits[17] = {};
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

std::uint64_t hash_text(std::string_view text) {
  return xxh3_64(as_bytes(text));
}

// Adds up the hashes of all values, so that the order of keys has no effect. `place` is the path of the value, with indices;
// `key` is common to all values of its kind.
struct value_sum {
  known_keys& keys;
  bool learn;
  std::uint64_t sum = 0;

  void add(const dom::element& at, const std::string& place, const std::string& key) {
    if (at.is_object() && dom::object(at).size() != 0) {
      for (const auto [name, value] : dom::object(at)) {
        const std::string step = (key.empty() ? "" : ".") + std::string(name);
        add(value, place + step, key + step);
      }
    } else if (at.is_array() && dom::array(at).size() != 0) {
      std::size_t index = 0;
      for (const auto value : dom::array(at)) {
        add(value, place + "[" + std::to_string(index++) + "]", key + "[]");
      }
    } else {
      if (learn) keys.insert(key);
      if (keys.contains(key)) sum += hash_text(place + "=" + std::string(simdjson::minify(at)));
    }
  }
};

lines_read sum_up(const std::string& ndjson, known_keys& keys, bool learn) {
  constexpr std::uint64_t group = 16;
  lines_read out;
  dom::parser parser;
  value_sum all{keys, learn};
  for (std::size_t begin = 0; begin < ndjson.size();) {
    const std::size_t end = std::min(ndjson.find('\n', begin), ndjson.size());
    dom::element line;
    const auto failed = parser.parse(ndjson.data() + begin, end - begin).get(line);
    BOOST_REQUIRE_MESSAGE(!failed,
                          "no JSON: " << ndjson.substr(begin, std::min<std::size_t>(end - begin, 200)));
    all.add(line, "line " + std::to_string(out.lines) + " ", "");
    ++out.lines;
    if (out.lines % group == 0) out.sums.push_back(to_hex(std::exchange(all.sum, 0)));
    begin = end + 1;
  }
  if (out.lines % group != 0) out.sums.push_back(to_hex(all.sum));
  return out;
}

// The verbs of docs/command-line.md; `file` is a new one each time.
std::string always_there(const std::string& info) {
  dom::parser parser;
  const dom::element document = parser.parse(info);
  std::string out;
  for (const char* key :
       {"format", "format_version", "bytes", "ticks", "keyframes", "duration_ms", "players", "health"}) {
    dom::element value;
    BOOST_REQUIRE_MESSAGE(!document[key].get(value), key << " is not in " << info);
    out += (out.empty() ? "{\"" : ",\"") + std::string(key) + "\":" + std::string(simdjson::minify(value));
  }
  return out + "}";
}

std::string json_of(const lines_read& from) {
  std::string out = "{\"lines\":" + std::to_string(from.lines) + ",\"sums\":[";
  for (const std::string& each : from.sums) out += (out.back() == '[' ? "\"" : ",\"") + each + '"';
  return out + "]}";
}

lines_read lines_from(const dom::element& json) {
  lines_read out{std::uint64_t(json["lines"]), {}};
  for (const auto each : dom::array(json["sums"])) out.sums.emplace_back(std::string_view(each));
  return out;
}

bool holds(const dom::element& actual, const dom::element& expected) {
  if (expected.is_object()) {
    if (!actual.is_object()) return false;
    for (const auto [key, value] : dom::object(expected)) {
      dom::element other;
      if (dom::object(actual).at_key(key).get(other) || !holds(other, value)) return false;
    }
    return true;
  }
  if (expected.is_array()) {
    if (!actual.is_array() || dom::array(actual).size() != dom::array(expected).size()) return false;
    std::size_t index = 0;
    for (const auto value : dom::array(expected)) {
      if (!holds(dom::array(actual).at(index++), value)) return false;
    }
    return true;
  }
  return std::string(simdjson::minify(actual)) == std::string(simdjson::minify(expected));
}

}  // namespace

reading read_with_program(const fs::path& file, known_keys& keys, bool learn) {
  reading out;
  out.file_hash = to_hex(xxh3_64(read_file(file)));

  const scratch_folder folder;
  fs::path recording = file;
  if (const auto ending = file.extension(); ending == ".csv" || ending == ".ndjson") {
    // The text of a .rec: read by converting it to one.
    recording = folder / "from_text.rec";
    const outcome made = run({"convert", file.string(), recording.string()});
    BOOST_TEST(made.code == 0, file << ": " << made.err);
  }
  const outcome info = run({"info", recording.string(), "--json"});
  out.has_info = info.code == 0;
  if (out.has_info) out.info = always_there(info.out);
  // The verdict, not the exit code: since 0.3.0 that is 3 for valid recordings with losses.
  out.verified = run({"verify", recording.string(), "--json"}).out.find("\"ok\":true") != std::string::npos;
  out.ticks = sum_up(run({"cat", recording.string()}).out, keys, learn);
  out.events = sum_up(run({"events", recording.string()}).out, keys, learn);

  if (out.info.find("\"health\":\"whole\"") == std::string::npos) {
    const fs::path output = folder / ("recovered" + recording.extension().string());
    const outcome done = run({"recover", recording.string(), "-o", output.string()});
    BOOST_TEST((done.code == 0 || done.code == 3), file << ": " << done.err);
    out.recovered = sum_up(run({"cat", output.string()}).out, keys, learn);
  }
  return out;
}

std::string to_json(const std::string& name, const reading& from) {
  const auto truth = [](bool value) { return value ? "true" : "false"; };
  return "{\"file\":\"" + name + "\",\"hash\":\"" + from.file_hash +
         "\",\"info\":" + (from.has_info ? from.info : "null") + ",\"verified\":" + truth(from.verified) +
         ",\"ticks\":" + json_of(from.ticks) + ",\"events\":" + json_of(from.events) +
         ",\"recovered\":" + json_of(from.recovered) + "}\n";
}

std::map<std::string, reading> readings_from(const fs::path& ndjson) {
  std::map<std::string, reading> out;
  const std::string text = text_of_file(ndjson);
  dom::parser parser;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const dom::element line = parser.parse(text.data() + begin, end - begin);
    begin = end + 1;
    reading each;
    each.file_hash = std::string_view(line["hash"]);
    each.has_info = !line["info"].is_null();
    if (each.has_info) each.info = std::string(simdjson::minify(dom::element(line["info"])));
    each.verified = bool(line["verified"]);
    each.ticks = lines_from(line["ticks"]);
    each.events = lines_from(line["events"]);
    each.recovered = lines_from(line["recovered"]);
    out.emplace(std::string(std::string_view(line["file"])), std::move(each));
  }
  return out;
}

bool holds_all_of(std::string_view actual, std::string_view expected) {
  dom::parser first;
  dom::parser second;
  return holds(first.parse(actual.data(), actual.size()), second.parse(expected.data(), expected.size()));
}

}  // namespace tickreel::test
