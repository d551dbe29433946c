// An .mcap file: its records, chunks and summary. The first byte selects whether the rest follows a valid beginning.
#include <cstdlib>
#include <string>

#include "tickreel/mcap/encoder.hpp"
#include "tickreel/mcap/reader.hpp"

namespace {

using namespace tickreel;

void read(std::string_view file) {
  const mcap::read_function memory = [file](std::uint64_t offset, std::size_t count) -> result<byte_span> {
    if (offset >= file.size()) return byte_span{};
    return as_bytes(file.substr(static_cast<std::size_t>(offset), count));
  };
  (void)mcap::find_end(memory, file.size());
  auto from =
      mcap::reader::open(memory, file.size(), {.max_record_bytes = 1u << 20, .max_channel_bytes = 1u << 18});
  if (!from) return;
  mcap::item found;
  (void)from->find_metadata("tickreel", found);
  std::uint64_t messages[2] = {0, 0};
  for (std::uint64_t& count : messages) {
    for (;;) {
      const auto more = from->next(found);
      if (!more) std::abort();
      if (!*more) break;
      if (found.kind != mcap::item_kind::message) continue;
      if (from->find_channel(found.message.channel) == nullptr) std::abort();
      ++count;
    }
    if (from->offset() > file.size()) std::abort();
    from->rewind();
  }
  if (messages[0] != messages[1]) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view rest = as_text(std::as_bytes(std::span(data + 1, size - 1)));
  if (data[0] % 2 == 0) {
    read(rest);
    return 0;
  }
  byte_vector begin;
  auto encoder = mcap::encoder::create({.codec = {.codec = codec_id::none}});
  if (!encoder) std::abort();
  encoder->begin("t", begin);
  const auto channel = encoder->add_channel({"/a", "A", "{}"});
  if (!channel || !encoder->add_message(*channel, 1, as_bytes("{}"), begin)) std::abort();
  // Without the end of a whole file: only its beginning and its first chunk.
  if (!encoder->add_metadata("m", {}, begin)) std::abort();
  read(std::string(as_text(begin)) + std::string(rest));
  return 0;
}
