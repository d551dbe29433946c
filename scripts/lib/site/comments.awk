# Doxygen's input filter: the headers have plain comments. Turns those before and beside declarations into comments of Doxygen,
# with every character as it is written, and indented lines (examples, tables) into preformatted text.
function escaped(text,   parts, count, at, out) {
  # A code span that ends on another line is text.
  if (split(text, parts, "`") % 2 == 0) gsub("`", "'", text)
  count = split(text, parts, "`")
  for (at = 1; at <= count; ++at) {
    if (at % 2 == 1) gsub(/[\\@<>#%&$*_~"]/, "\\\\&", parts[at])
    out = out (at > 1 ? "`" : "") parts[at]
  }
  gsub(/\\\*/, "*", out)
  gsub(/\\_/, "_", out)
  gsub(/\\~/, "~", out)
  gsub(/--/, "\\--", out)
  return out
}
function end_preformatted() {
  if (preformatted) print "/// \\endverbatim"
  preformatted = 0
}
{
  line = $0
  sub(/\r$/, "", line)
  if (match(line, /^ *\/\//)) {
    indent = substr(line, 1, RLENGTH - 2)
    text = substr(line, RLENGTH + 1)
    if (NR == 1) print "/// \\file"
    if (text == "" && preformatted) {
      print indent "///"
    } else if (text ~ /^  +[^ ]/) {
      if (!preformatted) print indent "/// \\verbatim"
      preformatted = 1
      print indent "///" text
    } else {
      end_preformatted()
      print indent "///" escaped(text)
    }
    next
  }
  end_preformatted()
  # Comments of the end of a scope, of a directive and of an opened scope belong to no declaration.
  if (line ~ /^}/ || line ~ /^#/ || line ~ /{ +\/\/ /) {
    print line
    next
  }
  if (match(line, /[;,{}]  \/\/ /) || match(line, /^[^"]*[^ "\/] +\/\/ /)) {
    at = index(line, "// ")
    print substr(line, 1, at - 1) "///<" escaped(substr(line, at + 2))
    next
  }
  print line
}
