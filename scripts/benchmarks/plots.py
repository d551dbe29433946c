"""Plots as SVG text: nothing but strings, so that pages and documents need no library."""
import math
from html import escape

COLOURS = ["#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93", "#777777", "#00798c", "#a0522d"]
LEFT, TOP, BOTTOM = 70, 40, 50


def figure(value):
    """A number with three significant digits or none behind the point: 0.0421, 3.14, 271, 15300."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 4)}f}"


def short_time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def short_count(value):
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


class Canvas:
    def __init__(self, title, width=760, height=360, right=190):
        self.width, self.height = width, height
        self.inner = (LEFT, TOP, width - right, height - BOTTOM)
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="12" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]
        self.text(width / 2, 22, title, size=15)

    def text(self, x, y, words, anchor="middle", size=12, colour="#222222", turn=None):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn is not None else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{colour}"{turned}>{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, colour="#dddddd"):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')

    def path(self, points, colour):
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in points:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(height, 0):.1f}" '
                          f'fill="{colour}"/>')

    def legend(self, names):
        for i, name in enumerate(names):
            y = TOP + 14 + 20 * i
            self.bar(self.inner[2] + 14, y - 9, 12, 10, COLOURS[i % len(COLOURS)])
            self.text(self.inner[2] + 32, y, name, anchor="start")

    def labels(self, x_label, y_label):
        left, top, right, bottom = self.inner
        self.text((left + right) / 2, self.height - 10, x_label)
        self.text(16, (top + bottom) / 2, y_label, turn=-90)

    def finish(self):
        return "\n".join([*self.parts, "</svg>", ""])


class Axis:
    """Values to places. A logarithmic one has a mark at each power of ten, and between them when few."""

    def __init__(self, values, low, high, logarithmic=True):
        values = [value for value in values if value > 0 or not logarithmic]
        self.logarithmic = logarithmic
        self.low, self.high = low, high
        if logarithmic:
            first, last = math.log10(min(values)), math.log10(max(values))
            self.first, self.last = first - 0.03 * (last - first + 0.1), last + 0.03 * (last - first + 0.1)
        else:
            self.first, self.last = 0, max(values) * 1.08 or 1

    def at(self, value):
        scaled = math.log10(value) if self.logarithmic else value
        return self.low + (scaled - self.first) / (self.last - self.first) * (self.high - self.low)

    def marks(self):
        if not self.logarithmic:
            step = 10 ** math.floor(math.log10(self.last / 4))
            step *= next(factor for factor in (1, 2, 5, 10) if self.last / (step * factor) <= 6)
            return [step * i for i in range(int(self.last / step) + 1)]
        steps = (1,) if self.last - self.first > 2 else (1, 2, 5)
        powers = range(math.floor(self.first), math.ceil(self.last) + 1)
        marks = [step * 10.0 ** power for power in powers for step in steps]
        return [mark for mark in marks if self.first <= math.log10(mark) <= self.last]


def draw_axes(canvas, across, up, across_text, up_text):
    left, top, right, bottom = canvas.inner
    for mark in up.marks():
        canvas.line(left, up.at(mark), right, up.at(mark))
        canvas.text(left - 6, up.at(mark) + 4, up_text(mark), anchor="end")
    if across:
        for mark in across.marks():
            canvas.line(across.at(mark), top, across.at(mark), bottom)
            canvas.text(across.at(mark), bottom + 16, across_text(mark))
    canvas.line(left, bottom, right, bottom, "#222222")
    canvas.line(left, top, left, bottom, "#222222")


def lines(title, series, x_label, y_label, x_text=short_count, y_text=short_time):
    """`series`: (name, [(x, y), ...]); both axes logarithmic."""
    canvas = Canvas(title)
    left, top, right, bottom = canvas.inner
    points = [point for _, each in series for point in each]
    across = Axis([x for x, _ in points], left, right)
    up = Axis([y for _, y in points], bottom, top)
    draw_axes(canvas, across, up, x_text, y_text)
    for i, (_, each) in enumerate(series):
        canvas.path([(across.at(x), up.at(y)) for x, y in each], COLOURS[i % len(COLOURS)])
    canvas.legend([name for name, _ in series])
    canvas.labels(x_label, y_label)
    return canvas.finish()


def bars(title, groups, names, y_label):
    """`groups`: (name, [a value or None for each of `names`])."""
    canvas = Canvas(title, width=900)
    left, top, right, bottom = canvas.inner
    up = Axis([value for _, values in groups for value in values if value], bottom, top, logarithmic=False)
    draw_axes(canvas, None, up, None, figure)
    room = (right - left) / len(groups)
    width = room * 0.8 / len(names)
    for g, (group, values) in enumerate(groups):
        for i, value in enumerate(values):
            if value:
                x = left + room * (g + 0.1) + width * i
                canvas.bar(x, up.at(value), width * 0.9, bottom - up.at(value), COLOURS[i % len(COLOURS)])
        canvas.text(left + room * (g + 0.5), bottom + 16, group, size=10)
    canvas.legend(names)
    canvas.labels("", y_label)
    return canvas.finish()


def distribution(title, series):
    """`series`: (name, [[upper_ns, samples], ...]): the share of calls that took longer, so that tails show."""
    beyond = []
    for name, buckets in series:
        total = sum(samples for _, samples in buckets)
        left_over, points = total, []
        for upper, samples in buckets:
            left_over -= samples
            points.append((upper, max(left_over, 0.5) / total))
        beyond.append((name, points))
    return lines(title, beyond, "a call takes longer than", "share of calls", x_text=short_time,
                 y_text=lambda share: f"{100 * share:g} %")
