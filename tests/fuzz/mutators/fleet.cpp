// Names, addresses, values of headers, and JSON of messages to and from a broker.
#include "tokens.hpp"

namespace tickreel::fuzz {

namespace {

constexpr std::string_view fleet_words[] = {"nats://",
                                            "tls://",
                                            "tickreel.main.m",
                                            "tickreel-status.main.m",
                                            "tickreel-archived.main.m",
                                            "tickreel-work.main.m",
                                            "=20",
                                            "=3D",
                                            "=ff",
                                            ":4222",
                                            "user:pass@",
                                            "?league=a&match=b",
                                            "#",
                                            "%2F",
                                            "[::1]",
                                            "recording",
                                            "ended",
                                            "dropped",
                                            "\"ticks\"",
                                            "\"reel\"",
                                            "\"league\"",
                                            "\"match\"",
                                            "\"lasting_at\":[1,2]",
                                            "\"records\"",
                                            "\"ended\"",
                                            "00112233445566778899aabbccddeeff"};
constexpr token_language fleet{.words = fleet_words};

}  // namespace

constexpr mutator program_mutator = tokens_mutator<fleet>::value;

}  // namespace tickreel::fuzz
