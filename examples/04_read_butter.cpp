// Reads a .butter file and prints every goal: 04_read_butter FILE
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <tickreel/butter/file.hpp>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "match.butter";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

  auto reader = tickreel::butter::reader::open(tickreel::as_bytes(text));
  if (!reader) return std::printf("%s: %s\n", path.c_str(), tickreel::describe(reader.error()).c_str()), 1;
  std::printf("%s on %s, %zu players\n", reader->head().session_id.c_str(), reader->head().map_name.c_str(),
              reader->head().players.size());

  auto state = std::make_unique<tickreel::echo::state>();
  float points = 0;
  std::size_t ticks = 0;
  for (;; ++ticks) {
    const auto more = reader->next(*state);
    if (!more) return std::printf("%s: %s\n", path.c_str(), tickreel::describe(more.error()).c_str()), 1;
    if (!*more) break;
    const auto& match = state->match;
    if (const float now = match.blue_points + match.orange_points; now > points) {
      points = now;
      std::printf("%s  %2.0f : %-2.0f  %s\n", match.game_clock_display.data, match.blue_points,
                  match.orange_points, std::string(match.last_score.person_scored.view()).c_str());
    }
  }
  std::printf("%zu ticks\n", ticks);
  return ticks > 0 ? 0 : 1;
}
