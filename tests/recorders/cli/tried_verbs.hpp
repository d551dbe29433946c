// Every verb that reads a file, as bad_input_test.cpp tries it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tickreel::test {

enum class verb_class : std::uint8_t { reads, copies, pages, serves };
inline constexpr std::array<const char*, 4> verb_class_names = {"read", "copy", "page", "serve"};

// A verb that serves runs with a client: of the game, of the viewer's page, or of the page of a recording that grows.
enum class verb_client : std::uint8_t { none, game, page, growing_page };

struct tried_verb {
  std::string name;
  verb_class of = verb_class::reads;
  std::vector<std::string> words;  // INPUT, WHOLE, FOLDER, KEY and OUTPUT stand for paths
  std::string extension = {};      // of the output file; empty: none
  bool reads_all = true;           // what `cat` reports, it reports
  verb_client client = verb_client::none;
};

// The first two run on every damaged file: they judge the others.
inline constexpr std::size_t cat_verb = 0;
inline constexpr std::size_t verify_verb = 1;

[[nodiscard]] inline std::vector<tried_verb> every_tried_verb() {
  using enum verb_class;
  std::vector<tried_verb> all = {
      {"cat", reads, {"cat", "INPUT"}},
      {"verify", reads, {"verify", "INPUT"}},
      {"info", reads, {"info", "INPUT"}, "", false},
      {"info --json", reads, {"info", "--json", "INPUT"}, "", false},
      {"cat of a part", reads, {"cat", "INPUT", "--from", "tick:1"}, "", false},
      {"events", reads, {"events", "INPUT"}, "", false},
      {"seek", reads, {"seek", "--tick", "1", "INPUT"}, "", false},
      {"seek by time", reads, {"seek", "--time", "0.05", "INPUT"}, "", false},
      {"stats", reads, {"stats", "INPUT"}, "", false},
      {"diff", reads, {"diff", "INPUT", "WHOLE"}},
      {"query", reads, {"query", "SELECT count(*) FROM ticks", "INPUT"}},
      {"npc check", reads, {"npc", "check", "INPUT"}, "", false},
      {"library scan", reads, {"library", "scan", "FOLDER", "--db", "OUTPUT"}, ".db", false},
      {"clip", copies, {"clip", "INPUT", "--from", "tick:0", "-o", "OUTPUT"}, "="},
      {"clip of a part", copies, {"clip", "INPUT", "--from", "tick:1", "-o", "OUTPUT"}, "=", false},
      {"recover", copies, {"recover", "INPUT", "-o", "OUTPUT"}, "="},
      {"recompress", copies, {"recompress", "INPUT", "-o", "OUTPUT"}, "="},
      {"compact", copies, {"compact", "INPUT", "-o", "OUTPUT"}, "="},
      {"anonymise", copies, {"anonymise", "INPUT", "-o", "OUTPUT", "--salt", "x"}, "="},
      {"strip-voice", copies, {"strip-voice", "INPUT", "-o", "OUTPUT"}, "="},
      {"derive", copies, {"derive", "INPUT", "-o", "OUTPUT"}, ".reel"},
      {"sign", copies, {"sign", "INPUT", "--key", "KEY", "-o", "OUTPUT"}, "="},
      {"npc edit", copies, {"npc", "edit", "INPUT", "OUTPUT", "--repeat", "2"}, ".rec", false},
      {"npc plot", pages, {"npc", "plot", "INPUT", "-o", "OUTPUT"}, ".svg", false},
      {"report", pages, {"report", "INPUT", "-o", "OUTPUT"}, ".html", false},
      {"view --html", pages, {"view", "INPUT", "--html", "OUTPUT"}, ".html", false},
      {"the viewer's reader", pages, {}, "", false},
      {"serve",
       serves,
       {"serve", "INPUT", "--port", "0", "--speed", "1000", "--wait", "--stay"},
       "",
       true,
       verb_client::game},
      {"view", serves, {"view", "INPUT", "--no-open"}, "", true, verb_client::page},
      {"view --follow",
       serves,
       {"view", "INPUT", "--no-open", "--follow"},
       "",
       true,
       verb_client::growing_page},
  };
  for (const char* to : {".butter", ".echoreplay", ".reel", ".tape", ".nevrcap", ".icrep", ".rec", ".mcap",
                         ".ndjson", ".csv", ".json", ".parquet", ".arrow"}) {
    all.push_back({"convert to " + std::string(to), copies, {"convert", "INPUT", "OUTPUT"}, to});
  }
  return all;
}

}  // namespace tickreel::test
