// Runs verbs that serve a recording in this process, with a client: the game's, or the viewer's page.
#pragma once

#include <signal.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lines.hpp"
#include "printed_ticks.hpp"
#include "run_in_child.hpp"
#include "served_page.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::test {

// What a client got: exit codes of verbs, and `wrong_answer`.
inline constexpr int wrong_answer = 4;
struct client_outcome {
  int code = 0;
  std::string said = {};  // losses that the page shows, or why
};

inline client_outcome wrong(const std::string& target, const http_answer& answer) {
  return {wrong_answer, target + " is answered with " + std::to_string(answer.status) + ", " +
                            std::to_string(answer.body.size()) + " bytes: " + answer.body.substr(0, 200)};
}

// 0 if the verb ends before it serves.
inline std::uint16_t wait_for_port(const std::string& log, const std::atomic<bool>& has_ended) {
  constexpr std::string_view before = "http://127.0.0.1:";
  while (!has_ended) {
    const std::string said = text_of_file(log);
    if (const std::size_t at = said.find(before); at != std::string::npos && said.ends_with('\n'))
      return static_cast<std::uint16_t>(std::stoi(said.substr(at + before.size())));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return 0;
}

// `log` is the standard output of this process. The verb gets SIGTERM when the client has finished.
inline int run_with_client(const std::vector<std::string>& words, const std::string& log,
                           const std::function<client_outcome(std::uint16_t port)>& client) {
  std::atomic<bool> has_ended = false;
  client_outcome got;
  std::thread asking([&] {
    const std::uint16_t port = wait_for_port(log, has_ended);
    if (port == 0) return;
    try {
      got = client(port);
    } catch (const std::exception& failed) {
      got = {wrong_answer, failed.what()};
    }
    if (!has_ended) ::kill(::getpid(), SIGTERM);
  });
  const int code = run_verb(words);
  // The verb may have ended by itself.
  (void)::signal(SIGTERM, SIG_IGN);
  has_ended = true;
  asking.join();
  if (code != 0 && got.code != wrong_answer) return code;
  std::fputs(got.said.c_str(), stderr);
  return got.code;
}

// Sends requests until the recording has ended and the game is in its menu. Ticks follow each other faster than requests.
inline client_outcome ask_as_client_of_game(std::uint16_t port) {
  for (bool in_match = true; in_match;) {
    for (const char* target : {"/session", "/player_bones"}) {
      const http_answer answer = ask(port, target);
      const bool is_refused = answer.status == 500 && contains(answer.body, "\"err_code\"");
      const bool is_data = answer.status == 200 && !answer.body.empty();
      in_match = answer.status != 404;
      if (in_match && !((is_refused || is_data) && text::is_json(answer.body))) return wrong(target, answer);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const http_answer other = ask(port, "/nothing");
  return other.status == 404 ? client_outcome{} : wrong("/nothing", other);
}

// The strings of the array `key` of an answer, one a line.
inline std::string texts_in(const std::string& answer, std::string_view key) {
  simdjson::dom::parser parser;
  simdjson::dom::element all;
  std::string out;
  if (parser.parse(answer).get(all) != simdjson::SUCCESS) return out;
  simdjson::dom::element info;
  if (all["info"].get(info) == simdjson::SUCCESS) all = info;
  simdjson::dom::array texts;
  if (all[key].get(texts) != simdjson::SUCCESS) return out;
  for (const simdjson::dom::element each : texts) out += std::string(std::string_view(each)) + '\n';
  return out;
}

// What the page requests from its reader; the losses are those that its panel lists. `opened`: what the reader answered when the
// recording was opened, or continued.
inline client_outcome show(viewer::reader& reader, const std::string& opened) {
  if (!opened.starts_with("{\"ok\":true")) {
    if (!contains(opened, "\"message\":\"")) return {wrong_answer, "no reason: " + opened};
    return {1, opened + '\n'};
  }
  client_outcome got{0, texts_in(opened, "left_out")};
  for (std::uint64_t next = 0;;) {
    const std::string& text = reader.range(next, 1000);
    if (text.empty()) break;
    if (text.starts_with("{\"error\"")) {
      got.said += text + '\n';
      break;
    }
    next = number_after(lines_of(text).back(), "{\"tick\":") + 1;
  }
  const std::string overview = reader.overview(1000);
  got.said += texts_in(overview, "losses");
  if (overview.starts_with("{\"error\"")) got.said += overview + '\n';
  for (const std::string& answer : {overview, reader.events(), reader.summary(), (reader.verify)(),
                                    reader.fields(), reader.positions(100)}) {
    for (const std::string& line : lines_of(answer)) {
      if (!text::is_json(line)) return {wrong_answer, "no JSON: " + line};
    }
  }
  if (!got.said.empty()) got.code = 3;
  return got;
}

// The address of the recording that the page shows; empty: the list is wrong.
inline std::string address_of_recording(std::uint16_t port) {
  const http_answer list = ask(port, "/recording.json");
  constexpr std::string_view key = "\"address\":\"";
  const std::size_t at = list.body.find(key);
  if (list.status != 200 || !text::is_json(list.body) || at == std::string::npos) return {};
  const std::size_t begin = at + key.size();
  return '/' + list.body.substr(begin, list.body.find('"', begin) - begin);
}

inline client_outcome ask_as_page(std::uint16_t port, byte_span recording) {
  const std::string address = address_of_recording(port);
  if (address.empty()) return {wrong_answer, "no list of recordings"};
  const http_answer all = ask(port, address);
  if (all.status != 200 || all.body != as_text(recording)) return wrong(address, all);
  const std::size_t middle = recording.size() / 2;
  const http_answer rest = ask(port, address, "Range: bytes=" + std::to_string(middle) + "-\r\n");
  if (rest.status != 206 || rest.body != as_text(recording.subspan(middle))) return wrong("the rest", rest);
  const http_answer after = ask(port, address, "Range: bytes=" + std::to_string(recording.size()) + "-\r\n");
  if (after.status != 416) return wrong("after the end", after);
  viewer::reader reader;
  std::byte* const place = reader.room(recording.size());
  if (place == nullptr) return {1, "no memory\n"};
  std::ranges::copy(as_bytes(all.body), place);
  const std::string opened = reader.open();
  return show(reader, opened);
}

// The file grows in parts, and the page requests what is new.
inline constexpr std::size_t growing_parts = 3;
inline byte_span grown(byte_span recording, std::size_t part) {
  return recording.first(recording.size() * part / growing_parts);
}

inline client_outcome ask_as_growing_page(std::uint16_t port, const std::string& file, byte_span recording) {
  const std::string address = address_of_recording(port);
  if (address.empty()) return {wrong_answer, "no list of recordings"};
  viewer::reader reader;
  reader.set_live(true);
  bool is_open = false;
  std::string opened;
  std::string have;
  for (std::size_t part = 1; part <= growing_parts; ++part) {
    const byte_span added = grown(recording, part).subspan(have.size());
    if (part > 1) std::ofstream(file, std::ios::app | std::ios::binary) << as_text(added);
    const http_answer more = ask(port, address, "Range: bytes=" + std::to_string(have.size()) + "-\r\n");
    if (more.status == 416 && added.empty()) continue;
    if (more.status != 206 || more.body != as_text(added)) return wrong("part " + std::to_string(part), more);
    std::byte* const place = is_open ? reader.append(added.size()) : reader.room(have.size() + added.size());
    have += more.body;
    if (place == nullptr) return {1, "no memory\n"};
    std::ranges::copy(as_bytes(is_open ? more.body : have), place);
    opened = is_open ? reader.extend() : reader.open();
    is_open = opened.starts_with("{\"ok\":true");
  }
  if (is_open) opened = reader.about();
  return show(reader, opened);
}

}  // namespace tickreel::test
