// An .echoreplay text in blocks. The first byte selects the size of the blocks.
#include <cstdlib>
#include <memory>
#include <string>

#include "tickreel/echoreplay/line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  if (size < 1) return 0;
  static echo::json_parser parser;
  static const auto out = std::make_unique<echo::state>();
  const std::size_t block_size = std::size_t{1} + data[0];
  std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  // A line of a match with bones fits.
  constexpr std::size_t max_line_bytes = 20'000;
  echoreplay::line_splitter splitter(max_line_bytes);
  const auto drain = [&] {
    while (const auto next = splitter.next()) {
      if (!*next) continue;
      if ((*next)->size() > max_line_bytes) std::abort();
      if (!echoreplay::parse_line(**next, parser, *out)) continue;
      std::string again;
      echoreplay::append_line(*out, again);
      again.resize(again.size() - 2);
      if (!echoreplay::parse_line(again, parser, *out)) std::abort();
    }
  };
  while (!rest.empty()) {
    const std::string block(rest.substr(0, block_size));
    rest.remove_prefix(block.size());
    if (!splitter.feed(block)) std::abort();
    drain();
  }
  splitter.finish();
  drain();
  return 0;
}
