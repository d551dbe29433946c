"""Records ten ticks, and reads them back. Usage: ten_lines.py NEW.reel"""
import sys

import tickreel

with tickreel.record(sys.argv[1], {"x": "f32", "name": "text:8"}, rate=60, events={"goal": {"player": "i32"}}) as out:
    for tick in range(10):
        out.push(x=tick / 4, name="ann")
    out.event("goal", player=3)
recording = tickreel.open(sys.argv[1])
print(recording.columns(["x"])["x"].tolist(), recording.events())
