// Structs that BOOST_DESCRIBE_STRUCT names are described here too: their public members, bases first. Include
// this where such a struct is used as a component; it needs Boost.Describe and Boost.Mp11, nothing else does.
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include "tickreel/describe/describe.hpp"

namespace tickreel {

template <class T>
requires(boost::describe::has_describe_members<T>::value && std::is_class_v<T>)
struct described_as<T> {
 private:
  using members =
      boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;
  template <class... Member>
  static constexpr auto collect(boost::mp11::mp_list<Member...>) noexcept {
    return std::tuple(described_field{std::string_view(Member::name), Member::pointer}...);
  }

 public:
  static constexpr auto fields = collect(boost::mp11::mp_rename<members, boost::mp11::mp_list>{});
};

}  // namespace tickreel
