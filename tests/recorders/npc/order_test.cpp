// The same script and seed give the same recordings in every run: nothing depends on addresses in Lua.
#include <boost/test/unit_test.hpp>
#include <string>

#include "support.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(order_test)

namespace {

using tickreel::test::build_script;
using tickreel::test::error_of;

std::string printed_by(const std::string& text) {
  const auto made = tickreel::npc::run_script(text, "test.lua");
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()) << "\nin:\n" << text);
  return made->printed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(pairs_iterates_in_key_order) {
  BOOST_CHECK_EQUAL(printed_by(R"(
    local t = { zebra=1, apple=2, mango=3, [10]=4, [2.5]=5, [-1]=6, [true]=7, [false]=8, first=9, x=10, y=11, z=12,
                lamp=13, ["z\0a"]=14 }
    for key, value in pairs(t) do print((tostring(key):gsub("%z", "0")), value) end
    t = { 5, 6, 7, name="n" }
    for key, value in pairs(t) do print(key, value) end
    for key in next, { c=1, a=2, b=3 } do print(key) end
    print(next({ q=1, p=2 }), next({}))
  )"),
                    "false\t8\ntrue\t7\n-1\t6\n2.5\t5\n10\t4\napple\t2\nfirst\t9\nlamp\t13\nmango\t3\nx\t10\n"
                    "y\t11\nz\t12\nz0a\t14\nzebra\t1\n1\t5\n2\t6\n3\t7\nname\tn\na\nb\nc\np\tnil\n");
  BOOST_CHECK_EQUAL(printed_by(R"(
    local one = actor{ name="one", on_foot=true }
    local two = actor{ name="two", on_foot=true }
    local names = { [two]="two", [one]="one" }
    for who, name in pairs(names) do print(who, name) end
  )"),
                    "actor: 1\tone\nactor: 2\ttwo\n");
}

BOOST_AUTO_TEST_CASE(tables_may_change_during_pairs_and_metatables_are_used) {
  BOOST_CHECK_EQUAL(printed_by(R"(
    local t = { a=1, b=2, c=3, d=4 }
    for key in pairs(t) do t.b = nil t[key] = 0 print(key) end
    local other = setmetatable({}, { __pairs = function() return ipairs{ "x", "y" } end })
    for key, value in pairs(other) do print(key, value) end
  )"),
                    "a\nc\nd\n1\tx\n2\ty\n");
  BOOST_CHECK(error_of("local walk = pairs({}) walk(5)").find("table expected") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(keys_without_an_order_are_rejected) {
  for (const char* loop : {"for key in pairs(t) do end", "for key in next, t do end"}) {
    const std::string message = error_of(std::string("local t = {}\nt[{}] = 1\n") + loop);
    BOOST_CHECK_MESSAGE(message.starts_with("test.lua:3: ") && message.find("no order") != std::string::npos,
                        message);
  }
}

BOOST_AUTO_TEST_CASE(texts_contain_no_addresses) {
  BOOST_CHECK_EQUAL(printed_by(R"(
    local a, b = {}, {}
    print(b, a, tostring(b), print)
    print(string.format("%s %s %d%%", a, setmetatable({}, { __tostring = function() return "me" end }), 5))
    print(actor{ name="someone", on_foot=true })
  )"),
                    "table: 1\ttable: 2\ttable: 1\tfunction: 3\ntable: 2 me 5%\nactor: 1\n");
  for (const char* address : {"'%d %-5p', 3, {}", "'\\0%p', {}", "'%%\\0%s%20p', 'x', {}"}) {
    const std::string message = error_of(std::string("print(string.format(") + address + "))");
    BOOST_CHECK_MESSAGE(message.find("addresses") != std::string::npos, address << ": " << message);
  }
  BOOST_CHECK_EQUAL(printed_by("print(#string.format('\\0%d%%p\\0', 5))"), "5\n");
}

// Lua's own sort uses the clock to divide long lists, and is not stable.
BOOST_AUTO_TEST_CASE(sorting_is_stable) {
  BOOST_CHECK_EQUAL(printed_by(R"(
    local list = {}
    for i = 1, 3000 do list[i] = { key = i % 3, number = i } end
    table.sort(list, function(a, b) return a.key < b.key end)
    for i = 2, #list do
      local a, b = list[i - 1], list[i]
      assert(a.key < b.key or a.key == b.key and a.number < b.number)
    end
    local words = { "pear", "apple", "fig" }
    table.sort(words)
    print(table.concat(words, " "))
    table.sort(words, function(a, b) return a > b end)
    print(table.concat(words, " "))
  )"),
                    "apple fig pear\npear fig apple\n");
  BOOST_CHECK(error_of("table.sort({ 1, 'a' })").find("compare") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_script_over_a_table_builds_the_same_each_time) {
  const std::string text = R"(
    local posts = { gate={0,20,3}, pier={30,5,3}, roof={9,9,3}, shop={-20,4,3}, kiosk={1,-30,3}, bridge={40,40,3} }
    local guard = actor{ name="guard", on_foot=true, at={0,0,3} }
    for name, place in pairs(posts) do guard:walk_to(place):wait(random(1, 5)) end
  )";
  const auto once = build_script(text);
  for (int again = 0; again < 10; ++again) BOOST_CHECK(build_script(text)[0].on_foot == once[0].on_foot);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
