// Random bytes as a .butter file, read without and with repairs, and recovered.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "tickreel/butter/file.hpp"
#include "tickreel/butter/recover.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  static const auto state = std::make_unique<echo::state>();
  for (const bool repair : {false, true}) {
    const butter::reader_options options{.limits = {.max_chunks = 1u << 12, .max_chunk_bytes = 1u << 20},
                                         .repair = repair};
    auto reader = butter::reader::open(std::as_bytes(std::span(data, size)), options);
    if (!reader) return 0;
    while (true) {
      const auto more = reader->next(*state);
      if (!more || !*more) break;
      if (state->match.player_count > echo::max_players || state->bone_player_count > echo::max_players) {
        std::abort();
      }
    }
    if (reader->chunk_count() > 1 && reader->seek_chunk(1)) (void)reader->next(*state);
  }
  auto saved = butter::recovery_reader::open(std::as_bytes(std::span(data, size)),
                                             {.max_chunks = 1u << 12, .max_chunk_bytes = 1u << 20});
  if (!saved) return 0;
  if (saved->another_begins_at() && *saved->another_begins_at() >= size) std::abort();
  butter::recovered_chunk chunk;
  while (saved->next(chunk)) {}
  return 0;
}
