// The program's output for recordings of every format: exit codes, messages, and its behaviour when no process reads its output.
#include <algorithm>
#include <map>
#include <set>

#include "every_format.hpp"
#include "lines.hpp"
#include "random.hpp"
#include "run_program.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/reel/reader.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

BOOST_AUTO_TEST_SUITE(cli_formats_tests)
BOOST_AUTO_TEST_SUITE(every_format_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The string value of a member of an object.
std::string word_in(const std::string& json, const std::string& key) {
  const std::string begin = "\"" + key + "\":\"";
  const std::size_t at = json.find(begin);
  if (at == std::string::npos) return {};
  return json.substr(at + begin.size(), json.find('"', at + begin.size()) - at - begin.size());
}

std::string format_of(const std::filesystem::path& path) {
  const auto found = files::detect(path);
  return found ? std::string((*found)->name) : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(info_reports_the_health_of_a_recording_without_failing) {
  auto random = seeded_random("info of cut files");
  const scratch_folder folder;
  std::set<std::string> incomplete;
  const auto check = [&](const std::filesystem::path& path) {
    const outcome statement = run({"info", "--json", path.string()});
    const std::string health = word_in(statement.out, "health");
    const bool lacks_values = statement.out.find("\"left_out\"") != std::string::npos;
    const int expected = health.empty() ? 1 : lacks_values ? 3 : 0;
    BOOST_TEST(statement.code == expected, health << ' ' << statement.out << statement.err);
    BOOST_TEST(run({"info", path.string()}).code == expected);
    if (health == "incomplete") incomplete.insert(format_of(path));
    return health;
  };
  const auto cut = folder.path() / "cut";
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      BOOST_TEST(check(path) == "whole");
      const byte_vector whole = read_file(path);
      for (int round = 0; round < 3; ++round) {
        const std::size_t bytes = whole.size() / 4 + random() % (whole.size() * 3 / 4);
        BOOST_TEST_CONTEXT("cut to " << bytes) {
          write_file(cut, byte_span(whole).first(bytes));
          (void)check(cut);
        }
      }
    }
  }
  for (const char* format : {"butter", "reel", "rec"}) BOOST_TEST(incomplete.count(format) == 1u, format);
}

BOOST_AUTO_TEST_CASE(a_clip_to_the_missing_end_of_a_reel_is_not_called_whole) {
  const scratch_folder folder;
  const std::string cut = folder / "cut.reel";
  const std::string part = folder / "part.reel";
  std::size_t kinds = 0;
  for (const auto& path : fixtures(folder)) {
    if (path.extension() != ".reel") continue;
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const byte_vector whole = read_file(path);
      write_file(cut, byte_span(whole).first(whole.size() - 1));
      BOOST_TEST(run({"clip", cut, "--from", "tick:1", "-o", part, "--force"}).code == 3);
      BOOST_TEST(run({"verify", part}).code == 3);
      const std::string health = word_in(run({"info", "--json", part}).out, "health");
      BOOST_TEST(health != "");
      BOOST_TEST(health != "whole");
      ++kinds;
    }
  }
  BOOST_TEST(kinds == 4u);
}

// A copy of a reel states the ticks that its source lost.
BOOST_AUTO_TEST_CASE(a_copy_that_lacks_a_known_number_of_ticks_counts_them) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.reel";
  const std::string copy = folder / "copy.reel";
  std::map<std::string, int> copies;
  for (const auto& path : fixtures(folder)) {
    if (path.extension() != ".reel") continue;
    byte_vector bytes = read_file(path);
    auto reader = reel::reader::from_memory(bytes);
    BOOST_REQUIRE(reader);
    const auto& records = reader->contents().records;
    const auto chunk = std::ranges::find_if(records, [](const reel::record_info& each) {
      return each.kind == reel::record_kind::chunk && each.first_tick > 1;
    });
    if (chunk == records.end()) continue;
    bytes[static_cast<std::size_t>(chunk->offset + chunk->bytes / 2)] ^= std::byte{1};
    write_file(damaged, bytes);
    for (const char* verb : {"recover", "convert", "clip", "anonymise", "compact"}) {
      std::vector<std::string> words = {verb, damaged, "-o", copy, "--force"};
      if (words[0] == "convert") words = {verb, damaged, copy, "--force"};
      if (words[0] == "clip") words = {verb, damaged, "--from", "tick:1", "-o", copy, "--force"};
      const int code = run(words).code;
      if (code == 1) continue;  // not for this kind of reel
      BOOST_TEST_CONTEXT(path.filename().string() << ", " << verb) {
        BOOST_TEST(code == 3);
        ++copies[verb];
        BOOST_TEST(run({"verify", copy}).code == 3);
        const std::string info = run({"info", "--json", copy}).out;
        const bool counts = info.find("\"lost_ticks\":") != std::string::npos &&
                            info.find("\"lost_ticks\":0,") == std::string::npos;
        BOOST_TEST((counts || word_in(info, "health") != "whole"), info);
      }
    }
  }
  BOOST_TEST(copies.size() == 5u);
}

BOOST_AUTO_TEST_CASE(an_unknown_type_of_event_is_wrong_usage) {
  const scratch_folder folder;
  std::size_t with_events = 0;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const bool has_events = run({"events", path.string()}).code == 0;
      const outcome said = run({"events", path.string(), "--type", "foo"});
      BOOST_TEST(said.code == (has_events ? 2 : 1), said.err);
      if (!has_events) continue;
      ++with_events;
      BOOST_TEST(said.says("events: --type foo: unknown event type; the types are\n  "), said.err);
      // Every format in the message is accepted.
      const auto known = open_recording(path)->event_types();
      BOOST_REQUIRE(known);
      BOOST_TEST(!known->empty());
      std::string all;
      for (const std::string& each : *known) {
        BOOST_TEST(said.says(each), each);
        all += (all.empty() ? "" : ",") + each;
      }
      BOOST_TEST(run({"events", path.string(), "--type", all}).code == 0);
      check_run({"events", path.string(), "--type", known->front() + "x"}, 2, {"did you mean '"});
    }
  }
  BOOST_TEST(with_events >= 6u);
}

BOOST_AUTO_TEST_CASE(an_unknown_format_is_wrong_usage) {
  const scratch_folder folder;
  for (const char* verb : {"find", "stats"}) {
    const outcome said = run({"library", verb, "--format", "buter", "--db", folder / "none"});
    BOOST_TEST(said.code == 2);
    BOOST_TEST(said.says("unknown format buter; did you mean 'butter'?"), said.err);
    for (const files::format& each : files::formats()) {
      BOOST_TEST(said.says(each.name) != each.is_only_written, each.name);
    }
  }
}

// Lines after a header belong to it; another recording has its own header: it is reported and left out.
BOOST_AUTO_TEST_CASE(concatenated_recordings_are_distinguished) {
  const scratch_folder folder;
  const auto both = folder.path() / "both";
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const std::string out = folder / "recovered" + path.extension().string();
      byte_vector bytes = read_file(path);
      const std::string place = std::to_string(bytes.size());
      // A reel is identified by its header: of two copies the first is read.
      const bool is_reel = path.extension() == ".reel";
      const byte_vector again =
          is_reel ? read_file(folder.path() / (path.filename() == "ints.reel" ? "match.reel" : "ints.reel"))
                  : bytes;
      if (is_reel) {
        byte_vector twice = bytes;
        twice.insert(twice.end(), bytes.begin(), bytes.end());
        write_file(both, twice);
        const outcome said = run({"recover", both.string(), "-o", out, "--force"});
        BOOST_TEST(said.code == 3, said.err);
        BOOST_TEST(contains(said.out, "another reel begins at offset " + place + ", with "), said.out);
      }
      bytes.insert(bytes.end(), again.begin(), again.end());
      write_file(both, bytes);
      const outcome one = run({"recover", path.string(), "-o", out, "--force", "--json"});
      const outcome said = run({"recover", both.string(), "-o", out, "--force", "--json"});
      const auto ticks_of = [](const std::string& json) { return json.substr(json.find("\"ticks\":"), 13); };
      const std::string format = format_of(path);
      if (path.filename() == "plain.echoreplay") {
        // Lines after lines.
        BOOST_TEST(said.code == 0, said.err);
        BOOST_TEST(ticks_of(said.out) != ticks_of(one.out));
        continue;
      }
      if (said.code == 1) {
        // No longer recognised.
        BOOST_TEST((format == "rec" || format == "gamecache"), said.err);
        continue;
      }
      BOOST_TEST(said.code == 3, said.out << said.err);
      BOOST_TEST(ticks_of(said.out) == ticks_of(one.out), said.out << one.out);
      if (format != "gamecache") {
        BOOST_TEST(contains(said.out, "another " + format + " begins at offset " + place + ", with "),
                   said.out);
      }
      BOOST_TEST(one.code != 3, one.out);
    }
  }
}

// Every verb that reads the whole file reports the trailing bytes.
BOOST_AUTO_TEST_CASE(trailing_bytes_are_reported_by_every_verb) {
  const scratch_folder folder;
  const auto both = folder.path() / "both";
  int checked = 0;
  std::map<std::string, int> checked_verbs;
  for (const auto& path : fixtures(folder)) {
    const std::string format = format_of(path);
    if (format != "reel" && format != "butter" && format != "icrep" && format != "sc2replay" &&
        path.filename() != "zipped.echoreplay") {
      continue;
    }
    BOOST_TEST(!contains(run({"verify", path.string()}).out, "bytes after the end"), path);
    BOOST_TEST(contains(run({"info", path.string()}).out, "whole"), path);
    const byte_vector whole = read_file(path);
    // The same recording again, another recording, and bytes that are not a recording.
    for (const byte_vector& more : {whole, read_file(folder.path() / "match.butter"),
                                    read_file(folder.path() / "ints.reel"), byte_vector(7)}) {
      byte_vector bytes = whole;
      bytes.insert(bytes.end(), more.begin(), more.end());
      write_file(both, bytes);
      const std::string statement = std::to_string(more.size()) + " bytes after the end at offset " +
                                    std::to_string(whole.size()) + " are not part of this recording";
      BOOST_TEST_CONTEXT(path.filename().string() << " and " << more.size() << " bytes") {
        const outcome verified = run({"verify", both.string()});
        BOOST_TEST(verified.code == 1);
        BOOST_TEST(contains(verified.out, statement), verified.out);
        const outcome info = run({"info", both.string()});
        BOOST_TEST(info.code == 3);
        BOOST_TEST(contains(info.out, "damaged"), info.out);
        check_run({"cat", both.string()}, 3, {statement});
        for (const auto& [verb, others] : {std::pair<std::string, std::vector<std::string>>{"events", {}},
                                           {"stats", {}},
                                           {"report", {"-o", folder / "page.html", "--force"}}}) {
          const auto words_for = [&verb = verb, &others = others](const std::filesystem::path& file) {
            std::vector<std::string> words = {verb, file.string()};
            words.insert(words.end(), others.begin(), others.end());
            return words;
          };
          // Not every format has events and statistics.
          if (run(words_for(path)).code == 1) continue;
          check_run(words_for(both), 3, {statement});
          ++checked_verbs[verb];
        }
        const std::string to = format == "echoreplay" || format == "butter" ? "reel" : "ndjson";
        const outcome converted = run({"convert", both.string(), folder / "out", "--to", to, "--force"});
        if (converted.code != 1 && converted.code != 2) {
          BOOST_TEST(converted.code == 3);
          BOOST_TEST(converted.says(statement), converted.err);
          ++checked;
        }
        const std::string saved = folder / "saved" + path.extension().string();
        const outcome recovered = run({"recover", both.string(), "-o", saved, "--force"});
        // Frames of unknown kinds.
        if (path.filename() == "ints.reel") continue;
        BOOST_TEST(recovered.code == 3, recovered.err);
        BOOST_TEST(contains(recovered.out, "at offset " + std::to_string(whole.size())), recovered.out);
      }
    }
  }
  BOOST_TEST(checked > 8);
  for (const char* verb : {"events", "stats", "report"}) BOOST_TEST(checked_verbs[verb] > 8, verb);
}

// Verbs that keep the format: the copy ends with the recording.
BOOST_AUTO_TEST_CASE(copies_have_no_trailing_bytes) {
  const scratch_folder folder;
  const std::string key = folder / "relay.key";
  BOOST_REQUIRE(run({"keygen", key}).code == 0);
  const auto both = folder.path() / "both";
  std::map<std::string, std::set<std::string>> checked;  // the formats of each verb
  for (const auto& path : fixtures(folder)) {
    const std::string format = format_of(path);
    const std::string copy = folder / "copy" + path.extension().string();
    const byte_vector whole = read_file(path);
    for (const byte_vector& more : {whole, read_file(folder.path() / "match.butter"), byte_vector(500)}) {
      byte_vector bytes = whole;
      bytes.insert(bytes.end(), more.begin(), more.end());
      for (const char* verb : {"recover", "strip-voice", "recompress", "anonymise", "sign", "compact"}) {
        std::vector<std::string> words = {verb, both.string(), "-o", copy, "--force"};
        if (words[0] == "sign") words.insert(words.end(), {"--key", key, "--replace"});
        BOOST_TEST_CONTEXT(path.filename().string() << " and " << more.size() << " bytes: " << verb) {
          write_file(both, whole);
          std::filesystem::remove(copy);
          if (run(words).code == 1 || !std::filesystem::exists(copy)) continue;
          const std::string sound = run({"verify", copy}).out;
          write_file(both, bytes);
          const outcome said = run(words);
          if (said.code == 1) continue;  // no longer recognised
          checked[verb].insert(format);
          const outcome verified = run({"verify", copy});
          BOOST_TEST(!contains(verified.out, "after the end"), verified.out);
          if (format == "icrep") {
            BOOST_TEST(said.code == 3, said.err);
            BOOST_TEST(verified.out == sound);
          }
        }
      }
    }
  }
  BOOST_TEST(checked["recover"].size() >= 7u);
  for (const char* verb : {"strip-voice", "recompress", "anonymise"}) {
    BOOST_TEST(checked[verb].contains("icrep"), verb);
  }
}

#ifndef _WIN32

namespace {

// The program's exit code when its output is closed from the first byte on.
outcome run_for_nobody(const std::vector<std::string>& words) {
  const scratch_folder folder;
  constexpr int shells_can_name = 9;
  BOOST_REQUIRE(::fcntl(shells_can_name, F_GETFD) == -1);
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  BOOST_REQUIRE(::dup2(ends[1], shells_can_name) == shells_can_name);
  ::close(ends[0]);
  ::close(ends[1]);
  outcome said;
  said.code = run_line(program_line(words) + " < /dev/null >&9 2> " + shell_word(folder / "err"));
  ::close(shells_can_name);
  said.err = text_of_file(folder / "err");
  return said;
}

}  // namespace

// Every verb that prints something and ends by itself, except those that need a broker or a game.
BOOST_AUTO_TEST_CASE(a_closed_pipe_is_not_an_error) {
  const scratch_folder folder;
  const auto check = [](const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& each : words) line += each + ' ';
    const outcome heard = run(words);
    BOOST_TEST((heard.code == 0 || heard.code == 3), line << heard.err);
    BOOST_TEST(!heard.out.empty(), line);
    const outcome said = run_for_nobody(words);
    BOOST_TEST(said.code == heard.code,
               line << said.code << " instead of " << heard.code << ": " << said.err);
    BOOST_TEST(!said.says("standard output"), line << said.err);
  };
  const auto all = fixtures(folder);
  for (const auto& each : all) {
    const std::string path = each.string();
    for (const std::vector<std::string>& words : {std::vector<std::string>{"info"},
                                                  {"info", "--json"},
                                                  {"cat"},
                                                  {"seek", "--tick", "0"},
                                                  {"events"},
                                                  {"stats"},
                                                  {"stats", "--csv"},
                                                  {"stats", "--json"},
                                                  {"stats", "--html"},
                                                  {"verify"},
                                                  {"verify", "--json"},
                                                  {"diff", path}}) {
      std::vector<std::string> line = words;
      line.push_back(path);
      // An operation that the format does not support is an error, whether or not the output is read.
      if (run(line).code == 0) check(line);
    }
    const std::string out = folder / "out" + each.extension().string();
    check({"recover", path, "-o", out, "--force"});
    check({"recover", path, "-o", out, "--force", "--json"});
  }
  std::vector<std::string> many = {"stats"};
  for (const auto& each : all) {
    if (format_of(each) == "butter" || format_of(each) == "icrep") many.push_back(each.string());
  }
  check(many);
  many.front() = "info";
  check(many);
  many.front() = "verify";
  check(many);
  const std::string match = folder / "match.butter";
  const std::string walk = folder / "walk.rec";
  const std::string index = folder / "index";
  for (const std::string json : {"", "--json"}) {
    const auto check_both = [&](std::vector<std::string> words) {
      if (!json.empty()) words.push_back(json);
      check(words);
    };
    check_both({"convert", match, folder / "x.echoreplay", "--force"});
    check_both({"clip", match, "--from", "1s", "--to", "2s", "-o", folder / "x.butter", "--force"});
    check_both({"recompress", match, "-o", folder / "x.butter", "--codec", "zstd", "--force"});
    check_both({"anonymise", match, "-o", folder / "x.butter", "--force"});
    check_both({"derive", match, "-o", folder / "x.reel", "--force"});
    check_both({"keygen", folder / "key", "--force"});
    check_both({"library", "scan", "--db", index, folder.path().string()});
    check_both({"library", "find", "--db", index});
    check_both({"library", "stats", "--db", index});
    check_both({"npc", "check", walk});
    check_both({"npc", "plot", walk, "-o", folder / "x.svg", "--force"});
  }
  check({"library", "find", "--db", index, "--csv"});
  check({"library", "stats", "--db", index, "--csv"});
  check({"library", "find", "--db", index, "--sql", "SELECT * FROM games"});
  check({"report", match, "-o", folder / "x.html", "--force"});
  check({"--help"});
  check({"version"});
  for (const char* verb :
       {"record",  "serve",      "info",      "cat",         "seek",   "events",  "derive", "stats",
        "query",   "view",       "report",    "diff",        "verify", "recover", "clip",   "convert",
        "compact", "recompress", "anonymise", "strip-voice", "keygen", "sign",    "npc",    "library",
        "publish", "follow",     "relay",     "fleet",       "archive"}) {
    check({verb, "--help"});
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
