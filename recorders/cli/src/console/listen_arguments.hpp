// Where a verb that serves pages to others listens.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "tickreel/net/own_page.hpp"
#include "tickreel/viewer/server.hpp"

namespace tickreel::cli {

struct listen_arguments {
  std::string address = viewer::server_options{}.address;
  std::vector<std::string> names;
};

inline void add_listen_address(command& app, const std::string& option, listen_arguments& arguments) {
  app.add_option(option, arguments.address,
                 "Address of this machine, as numbers; 0.0.0.0: all of them, so that others may ask (" +
                     arguments.address + ")")
      .check({.run =
                  [](const std::string& text) {
                    return net::is_address(text)
                               ? std::string()
                               : "an address as numbers, as 192.168.1.7 or 0.0.0.0, is wanted";
                  },
              .type = "ADDRESS",
              .value_name = "ADDRESS",
              .offers = completion::nothing});
}

inline void add_listen_options(command& app, listen_arguments& arguments) {
  add_listen_address(app, "--listen", arguments);
  app.add_option("--name", arguments.names,
                 "Name that it answers to besides localhost and addresses, as of a proxy in front of it")
      .check({.run =
                  [](const std::string& text) {
                    const bool is_name = !text.empty() && text.find_first_of("/:") == std::string::npos;
                    return is_name ? std::string() : "a host's name alone, as league.example, is wanted";
                  },
              .offers = completion::nothing})
      .one_each_time()
      .named("HOST");
}

// As a browser is told it.
inline std::string address_text(const listen_arguments& arguments, std::uint16_t port) {
  const bool has_colons = arguments.address.find(':') != std::string::npos;
  return "http://" + (has_colons ? '[' + arguments.address + ']' : arguments.address) + ':' +
         std::to_string(port) + '/';
}

}  // namespace tickreel::cli
