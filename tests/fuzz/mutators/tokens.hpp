// Mutates texts that consist of tokens: JSON, scripts, lines of fields.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mutator.hpp"

namespace tickreel::fuzz {

// They point into the input, or into texts that a mutation made.
using tokens = std::vector<std::string_view>;

// Values at the limits of numbers and texts, for every language.
inline constexpr std::string_view odd_values[] = {"0",
                                                  "-0",
                                                  "-1",
                                                  "1e999",
                                                  "-1e999",
                                                  "1e-400",
                                                  "0.1",
                                                  "255",
                                                  "256",
                                                  "65536",
                                                  "2147483648",
                                                  "-2147483649",
                                                  "4294967296",
                                                  "9007199254740993",
                                                  "9223372036854775808",
                                                  "18446744073709551616",
                                                  "123456789012345678901234567890",
                                                  "0x7fffffff",
                                                  "null",
                                                  "true",
                                                  "nan",
                                                  "\"\"",
                                                  "\"\\ud800\"",
                                                  "\"\\u0000\"",
                                                  "\"\\ud83d\\ude00\"",
                                                  "\"\xC3\xA9\xFF\"",
                                                  "\"\\\"\\n\"",
                                                  "{}",
                                                  "[]",
                                                  "[[]]",
                                                  "{\"a\":1}",
                                                  ",",
                                                  ":",
                                                  "\n",
                                                  "\r\n",
                                                  "\t",
                                                  "\\",
                                                  "\"",
                                                  "(",
                                                  ")",
                                                  "=",
                                                  "..",
                                                  "<a>",
                                                  "</a>",
                                                  "&amp;",
                                                  "%00"};

struct token_language {
  std::span<const std::string_view> words;  // besides odd_values
  std::size_t prefix_bytes = 0;             // before the text, mutated separately
};

[[nodiscard]] inline bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+' || static_cast<unsigned char>(c) >= 0x80;
}

// All tokens together are the text: words and numbers, quoted texts, and single other bytes.
[[nodiscard]] inline tokens tokens_of(std::string_view text) {
  tokens out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word_byte(text[at])) {
      while (end < text.size() && is_word_byte(text[end])) ++end;
    } else if (text[at] == '"' || text[at] == '\'') {
      while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    }
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// The end of what begins at a token: of a bracket its counterpart, otherwise the token.
[[nodiscard]] inline std::size_t end_of_brackets(const tokens& in, std::size_t at) {
  std::size_t depth = 0;
  std::size_t end = at;
  for (; end < in.size(); ++end) {
    const std::string_view each = in[end];
    if (each == "{" || each == "[" || each == "(") ++depth;
    if ((each == "}" || each == "]" || each == ")") && depth > 0) --depth;
    if (depth == 0) break;
  }
  return std::min(end + 1, in.size());
}

// Likewise; a member's name ends with its value, and with the comma after that.
[[nodiscard]] inline std::size_t end_of_value(const tokens& in, std::size_t at) {
  std::size_t end = end_of_brackets(in, at);
  if (end + 1 >= in.size() || end != at + 1 || (in[end] != ":" && in[end] != "=")) return end;
  end = end_of_brackets(in, end + 1);
  return end < in.size() && in[end] == "," ? end + 1 : end;
}

template <const token_language& language>
struct tokens_mutator {
  static std::string_view word(random_source& random) {
    const std::size_t number = below(random, std::size(odd_values) + language.words.size());
    return number < std::size(odd_values) ? odd_values[number]
                                          : language.words[number - std::size(odd_values)];
  }

  static void change(tokens& of, std::deque<std::string>& made, random_source& random) {
    if (of.empty()) return of.emplace_back(word(random)), void();
    const std::size_t at = below(random, of.size());
    const auto place = [&](std::size_t token) { return of.begin() + static_cast<std::ptrdiff_t>(token); };
    const std::size_t end = end_of_value(of, at);
    const tokens chosen(place(at), place(end));
    switch (below(random, 8)) {
      case 0:
        of.erase(place(at), place(end));
        break;
      case 1:
        of.insert(place(below(random, of.size())), chosen.begin(), chosen.end());
        break;
      case 2: {  // in the place of another
        const std::size_t other = below(random, of.size());
        of.erase(place(other), place(end_of_value(of, other)));
        of.insert(place(std::min(other, of.size())), chosen.begin(), chosen.end());
        break;
      }
      case 3:
        of.emplace(place(at), word(random));
        break;
      case 4:
      case 5:
        of[at] = word(random);
        break;
      default: {
        // A single byte between others is structure.
        std::size_t token = at;
        while (token + 1 < of.size() && of[token].size() == 1 && !is_word_byte(of[token][0])) ++token;
        std::string inside(of[token]);
        const bool quoted = inside.size() >= 2 && inside.front() == inside.back() && inside.front() == '"';
        if (quoted) inside = inside.substr(1, inside.size() - 2);
        mutate_bytes(inside);
        if (quoted) inside = '"' + inside + '"';
        of[token] = made.emplace_back(std::move(inside));
      }
    }
  }

  static std::optional<byte_vector> together(byte_span prefix, const tokens& of) {
    byte_vector out(prefix.begin(), prefix.end());
    for (const std::string_view each : of) append(out, as_bytes(each));
    return out;
  }

  static std::optional<byte_vector> mutate(byte_span input, random_source& random) {
    if (input.size() < language.prefix_bytes) return std::nullopt;
    byte_vector prefix(input.begin(), input.begin() + language.prefix_bytes);
    tokens of = tokens_of(as_text(input.subspan(language.prefix_bytes)));
    if (!prefix.empty() && below(random, 16) == 0)
      prefix[below(random, prefix.size())] = static_cast<std::byte>(random());
    std::deque<std::string> made;
    for (std::size_t count = 1 + below(random, 4) / 3; count > 0; --count) change(of, made, random);
    return together(prefix, of);
  }

  // A value of `other` in the place of one of `one`.
  static std::optional<byte_vector> cross_over(byte_span one, byte_span other, random_source& random) {
    if (one.size() < language.prefix_bytes || other.size() < language.prefix_bytes) return std::nullopt;
    tokens of = tokens_of(as_text(one.subspan(language.prefix_bytes)));
    const tokens from = tokens_of(as_text(other.subspan(language.prefix_bytes)));
    if (of.empty() || from.empty()) return std::nullopt;
    const auto offset = [](std::size_t token) { return static_cast<std::ptrdiff_t>(token); };
    const std::size_t at = below(random, of.size());
    const std::size_t end = below(random, 2) == 0 ? at : end_of_value(of, at);
    const std::size_t taken = below(random, from.size());
    of.erase(of.begin() + offset(at), of.begin() + offset(end));
    of.insert(of.begin() + offset(at), from.begin() + offset(taken),
              from.begin() + offset(end_of_value(from, taken)));
    return together(one.first(language.prefix_bytes), of);
  }

  static constexpr mutator value = {mutate, cross_over, 2};
};

}  // namespace tickreel::fuzz
