#include "tickreel/echo_vr/find_games.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <utility>

#ifndef _WIN32
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <bit>
#endif

namespace tickreel::echo_vr {
namespace {

namespace asio = boost::asio;

constexpr std::uint32_t widest_subnet_bits = 24;

struct network {
  std::uint32_t first;
  std::uint32_t bits;
};
// RFC 1918 and RFC 3927.
constexpr network private_networks[] = {
    {0x0A000000, 8}, {0xAC100000, 12}, {0xC0A80000, 16}, {0xA9FE0000, 16}};

constexpr std::uint32_t mask_of(std::uint32_t bits) noexcept {
  return bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
}

bool is_private(std::uint32_t address) noexcept {
  return std::any_of(std::begin(private_networks), std::end(private_networks),
                     [&](const network& one) { return (address & mask_of(one.bits)) == one.first; });
}

bool answers_as_the_game(target_state state) noexcept {
  return state == target_state::menu || state == target_state::lobby || state == target_state::api_disabled ||
         state == target_state::in_match;
}

// One poller per address, a few at a time.
class search {
 public:
  search(const std::vector<target>& places, const find_options& options)
      : places_(places), options_(options), states_(places.size(), target_state::connecting) {
    polls_.bones = false;
    polls_.connect_timeout_ms = options.connect_timeout_ms;
    polls_.answer_timeout_ms = options.answer_timeout_ms;
  }

  std::vector<found_game> run() {
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.at_once, 1); ++i) look_at_next();
    if (under_way_ != 0) loop_.run();
    probes_.clear();
    std::vector<found_game> found;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (answers_as_the_game(states_[i])) found.push_back({places_[i], states_[i]});
    }
    return found;
  }

 private:
  struct probe final : poll_listener {
    probe(search& to, std::size_t place) : of(to), number(place) {}
    double on_poll(const poll_outcome& outcome) override {
      polling->stop();
      of.states_[number] = outcome.state;
      of.loop_.post([&to = of, this] { to.ended(this); });
      return 0;
    }
    search& of;
    std::size_t number;
    std::optional<poller> polling;
  };

  void look_at_next() {
    if (next_ == places_.size() || given_up_) return;
    auto one = std::make_unique<probe>(*this, next_);
    one->polling.emplace(loop_, places_[next_], polls_, *one);
    one->polling->start();
    ++next_;
    ++under_way_;
    probes_.push_back(std::move(one));
  }

  void ended(const probe* which) {
    std::erase_if(probes_, [&](const auto& each) { return each.get() == which; });
    --under_way_;
    ++done_;
    if (options_.progress && !options_.progress(done_, places_.size())) given_up_ = true;
    look_at_next();
    if (under_way_ == 0 || given_up_) loop_.stop();
  }

  const std::vector<target>& places_;
  const find_options& options_;
  poll_options polls_;
  std::vector<target_state> states_;
  net::event_loop loop_;
  std::vector<std::unique_ptr<probe>> probes_;
  std::size_t next_ = 0;
  std::size_t under_way_ = 0;
  std::size_t done_ = 0;
  bool given_up_ = false;
};

}  // namespace

std::vector<own_address> own_addresses() {
  std::vector<own_address> found;
#ifdef _WIN32
  // The machine's own name resolves to all its addresses there.
  boost::system::error_code failed;
  asio::io_context context;
  asio::ip::tcp::resolver resolver(context);
  const std::string name = asio::ip::host_name(failed);
  if (failed) return found;
  for (const auto& each : resolver.resolve(asio::ip::tcp::v4(), name, "", failed)) {
    const asio::ip::address_v4 address = each.endpoint().address().to_v4();
    if (!address.is_loopback()) found.push_back({address.to_uint(), widest_subnet_bits});
  }
#else
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return found;
  const auto number = [](const sockaddr* from) {
    sockaddr_in address{};
    std::copy_n(reinterpret_cast<const unsigned char*>(from), sizeof address,
                reinterpret_cast<unsigned char*>(&address));
    return ntohl(address.sin_addr.s_addr);
  };
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    const bool usable =
        (each->ifa_flags & unsigned{IFF_UP}) != 0 && (each->ifa_flags & unsigned{IFF_LOOPBACK}) == 0;
    if (!usable || each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    const std::uint32_t mask =
        each->ifa_netmask == nullptr ? mask_of(widest_subnet_bits) : number(each->ifa_netmask);
    found.push_back({number(each->ifa_addr), static_cast<std::uint32_t>(std::countl_one(mask))});
  }
  ::freeifaddrs(all);
#endif
  return found;
}

std::vector<target> places_near(std::span<const own_address> own, std::uint16_t port) {
  std::vector<target> places;
  for (const own_address& each : own) {
    if (!is_private(each.address) || each.subnet_bits > 32) continue;
    const std::uint32_t mask = mask_of(std::max(each.subnet_bits, widest_subnet_bits));
    const std::uint32_t first = each.address & mask;
    const std::uint32_t count = ~mask + 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      // A subnet's first address is its name and its last one the broadcast address, unless it has only two.
      if (count > 2 && (i == 0 || i + 1 == count)) continue;
      const std::uint32_t address = first + i;
      const auto is_own = [&](const own_address& one) { return one.address == address; };
      if (std::any_of(own.begin(), own.end(), is_own)) continue;
      target place{asio::ip::address_v4(address).to_string(), port};
      if (std::find(places.begin(), places.end(), place) != places.end()) continue;
      if (places.size() == max_places_to_look) return places;
      places.push_back(std::move(place));
    }
  }
  return places;
}

std::vector<found_game> find_games(const std::vector<target>& places, const find_options& options) {
  return search(places, options).run();
}

}  // namespace tickreel::echo_vr
