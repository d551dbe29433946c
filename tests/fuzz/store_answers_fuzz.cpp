// Random bytes as a store's response, as an index object, and as a file of credentials: the result can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "s3/answers.hpp"
#include "s3/signature.hpp"
#include "tickreel/store/index_object.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span bytes = std::as_bytes(std::span(data, size));
  const std::string_view text = as_text(bytes);
  if (const auto page = store::parse_list(text)) {
    for (const store::object& each : page->objects) {
      if (each.key.empty()) std::abort();
    }
  }
  (void)store::parse_uploads(text);
  (void)store::refusal_of(400, store::element(text, "Code").value_or(""));
  if (store::percent_decoded(store::uri_encoded(text, true)) != text) std::abort();
  const auto element = store::element("<a>" + store::xml_escaped(text) + "</a>", "a");
  if (!element || *element != text) std::abort();
  if (const auto index = store::read_index(bytes)) {
    const std::string json = store::to_json(*index);
    const auto again = store::read_index(as_bytes(json));
    if (!again || store::to_json(*again) != json) std::abort();
  }
  return 0;
}
