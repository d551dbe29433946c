// Where a verb that serves pages to others listens.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

#include "tickreel/viewer/server.hpp"

namespace tickreel::cli {

struct listen_arguments {
  std::string address = viewer::server_options{}.address;
  std::vector<std::string> names;
};

inline void add_listen_options(CLI::App& app, listen_arguments& arguments) {
  app.add_option("--listen", arguments.address,
                 "Address of this machine, as numbers; 0.0.0.0: all of them, so that others may ask (" +
                     arguments.address + ")")
      ->check(CLI::Validator(
          [](std::string& text) {
            boost::system::error_code wrong;
            (void)boost::asio::ip::make_address(text, wrong);
            return wrong ? "an address as numbers, as 192.168.1.7 or 0.0.0.0, is wanted" : std::string();
          },
          "ADDRESS"));
  app.add_option("--name", arguments.names,
                 "Name that it answers to besides localhost and addresses, as of a proxy in front of it")
      ->check(CLI::Validator(
          [](std::string& text) {
            const bool is_name = !text.empty() && text.find_first_of("/:") == std::string::npos;
            return is_name ? std::string() : "a host's name alone, as league.example, is wanted";
          },
          ""))
      ->take_all()
      ->expected(1)
      ->type_name("HOST");
}

// As a browser is told it.
inline std::string address_text(const listen_arguments& arguments, std::uint16_t port) {
  const bool has_colons = arguments.address.find(':') != std::string::npos;
  return "http://" + (has_colons ? '[' + arguments.address + ']' : arguments.address) + ':' +
         std::to_string(port) + '/';
}

}  // namespace tickreel::cli
