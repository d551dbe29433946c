// The listening address of verbs that serve pages.
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
                 "Numeric address of this machine to listen on; 0.0.0.0: all of them, for other machines (" +
                     arguments.address + ")")
      .check({.run =
                  [](const std::string& text) {
                    return net::is_address(text) ? std::string()
                                                 : "not a numeric address such as 192.168.1.7 or 0.0.0.0";
                  },
              .type = "ADDRESS",
              .value_name = "ADDRESS",
              .offers = completion::nothing});
}

inline void add_host_names(command& app, std::vector<std::string>& names) {
  app.add_option("--name", names,
                 "Accepted host name besides localhost and addresses, such as that of a reverse proxy")
      .check({.run =
                  [](const std::string& text) {
                    const bool is_name = !text.empty() && text.find_first_of("/:") == std::string::npos;
                    return is_name ? std::string() : "not a host name such as league.example";
                  },
              .offers = completion::nothing})
      .one_each_time()
      .named("HOST");
}

inline void add_listen_options(command& app, listen_arguments& arguments) {
  add_listen_address(app, "--listen", arguments);
  add_host_names(app, arguments.names);
}

// The address in the form that a browser takes.
inline std::string address_text(const listen_arguments& arguments, std::uint16_t port) {
  return "http://" + net::host_text(arguments.address, port) + '/';
}

}  // namespace tickreel::cli
