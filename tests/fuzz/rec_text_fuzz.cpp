// Random text as the CSV or NDJSON of a .rec: reading ends and produces complete blocks.
#include <array>
#include <cstdlib>

#include "../../recorders/files/src/samp_rec/rec_text_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  using namespace tickreel::files;
  const byte_span text = std::as_bytes(std::span(data, size));
  for (const rec_text_form form : {rec_text_form::csv, rec_text_form::ndjson}) {
    const auto reader = rec_text_reader::from_memory(text, form);
    for (;;) {
      std::array<std::byte, 75> room;
      byte_writer block(room);
      const auto more = reader->next(block);
      if (!more || !*more) break;
      if (!block.ok() || !reader->layout() || block.size() != samp_rec::block_bytes(*reader->layout()))
        std::abort();
    }
    if (reader->tail().size() > 75) std::abort();
  }
  return 0;
}
