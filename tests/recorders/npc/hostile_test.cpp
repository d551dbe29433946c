// Malicious scripts end with an error, within their limits.
#include <boost/test/unit_test.hpp>

#include "support.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(hostile_test)

namespace {

using tickreel::test::error_of;

// Small, so that the whole test is short.
tickreel::npc::script_options tight() {
  tickreel::npc::script_options options;
  options.limits.memory_bytes = 8u << 20;
  options.limits.allocated_bytes = 256u << 20;
  options.limits.instructions = 3'000'000;
  options.limits.recorded_blocks = 20'000;
  options.limits.saved = 100;
  options.limits.saved_blocks = 5'050;
  return options;
}

struct attack {
  const char* script;
  const char* says;
};

}  // namespace

BOOST_AUTO_TEST_CASE(hostile_scripts_end) {
  const attack attacks[] = {
      // Time.
      {"while true do end", "endless loop"},
      {"while true do pcall(function() while true do end end) end", "endless loop"},
      {"local function f() return pcall(f) end while true do f() end", "endless loop"},
      {"while true do xpcall(error, function() while true do end end) end", "global 'xpcall'"},
      {"local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
       "endless loop"},
      {"while true do pcall(error, setmetatable({}, { __tostring = function() while true do end end })) end",
       "endless loop"},
      {"local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) print(t[1])",
       "overflow"},
      {"goto a ::a:: goto a", "endless loop"},
      {"string.rep('a', 30):find(('a?'):rep(30) .. ('a'):rep(30))", "too many steps"},
      {"local s = ('a'):rep(5000) s:match('.-.-.-.-b')", "too many steps"},
      {"local s = ('a'):rep(5000) s:gsub('(a*)(a*)(a*)b', '')", "too many steps"},
      {"for _ in (('a'):rep(9000)):gmatch('.-.-.-x') do end", "too many steps"},
      {"local s = ('a'):rep(100000) while true do s:find(('a'):rep(50000) .. 'b', 1, true) end",
       "too many steps"},
      {"table.move({}, 1, math.maxinteger - 1, 2)", "too many steps"},
      {"local t = {} for i = 1, 30000 do t[i] = i end while true do table.insert(t, 1, 0) end",
       "too many steps"},
      {"table.concat(setmetatable({}, { __len = function() return 1e15 end }))", "__len"},
      {"table.insert(setmetatable({}, { __len = function() return 1e15 end }), 1, 1)", "__len"},
      {"table.concat({}, '', 1, math.maxinteger)", "too many steps"},
      {"table.sort({3, 2, 1}, function() while true do end end)", "endless loop"},
      // Memory.
      {"local t = {} while true do t[#t + 1] = {} end", "memory"},
      {"local s = 'x' while true do s = s .. s end", "memory"},
      {"local s = ('x'):rep(1e10)", "too many steps"},
      {"local s = ('x'):rep(1e6) while true do local u = s .. 'y' end", "memory"},
      {"while true do pcall(string.rep, 'x', 7e6) end", ""},
      {"local t = {} for i = 1, 1e9 do t[i] = i end", "memory"},
      {"return table.unpack({}, 1, 1e6)", "too many results"},
      {"print(('x'):rep(2e6))", "prints too much"},
      {"while true do print('spam') end", "prints too much"},
      // Depth.
      {"local function f() return 1 + f() end f()", "memory"},
      {"local function f() return (f()) end f()", "memory"},
      {"local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring tostring(t)", "overflow"},
      // Escapes from the sandbox.
      {"io.open('/etc/passwd')", "global 'io'"},
      {"os.execute('true')", "global 'os'"},
      {"require('os')", "global 'require'"},
      {"load('return 1')()", "global 'load'"},
      {"loadstring('return 1')()", "global 'loadstring'"},
      {"dofile('x')", "global 'dofile'"},
      {"debug.sethook()", "global 'debug'"},
      {"collectgarbage('stop')", "global 'collectgarbage'"},
      {"coroutine.wrap(print)()", "global 'coroutine'"},
      {"string.dump(print)", "field 'dump'"},
      {"setmetatable({}, { __gc = function() while true do end end })", "__gc"},
      {"package.loadlib('x', 'y')", "global 'package'"},
      {"getmetatable(actor{ name='a', on_foot=true }).__index = nil", "index a string value"},
      {"setmetatable(actor{ name='a', on_foot=true }, {})", "table expected"},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } a.walk_to({}, 1, 2)", "expects an actor"},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } local e = a:arrives() a.walk_to(e, 1, 2)",
       "expects an actor"},
      // Huge parts.
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } while true do a:walk_to(random(100), "
       "random(100)) end",
       ""},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } for i = 1, 1e7 do a:wait(0) end", ""},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } a:wait(1e12)", "a wait lasts"},
      {"local a = actor{ name='a', vehicle='car' } a:loop({{0,0,0},{0,9,0},{9,9,0}}, { laps=1e9 })", "laps"},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} } a:arc(1, 0, 1e9)", "1000 rounds"},
      {"for i = 1, 1e6 do actor{ name='a' .. i, on_foot=true } end", ""},
      {"local p = {} for i = 1, 250000 do p[i] = 1 end actor{ name='a', on_foot=true, at={0,0,0} }:along(p)",
       "expects a point"},
      {"actor{ name='a', vehicle='car', at={0,0,0} }:ground(function() while true do end end)",
       "endless loop"},
      {"local r = recordings.old while true do r = r:join(r) end", ""},
      {"recordings.old:repeated(10000)", ""},
      {"recordings.old:resampled(1)", "from 5"},
      // Longer than the largest time of a block, which the blocks would get.
      {"recordings.old:lasting(4e6)", "lasting() would make a recording of more than 48 hours"},
      {"recordings.old:lasting(172800):retimed(100)",
       "retimed() would make a recording of more than 48 hours"},
      {"recordings.old:lasting(172800):repeated(2)",
       "repeated() would make a recording of more than 48 hours"},
      {"local r = recordings.old:lasting(172800) r:join(r)", "join() would make a recording of more than 48"},
      {"save(recordings.old, '/etc/passwd')", "name"},
      // Disk.
      {"for i = 1, 100000 do\nsave(recordings.old, 'q' .. i)\nend",
       "test.lua:2: save() makes what the script saves longer than 5050 blocks"},
      {"for i = 1, 100000 do\nsave(recordings.old:cut(0, 0.1), 'q' .. i)\nend",
       "test.lua:2: save() would be recording 101 that is saved; a script saves at most 100"},
      // Invalid values.
      {"error()", "nil"},
      {"error({})", "table"},
      {"error(setmetatable({}, { __tostring = function() while true do end end }))", "table"},
      {"\x1bLua", "binary chunk"},
      {"\x1bLuaT\x19\x93", "binary chunk"},
  };
  auto options = tight();
  auto old = std::make_shared<tickreel::npc::recorded>();
  old->kind = tickreel::samp_rec::recording_kind::on_foot;
  for (std::uint32_t i = 0; i < 100; ++i) {
    tickreel::samp_rec::on_foot_block block;
    block.time_ms = 50 * i;
    old->on_foot.push_back(block);
  }
  options.recordings = {{"old", old}};
  for (const attack& each : attacks) {
    const std::string message = error_of(each.script, options);
    BOOST_CHECK_MESSAGE(!message.empty() && message.find(each.says) != std::string::npos,
                        each.script << "\n  -> " << message);
    BOOST_CHECK_MESSAGE(message.find("test.lua") != std::string::npos, each.script << "\n  -> " << message);
  }
}

// Stored outside of Lua's memory.
BOOST_AUTO_TEST_CASE(heights_have_a_total_limit) {
  const std::string grids = R"(
    local row = {} for i = 1, 1000 do row[i] = i end
    local rows = {} for i = 1, 1000 do rows[i] = row end
    for i = 1, 4 do heights{ x=0, y=0, step=1, rows=rows } end
  )";
  BOOST_CHECK(tickreel::npc::run_script(grids, "test.lua"));
  for (const char* more :
       {"heights{ x=0, y=0, step=1, rows={ {1, 2}, {3, 4} } }",
        "pcall(heights, { x=0, y=0, step=1, rows=rows }) heights{ step=1, rows={{1,2},{3,4}} }"}) {
    const std::string message = error_of(grids + more);
    BOOST_CHECK_MESSAGE(message.find("at most 4000000 heights in all") != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(data_beyond_the_limits_are_not_saved_when_the_error_is_caught) {
  auto options = tight();
  auto old = std::make_shared<tickreel::npc::recorded>();
  old->kind = tickreel::samp_rec::recording_kind::on_foot;
  old->on_foot.resize(60);
  for (std::uint32_t i = 0; i < 60; ++i) old->on_foot[i].time_ms = 50 * i;
  options.recordings = {{"old", old}};
  const auto made = tickreel::npc::run_script("for i = 1, 1000 do pcall(save, recordings.old, 'q' .. i) end",
                                              "test.lua", options);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()));
  BOOST_TEST(made->saved.size() == 84u);  // times 60 are 5040
  BOOST_TEST(made->saved.back().name == "q84");
}

BOOST_AUTO_TEST_CASE(the_line_that_exceeds_the_memory_limit_is_named) {
  const attack attacks[] = {
      {"local t = {}\n\nwhile true do t[#t + 1] = {} end", "test.lua:3: the script needs more memory"},
      {"\nlocal s = ('x'):rep(2e6)\nlocal t = s .. s .. s .. s", "test.lua:3: the script needs more memory"},
      {"local function f()\n  return 1 + f()\nend\nf()", "test.lua:2: the script needs more memory"},
      {"local t = {}\nfor i = 1, 100 do\n  t[i] = ('x'):rep(1e5 + i)\nend", "test.lua:3: the script needs"},
  };
  for (const attack& each : attacks) {
    const std::string message = error_of(each.script, tight());
    BOOST_CHECK_MESSAGE(message.starts_with(each.says), each.script << "\n  -> " << message);
  }
}

BOOST_AUTO_TEST_CASE(parts_that_take_too_long_are_rejected) {
  auto made = tickreel::npc::run_script(
      "local a = actor{ name='a', on_foot=true, at={0,0,0} } for i = 1, 3 do a:wait(86400) end", "test.lua");
  BOOST_REQUIRE(made);
  tickreel::npc::plan* parts[] = {made->actors[0].part.get()};
  const auto lines = tickreel::npc::schedule(parts);
  BOOST_REQUIRE(!lines);
  BOOST_CHECK(lines.error().text.find("48 hours") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_script_stopped_by_its_limit_does_not_affect_others) {
  (void)error_of("while true do end", tight());
  BOOST_CHECK_EQUAL(
      tickreel::test::build_script("actor{ name='a', on_foot=true, at={0,0,0} }:wait(1)", tight()).size(),
      1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
