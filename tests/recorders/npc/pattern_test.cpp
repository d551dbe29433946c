// Patterns of scripts: the same results as Lua's own matcher, and no exponential search.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <lua.hpp>
#include <memory>

#include "random.hpp"
#include "support.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(pattern_test)

namespace {

using namespace tickreel;

// By the standard library.
std::string lua_answer(const std::string& chunk) {
  const std::unique_ptr<lua_State, decltype(&lua_close)> state(luaL_newstate(), lua_close);
  luaL_openlibs(state.get());
  BOOST_REQUIRE_EQUAL(luaL_loadbuffer(state.get(), chunk.data(), chunk.size(), "@test.lua"), LUA_OK);
  BOOST_REQUIRE_MESSAGE(lua_pcall(state.get(), 0, 1, 0) == LUA_OK, lua_tostring(state.get(), -1));
  std::size_t bytes = 0;
  const char* text = lua_tolstring(state.get(), -1, &bytes);
  return {text, bytes};
}

std::string script_answer(const std::string& chunk) {
  const auto made = npc::run_script("print((function() " + chunk + "\nend)())", "test.lua");
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()));
  return made->printed.substr(0, made->printed.size() - 1);
}

std::string lua_literal(const std::string& text) {
  std::string out = "\"";
  for (const char each : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\%03d", static_cast<unsigned char>(each));
    out += escaped;
  }
  return out + '"';
}

std::string any_of(std::mt19937_64& random, std::initializer_list<const char*> tokens, std::size_t most) {
  std::string out;
  for (std::size_t left = random() % (most + 1); left > 0; --left)
    out += tokens.begin()[random() % tokens.size()];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_pattern_equals_luas_own_matcher) {
  auto random = test::seeded_random("patterns");
  for (int round = 0; round < 40; ++round) {
    // Results as text, including errors: their messages are Lua's.
    std::string chunk = R"(
local out = {}
local function put(...)
  local all = table.pack(...)
  for i = 1, all.n do all[i] = tostring(all[i]):gsub('^.-:%d+: ', '') end
  out[#out + 1] = table.concat(all, '|')
end
local function try(text, pattern, with, start, most)
  put(pcall(string.find, text, pattern, start))
  put(pcall(string.match, text, pattern, start))
  put(pcall(string.gsub, text, pattern, with, most))
  put(pcall(string.gsub, text, pattern, { a='1', [2]='x', b=false }))
  put(pcall(string.gsub, text, pattern, function(a, b) if a ~= '' then return b end end))
  put(pcall(function()
    local all = {}
    for a, b in text:gmatch(pattern, start) do all[#all + 1] = tostring(a) .. ',' .. tostring(b) end
    return table.concat(all, ';')
  end))
end
)";
    for (int i = 0; i < 50; ++i) {
      const std::string text =
          any_of(random, {"a", "b", " ", "(", ")", "1", "\n", "_", "\x7f", "\xe4", "aa"}, 14);
      std::string pattern =
          any_of(random, {"a", "b", ".",  "%s", "%S", "%a", "%d", "%w",   "[ab]",   "[^a]", "[a-b1]", "[%s)]",
                          "(", ")", "()", "*",  "+",  "-",  "?",  "%b()", "%f[%w]", "%1",   "%2",     "%",
                          "[", "]", "$",  "^",  "%g", "%x", "%p", "%c",   "%u",     "%l",   "%z",     "\xe4"},
                 8);
      if (random() % 4 == 0) pattern.insert(0, "^");
      const std::string with = any_of(random, {"x", "%0", "%1", "%%", "%2", "%a"}, 3);
      chunk += "try(" + lua_literal(text) + ", " + lua_literal(pattern) + ", " + lua_literal(with) + ", " +
               std::to_string(static_cast<int>(random() % 20) - 6) + ", " +
               (random() % 2 == 0 ? "nil" : std::to_string(random() % 4)) + ")\n";
    }
    chunk += "return table.concat(out, '\\n')";
    const std::string expected = lua_answer(chunk), found = script_answer(chunk);
    if (expected == found) continue;
    const auto differs = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    const auto line = std::count(expected.begin(), differs.first, '\n') / 6;
    BOOST_ERROR("case " << line << ":\n" << expected << "\n\nbut\n\n" << found << "\n\nof\n\n" << chunk);
    return;
  }
}

BOOST_AUTO_TEST_CASE(usual_patterns_search_long_texts) {
  const auto made = npc::run_script(R"(
    local line = (' '):rep(400) .. ('word '):rep(2000) .. (' '):rep(400)
    print(#line:match('^%s*(.-)%s*$'), #(line:gsub('^%s+', ''):gsub('%s+$', '')))
    local words = 0
    for word in line:gmatch('%S+') do words = words + 1 end
    print(words, (('key = value; '):rep(1000):gsub('(%w+)%s*=%s*(%w+)', '%2=%1')):sub(1, 9))
    local csv = ('12.5,"a b",,x\n'):rep(500)
    local cells = 0
    for row in csv:gmatch('(.-)\r?\n') do for cell in (row .. ','):gmatch('([^,]*),') do cells = cells + 1 end end
    print(cells)
  )",
                                    "test.lua");
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()));
  BOOST_TEST(made->printed == "9999\t9999\n2000\tvalue=key\n2000\n");
}

BOOST_AUTO_TEST_CASE(an_endless_search_stops) {
  npc::script_options tight;
  tight.limits.instructions = 3'000'000;
  for (const char* attack :
       {"('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))", "('a'):rep(5000):match('.-.-.-.-b')",
        "('a'):rep(5000):gsub('(a*)(a*)(a*)b', '')", "for _ in ('a'):rep(9000):gmatch('.-.-.-x') do end",
        "('a'):rep(100000):find('[' .. ('b'):rep(100000) .. ']')", "('('):rep(100000):gsub('%b()', '')",
        "('a'):rep(20000):find('(a*)%1b')",
        "local s = ('a'):rep(4000) while true do pcall(string.match, s, '.-.-.-b') end",
        "('a'):rep(4000):gsub('.-', function() return (('a'):rep(4000):match('.-.-b')) end)"}) {
    const std::string message = test::error_of(attack, tight);
    BOOST_CHECK_MESSAGE(message.find("too many steps") != std::string::npos, attack << "\n  -> " << message);
    BOOST_CHECK_MESSAGE(message.find("test.lua:1") != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
