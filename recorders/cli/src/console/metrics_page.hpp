// A metrics server for Prometheus, at /metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "listen_arguments.hpp"

namespace tickreel::cli {

class metrics_page {
 public:
  // No result, and a report, if it cannot listen. Port 0: any free port.
  static std::optional<metrics_page> start(std::uint16_t port, const listen_arguments& listen);

  void show(std::string text);
  // "http://127.0.0.1:9100/metrics"
  [[nodiscard]] const std::string& address() const noexcept { return address_; }

 private:
  metrics_page(viewer::page_server server, std::string address)
      : server_(std::move(server)), address_(std::move(address)) {}

  viewer::page_server server_;
  std::string address_;
};

}  // namespace tickreel::cli
