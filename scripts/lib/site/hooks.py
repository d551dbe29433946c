"""Hooks of mkdocs: pages of the repository become pages of the site.

Links to other files of the repository lead to the repository. A link to a missing file, and a page outside of the navigation, are
errors.
"""
import os
import posixpath
import re

from mkdocs.exceptions import PluginError

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
LINK = re.compile(r"(?<!`)(!?\[(?:[^\[\]`]|`[^`\n]*`)*\])\(([^)\s]+)\)")
FIRST = "## Install"


def on_config(config):
    # As GitHub does, so that links work in both places: lower case, without punctuation, a hyphen for every space.
    config["mdx_configs"]["toc"]["slugify"] = lambda text, separator: re.sub(
        r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
    return config


def on_nav(nav, config, files):
    listed = {page.file.src_path for page in nav.pages}
    missing = sorted(file.src_path for file in files.documentation_pages() if file.src_path not in listed)
    if missing:
        raise PluginError(f"not in the navigation of scripts/lib/site/mkdocs.yml: {', '.join(missing)}")
    return nav


def on_page_markdown(markdown, page, config, files):
    path = page.file.src_path

    def link(match):
        text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        name, mark, anchor = target.partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if name == "tests/README.md" or not os.path.exists(os.path.join(config["docs_dir"], name)) or \
                os.path.isdir(os.path.join(config["docs_dir"], name)):
            if name.startswith("..") or not os.path.exists(os.path.join(ROOT, name)):
                raise PluginError(f"{path}: {target} does not exist")
            kind = "tree" if os.path.isdir(os.path.join(ROOT, name)) else "blob"
            return f"{text}({config['extra']['repository']}/{kind}/main/{name}{mark}{anchor})"
        return match[0]

    # Blocks of code are not changed.
    pieces = re.split(r"(^```.*?^```)", markdown, flags=re.S | re.M)
    markdown = "".join(piece if piece.startswith("```") else LINK.sub(link, piece) for piece in pieces)
    if path == "README.md":
        before, found, after = markdown.partition(FIRST)
        if not found:
            raise PluginError(f"README.md has no section '{FIRST}'")
        with open(os.path.join(os.path.dirname(__file__), "first.md"), encoding="utf-8") as file:
            markdown = before + file.read() + "\n" + found + after
    return markdown
