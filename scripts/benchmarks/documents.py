"""The measured parts of docs/benchmarks.md and docs/benchmarks/details.md, their pictures, and the self-contained page."""
import os
import re
import textwrap
from html import escape

import pictures
import tables

def environment(results):
    """Where one question, or several, were answered."""
    all_of = [each["environment"] for each in results.values()]
    first = all_of[0]
    dates = sorted({each["date"] for each in all_of})
    loads = [each["load_average"] for each in all_of]
    load = f"{min(loads):.1f}" if len(loads) == 1 else f"{min(loads):.1f} to {max(loads):.1f}"
    return (f"Measured on {' and '.join(dates)}: {first['cpu']}, {first['cores']} cores, {first['compiler']}, "
            f"{first['build_type']} build, load average {load}.")


def paragraph(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def markdown_table(head, rows, words):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * words + "---:|" * (len(head) - words)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def section_text(section, drawn):
    out = [f"## {section.title}\n\n"]
    if section.above:
        out += [paragraph(section.above), "\n\n"]
    for head, rows, below, words in section.tables:
        out += [markdown_table(head, rows, words), "\n"]
        if below:
            out += [paragraph(below), "\n\n"]
    out += [f"![{drawn[name][0]}]({name}.svg)\n\n" for name in section.pictures if name in drawn]
    return "".join(out)


def replace_measured(path, parts):
    """Replaces what a page has between <!-- measured: NAME --> and <!-- end -->, for the names in `parts`."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    for name, text in parts.items():
        pattern = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, count = pattern.subn(lambda found: found[1] + text.rstrip() + "\n" + found[2], page)
        if count > 1:
            raise SystemExit(f"{path}: {name} occurs {count} times")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def write_docs(results, root):
    """The questions that `results` answers; the table of bars only if it answers all."""
    drawn = {name: (words, svg) for name, words, svg in pictures.drawn(results)}
    docs = os.path.join(root, "docs")
    for name, (_, svg) in drawn.items():
        with open(os.path.join(docs, "benchmarks", f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(svg)
    details = {}
    for name, section in tables.sections(results):
        section.above = f"{section.above} {environment({name: results[name]})}".strip()
        details[name] = section_text(section, drawn)
    replace_measured(os.path.join(docs, "benchmarks", "details.md"), details)
    overview = {}
    if "peers" in results:
        overview["peers"] = (paragraph(environment({"peers": results["peers"]})) + "\n\n" +
                             markdown_table(*tables.alternatives(results["peers"]), 2))
    if all(name in results for name in tables.WITH_BARS):
        overview["bars"] = (paragraph(environment(results)) + "\n\n" +
                            markdown_table(["bar", "measured", ""], tables.bars(results), 3))
    replace_measured(os.path.join(docs, "benchmarks.md"), overview)


STYLE = """body{font:15px/1.45 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:1em 0;font-size:13px;display:block;overflow-x:auto}td,th{border:1px solid #ddd;padding:3px 8px;text-align:right}
td.word,th.word{text-align:left}svg{max-width:100%;height:auto}"""


def html_words(text):
    """The little Markdown that the words use."""
    text = escape(text, quote=False)
    for mark, tag in ((r"\*\*", "b"), (r"\*", "i"), ("`", "code")):
        text = re.sub(f"{mark}(.+?){mark}", rf"<{tag}>\1</{tag}>", text)
    return text


def html_table(head, rows, words):
    def line(cells, tag):
        return "<tr>" + "".join(f'<{tag}{" class=word" if i < words else ""}>{html_words(cell)}</{tag}>'
                                for i, cell in enumerate(cells)) + "</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>\n"


def page(results):
    drawn = {name: svg for name, _, svg in pictures.drawn(results)}
    out = ['<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
           'content="width=device-width"><title>Tickreel: benchmarks</title>',
           f"<style>{STYLE}</style><h1>Benchmarks</h1><p>{html_words(environment(results))}</p>\n"]
    bars = tables.bars(results)
    if bars:
        out.append("<h2>The bars</h2>" + html_table(["bar", "measured", ""], bars, 3))
    for _, section in tables.sections(results):
        out.append(f"<h2>{escape(section.title)}</h2>\n<p>{html_words(section.above)}</p>\n")
        out += [drawn[name] for name in section.pictures if name in drawn]
        for head, rows, below, words in section.tables:
            out.append(html_table(head, rows, words) + f"<p>{html_words(below)}</p>\n")
    out.append("</html>\n")
    return "".join(out)
