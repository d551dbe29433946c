// Makes structs with BOOST_DESCRIBE_STRUCT described: their public members, bases first. Include it where
// such a struct is used as a component. Only this header needs Boost.Describe and Boost.Mp11.
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
