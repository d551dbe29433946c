// Random bytes as data from a broker: names, headers, match status, addresses, and messages of a reel.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/reel/stored_record.hpp"

namespace {

// A message that was read is written to text that reads to the same message.
template <class Message, class Read>
void check_round_trip(const Message& read, const Read& from_json) {
  const std::string json = tickreel::fleet::to_json(read);
  const auto again = from_json(tickreel::as_bytes(json));
  if (!again || tickreel::fleet::to_json(*again) != json) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  const byte_span bytes = std::as_bytes(std::span(data, size));
  const std::string_view text = as_text(bytes);
  if (const auto name = fleet::from_token(text)) {
    const auto token = fleet::to_token(*name);
    if (!token || *token != text) std::abort();
  }
  (void)fleet::match_of_subject(text);
  if (const auto url = fleet::read_nats_url(text)) {
    const auto again = fleet::read_nats_url(fleet::to_text(*url));
    if (!again || again->servers != url->servers || again->league != url->league ||
        again->match != url->match) {
      std::abort();
    }
  }
  if (const auto status = fleet::read_status(bytes)) {
    check_round_trip(*status, fleet::read_status);
    (void)fleet::to_prometheus({{.reported = *status}}, 0);
  }
  if (const auto work = fleet::read_work(bytes)) check_round_trip(*work, fleet::read_work);
  if (const auto archived = fleet::read_archived(bytes)) check_round_trip(*archived, fleet::read_archived);
  // Lines are values of headers, in the order of the requests.
  std::string_view left = text;
  const auto head = fleet::read_fields([&](const char*) {
    const auto end = left.find('\n');
    const std::string_view value = left.substr(0, end);
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    return value;
  });
  if (head && (head->parts == 0 || head->part >= head->parts)) std::abort();
  if (!bytes.empty()) {
    const std::size_t header = std::min<std::size_t>(bytes.size() - 1, static_cast<std::size_t>(data[0]) * 4);
    const auto check = reel::record_check::create(bytes.subspan(1, header));
    if (check) (void)check->whole(bytes.subspan(1 + header));
  }
  return 0;
}
