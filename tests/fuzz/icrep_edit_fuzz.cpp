// Every edit of a hostile .icrep file results in a readable file.
#include <cstdlib>

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span file = std::as_bytes(std::span(data, size));
  const limits most = small_limits();
  if (const auto saved = recover_file({file, {}, {}, {}}, most)) must_open(saved->file);
  recompress_options compressing;
  compressing.most = most;
  if (const auto made = recompress_file(file, compressing)) must_open(*made);
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
