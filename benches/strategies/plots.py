"""SVG pictures without a library: lines and points over linear or logarithmic axes."""

import math

COLOURS = {
    "stratified": "#1b6ca8",
    "eager": "#888888",
    "naive": "#c1440e",
    "dcr": "#e0a030",
    "dcr+": "#b58900",
    "inertial": "#2a9d5c",
    "infer": "#7a4fa3",
    "auto": "#000000",
}
LEFT, TOP, WIDTH, HEIGHT = 64, 40, 480, 320


class Axis:
    """Values on one side of a picture."""

    def __init__(self, label, low, high, log=False):
        self.label, self.log = label, log
        self.low, self.high = (math.log10(low), math.log10(high)) if log else (low, high)
        if self.high <= self.low:
            self.high = self.low + 1

    def at(self, value):
        """The place of a value, from 0 to 1."""
        value = math.log10(max(value, 10.0**self.low)) if self.log else value
        return min(max((value - self.low) / (self.high - self.low), 0), 1)

    def ticks(self):
        if self.log:
            return [10.0**e for e in range(math.ceil(self.low), math.floor(self.high) + 1)]
        step = 10.0 ** math.floor(math.log10(max(self.high - self.low, 1e-9)))
        step = next(s for s in (step / 5, step / 2, step, 2 * step) if (self.high - self.low) / s <= 10)
        first = math.ceil(self.low / step)
        return [step * i for i in range(first, math.floor(self.high / step) + 1)]


def picture(title, across, up, series, lines=True, diagonal=False):
    """`series`: name -> (colour, points)."""

    def x(v):
        return LEFT + WIDTH * across.at(v)

    def y(v):
        return TOP + HEIGHT * (1 - up.at(v))

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 130} {TOP + HEIGHT + 56}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="100%" fill="white"/><text x="{LEFT}" y="22" font-size="14">{title}</text>',
    ]
    for v in across.ticks():
        out.append(f'<line x1="{x(v):.1f}" y1="{TOP}" x2="{x(v):.1f}" y2="{TOP + HEIGHT}" stroke="#eee"/>')
        out.append(f'<text x="{x(v):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{v:g}</text>')
    for v in up.ticks():
        out.append(f'<line x1="{LEFT}" y1="{y(v):.1f}" x2="{LEFT + WIDTH}" y2="{y(v):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v:g}</text>')
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>')
    out.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 42}" text-anchor="middle">{across.label}</text>')
    middle = TOP + HEIGHT / 2
    out.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{up.label}</text>')
    if diagonal:
        out.append(f'<line x1="{LEFT}" y1="{TOP + HEIGHT}" x2="{LEFT + WIDTH}" y2="{TOP}" stroke="#bbb"/>')
    for row, (name, (colour, points)) in enumerate(series.items()):
        if lines:
            path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        size = 2 if lines else 3
        out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="{size}" fill="{colour}" fill-opacity="0.7"/>' for a, b in points]
        at = TOP + 14 + 20 * row
        out.append(f'<circle cx="{LEFT + WIDTH + 16}" cy="{at}" r="4" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + WIDTH + 26}" y="{at + 4}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"
