// Every edit of a hostile .icrep file results in a readable file, and compression changes no content.
#include <cstdlib>
#include <optional>
#include <tuple>
#include <vector>

#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/recover.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::icrep;

limits small_limits() {
  limits most;
  most.snapshot_bytes = 1u << 20;
  most.block_bytes = 1u << 18;
  return most;
}

void must_open(const byte_vector& file) {
  reader_options options;
  options.most = small_limits();
  if (!reader::open(file, options)) std::abort();
}

using sealed_item = std::tuple<content_stream, std::uint64_t, digest>;

// Nothing if a block is damaged, or has bytes that readers skip.
std::optional<std::vector<sealed_item>> items_of(byte_span file) {
  reader_options options;
  options.most = small_limits();
  const auto opened = reader::open(file, options);
  if (!opened) return std::nullopt;
  std::vector<sealed_item> items;
  const auto all = opened->sealed_items([&](content_stream stream, std::uint64_t tick, const digest& item) {
    items.emplace_back(stream, tick, item);
  });
  if (!all) return std::nullopt;
  return items;
}

void recompress(byte_span file) {
  recompress_options options;
  options.most = small_limits();
  const auto made = recompress_file(file, options);
  if (!made) return;
  must_open(*made);
  const auto before = items_of(file);
  if (before && items_of(*made) != before) std::abort();
  const auto again = recompress_file(*made, options);
  if (!again || *again != *made) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span file = std::as_bytes(std::span(data, size));
  const limits most = small_limits();
  if (const auto saved = recover_file({file, {}, {}, {}}, most)) must_open(saved->file);
  recompress(file);
  anonymise_options renaming;
  renaming.most = most;
  renaming.texts = {{text_value::list::components, 0, 0, 12}};
  if (const auto made = anonymise_file(file, renaming)) must_open(made->file);
  constexpr std::array<std::byte, 32> key{};
  sign_options signing;
  signing.most = most;
  signing.replace = true;
  if (const auto made = sign_file(file, key, signing)) {
    reader_options options;
    options.most = most;
    const auto opened = reader::open(made->file, options);
    if (!opened || opened->verify_signatures().state == signature_state::tampered) std::abort();
  }
  if (const auto made = strip_voice(file, most)) must_open(made->file);
  return 0;
}
