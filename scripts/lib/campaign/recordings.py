"""Recorders, whose ticks are compared with the responses of the game."""
import json
import os
import resource
import signal
import time
from collections import Counter

from case import NEEDS_MOUNT, SIGNALS, files_in, read

FORMATS = ["butter", "echoreplay", "tape", "reel", "butter,echoreplay", "butter,echoreplay,tape,reel"]


class Recordings:
    def __init__(self, case, game):
        self.case, self.game = case, game
        self.sums = Counter()

    def until_served(self, process, number):
        """Goes on after 10 s without a request, which some faults prevent."""
        last, since = self.game.served, time.monotonic()
        while not process.ended() and self.game.served < number and time.monotonic() - since < 10:
            process.pause(0.01)
            if self.game.served != last:
                last, since = self.game.served, time.monotonic()

    def round(self, fault, rng):
        formats = rng.choice(FORMATS).split(",")
        rate, seal = rng.choice([30, 60, 120]), rng.choice([0.1, 0.3, 1])
        self.case.make_folders(4 << 20 if fault in NEEDS_MOUNT else None)
        out = self.case.folder + "/out"
        user = self.case.give_to_other(fault)
        limits = self.case.limits(fault, rng, 400_000)
        from_start = rng.random() < 0.5 or user is not None
        first = self.game.served
        words = [self.case.program, "record", "echo", self.game.address, "--rate", str(rate), "--seal-interval", "%gs" % seal,
                 "--format", ",".join(formats), "--out", "out", "--name", "m", "--no-config", "--json"]
        process = self.case.start(words, fault, limits if from_start else [], rng, user)
        self.until_served(process, first + rng.randrange(0, 2 * rate))
        before = {each: read(out + "/" + each) for each in files_in(out) if each.endswith(".reel")} if fault == "kill" else {}
        if limits and not from_start and not process.ended():
            for limit, value in limits:
                try:
                    resource.prlimit(process.process.pid, limit, (value, value))
                except ProcessLookupError:
                    pass  # it has ended
        if fault == "disk":
            ballast = os.open(out + "/ballast", os.O_WRONLY | os.O_CREAT)
            try:
                while os.write(ballast, b"x" * 65536):
                    pass
            except OSError:
                os.ftruncate(ballast, max(0, os.fstat(ballast).st_size - rng.randrange(0, 65536)))
            os.close(ballast)
        self.case.strike(process, fault, rng)
        last = self.game.served
        twice = rng.random() < 0.2
        if fault not in SIGNALS:
            self.until_served(process, last + rng.randrange(1, 2 * rate))
            if rng.random() < 0.5 and fault in ("disk", "unwritable", "removed", "moved"):
                os.makedirs(out, exist_ok=True)
                if fault == "disk":
                    os.remove(out + "/ballast")
                os.chmod(out, 0o755)
                self.until_served(process, self.game.served + rng.randrange(1, 6 * rate))
            process.send(signal.SIGINT)
        if twice and fault != "kill":
            process.pause(rng.uniform(0, 0.1))
            process.send(signal.SIGINT)
        if self.case.pipe is not None:
            self.case.drain(process)
        process.wait()
        twice = twice and process.code == 1
        served = self.game.served
        problems = self.case.problems(process, fault)
        self.case.relent(fault)
        if fault == "disk" and os.path.exists(out + "/ballast"):
            os.remove(out + "/ballast")
        return problems + self.judge(process, fault, rng, formats, first, served, twice, rate * (seal + 2) + 2, before)

    def judge(self, process, fault, rng, formats, first, served, twice, max_unsynced, before):
        out, problems = self.case.folder + "/out", []
        os.makedirs(self.case.folder + "/check")
        lines = [json.loads(each) for each in process.out.splitlines() if each.startswith(b"{") and each.endswith(b"}")]
        returned, unread = Counter(), Counter()
        newest = dict.fromkeys(formats, first - 1)
        for name in files_in(out):
            path = "out/" + name
            if name.endswith(".part"):
                if fault not in ("kill", "unwritable", "read_only", "moved", "removed"):
                    problems.append("temporary file remains: " + name)
                continue
            own = next((each for each in formats if ".%s." % each in name + "."), None)
            if own is None:
                problems.append("unknown file " + name)
                continue
            final = name.endswith("." + own)
            numbers = self.ticks(path, first, served, problems)
            newest[own] = max([newest[own]] + numbers)
            (returned if final else unread)[own] += len(numbers)
            if name in before and not read(out + "/" + name).startswith(before[name]):
                problems.append("what was in %s before the kill changed" % name)
            done = self.case.plain("verify", path)
            if final and own != "reel" and done.returncode not in (0, 3):
                problems.append("verify %s: %d: %s" % (name, done.returncode, done.stdout + done.stderr))
            if not name.endswith(".reel"):
                continue
            copy = "check/" + (name if own == "reel" or rng.random() < 0.5 else name[:-5])
            done = self.case.plain("recover", path, "-o", copy)
            if done.returncode not in (0, 3):
                if numbers or done.returncode != 1 or b"tickreel: " not in done.stderr:
                    problems.append("recover %s: %d: %s" % (name, done.returncode, done.stderr))
                continue
            if self.ticks(copy, first, served, problems) != numbers:
                problems.append("recover %s has other ticks than the reel" % name)
            if self.case.plain("verify", copy).returncode not in (0, 3):
                problems.append("recover %s does not pass verify" % name)
        lost = Counter()
        for each in lines:
            if each.get("event") == "file_finished":
                lost[each["file"].rsplit(".", 1)[1]] += each["lost_ticks"]
        count = served - first
        self.sums["served"] += count
        for each in formats:
            self.sums["recorded"] += returned[each] + unread[each]
            self.sums["reported as lost"] += lost[each]
            if process.code == 0 and returned[each] < count - 2:
                problems.append("%s: %d of %d ticks with exit code 0" % (each, returned[each], count))
            if process.code == 3 and fault not in ("removed", "moved") and returned[each] + lost[each] < count - 2:
                problems.append("%s: %d ticks and %d reported as lost, of %d" % (each, returned[each], lost[each], count))
            if fault == "kill":
                tail = served - 1 - newest[each]
                self.sums["most polls after the last readable one"] = max(tail, self.sums["most polls after the last readable one"])
                if tail > max_unsynced:
                    problems.append("%s: the last %d polls are missing, %d are promised" % (each, tail, max_unsynced))
        if process.code == 1 and fault in ("term", "int", "stop") and not twice:
            problems.append("exit code 1: " + process.err[-300:])
        if process.code in (0, 3) and any(unread.values()) and fault not in ("removed", "moved"):
            problems.append("exit code %d, but reels remain: %s" % (process.code, files_in(out)))
        if fault == "kill" and rng.random() < 0.3:
            problems += self.next_recorder()
        return problems

    def next_recorder(self):
        """The next recorder removes temporary files, after a minute, and names the reels."""
        out = self.case.folder + "/out"
        left = files_in(out)
        for each in left:
            os.utime(out + "/" + each, (0, 0))
        done = self.case.plain("record", "echo", self.game.address, "--duration", "0.2s", "--out", "out", "--name", "n",
                               "--no-config")
        problems = ["the next recorder keeps " + each for each in left
                    if each.endswith(".part") and os.path.exists(out + "/" + each)]
        return problems + ["the next recorder does not name " + each for each in left
                           if each.endswith(".reel") and each.encode() not in done.stdout + done.stderr]

    def ticks(self, path, first, served, problems):
        """The numbers of the responses in a recording, each compared with the response."""
        done = self.case.plain("cat", path)
        numbers, last_tick = [], None
        if done.returncode not in (0, 1, 3) or (done.returncode == 1 and done.stdout):
            problems.append("cat %s: %d: %s" % (path, done.returncode, done.stderr))
        tolerance = 0.05 if ".butter" in path else 0.002
        for line in done.stdout.splitlines():
            tick = json.loads(line)
            clock = tick["session"]["game_clock"]  # shortened to the digits of an f32
            number = round(clock * 64)
            text = self.game.session(number)
            if abs(clock * 64 - number) > 0.1 or not first <= number < served or (numbers and number <= numbers[-1]):
                problems.append("%s: tick %d is response %s after %s" % (path, tick["tick"], number, numbers[-1:]))
                break
            if ".echoreplay" in path:
                same = b'"session":' + text in line
            else:
                same = close(tick["session"], json.loads(text), tolerance)
            if not same:
                problems.append("%s: tick %d differs from its response" % (path, tick["tick"]))
                break
            if path.endswith(".reel") and numbers and tick["tick"] - last_tick < number - numbers[-1]:
                problems.append("%s: responses before tick %d are missing without a gap" % (path, tick["tick"]))
                break
            numbers.append(number)
            last_tick = tick["tick"]
        return numbers


def close(a, b, tolerance):
    """Whether a recorded state is that of a response: players, points, and where everything is."""
    if a["blue_points"] != b["blue_points"] or a["game_status"] != b["game_status"]:
        return False
    pairs = [(a["disc"]["position"], b["disc"]["position"])]
    for one, other in zip(a["teams"], b["teams"]):
        players = one.get("players") or [], other.get("players") or []
        if [each["userid"] for each in players[0]] != [each["userid"] for each in players[1]]:
            return False
        pairs += [(x["head"]["position"], y["head"]["position"]) for x, y in zip(*players)]
    return all(abs(x - y) <= tolerance for one, other in pairs for x, y in zip(one, other))
