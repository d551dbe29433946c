#include "metrics_page.hpp"

#include <utility>

#include "console.hpp"
#include "tickreel/text/metrics.hpp"

namespace tickreel::cli {

std::optional<metrics_page> metrics_page::start(std::uint16_t port, const listen_arguments& listen) {
  auto server = viewer::page_server::start(viewer::page{},
                                           {.port = port, .address = listen.address, .names = listen.names});
  if (!server) {
    (void)report_port(address_text(listen, port), server.error(), "--prometheus");
    return std::nullopt;
  }
  std::string address = address_text(listen, server->port()) + "metrics";
  return metrics_page(std::move(*server), std::move(address));
}

void metrics_page::show(std::string text) {
  server_.set_text("/metrics", text::metrics_content_type, std::move(text));
}

}  // namespace tickreel::cli
