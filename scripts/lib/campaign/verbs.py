"""Verbs that write or print, compared with a run without a fault."""
import os
import shutil
import sys
import time

from case import Process, files_in, read

# verb: the words of its command, and the files that it writes
VERBS = {
    "convert to butter": ("convert in/match.echoreplay out/x.butter", ["x.butter"]),
    "convert to reel": ("convert in/match.echoreplay out/x.reel", ["x.reel"]),
    "convert to echoreplay": ("convert in/match.butter out/x.echoreplay", ["x.echoreplay"]),
    "convert to tape": ("convert in/match.reel out/x.tape", ["x.tape"]),
    "convert to nevrcap": ("convert in/match.reel out/x.nevrcap", ["x.nevrcap"]),
    "convert to mcap": ("convert in/match.butter out/x.mcap", ["x.mcap"]),
    "convert to parquet": ("convert in/match.reel out/x.parquet", ["x.parquet"]),
    "convert to arrow": ("convert in/match.reel out/x.arrow", ["x.arrow"]),
    "query": ("query players in/match.butter in/match.reel -o out/x.parquet", ["x.parquet"]),
    "convert icrep": ("convert in/match.icrep out/x.reel", ["x.reel"]),
    "clip": ("clip in/match.butter --from 0.5s -o out/x.butter", ["x.butter"]),
    "clip reel": ("clip in/match.reel --from tick:20 --to tick:90 -o out/x.reel", ["x.reel"]),
    "compact": ("compact in/field.reel -o out/x.reel", ["x.reel"]),
    "recompress": ("recompress in/match.butter -o out/x.butter", ["x.butter"]),
    "recompress icrep": ("recompress in/match.icrep -o out/x.icrep", ["x.icrep"]),
    "anonymise": ("anonymise in/match.echoreplay -o out/x.echoreplay", ["x.echoreplay"]),
    "sign": ("sign in/match.icrep --key in/key -o out/x.icrep", ["x.icrep"]),
    "derive": ("derive in/match.butter -o out/x.reel", ["x.reel"]),
    "derive in place": ("derive --in-place out/match.reel", ["match.reel"]),
    "recover": ("recover in/killed.echoreplay.reel -o out/x.echoreplay", ["x.echoreplay"]),
    "recover reel": ("recover in/killed.echoreplay.reel -o out/x.reel", ["x.reel"]),
    "recover beside": ("recover out/match.icrep.reel", ["match.icrep"]),
    "report": ("report in/match.butter -o out/x.html", ["x.html"]),
    "view": ("view in/match.butter --html out/x.html", ["x.html"]),
    "cat": ("cat in/match.butter", []),
    "events": ("events in/match.reel", []),
    "verify": ("verify in/match.butter in/match.reel in/match.icrep", []),
    "library scan": ("library scan in --db out/library.db", ["library.db"]),
}
PRESENT = {"derive in place": "match.reel", "recover beside": "match.icrep.reel"}  # copied from in to out before
KEEPS_TEMPORARY_FILES = {"recover", "recover reel", "recover beside"}  # they may be the next input


class Verbs:
    def __init__(self, case):
        self.case = case
        self.input_bytes = {each: read(case.inputs + "/" + each) for each in files_in(case.inputs)}
        self.reference = {}

    def run_without_faults(self, verb):
        """(exit code, standard output, outputs, seconds), the same in each run."""
        if verb not in self.reference:
            runs = []
            for _ in range(2):
                self.make_folders(verb)
                began = time.monotonic()
                done = Process([self.case.program] + VERBS[verb][0].split(), self.case.folder).wait()
                seconds = time.monotonic() - began
                runs.append((done.code, done.out, self.outputs(verb)))
            if runs[0] != runs[1] or runs[0][0] not in (0, 3):
                sys.exit("%s: two runs without a fault: %d and %d: %s" % (verb, runs[0][0], runs[1][0], done.err))
            self.reference[verb] = (*runs[0], seconds)
        return self.reference[verb]

    def make_folders(self, verb, size=None):
        self.case.make_folders(size)
        if verb in PRESENT:
            shutil.copy(self.case.inputs + "/" + PRESENT[verb], self.case.folder + "/out/")

    def temporary_files(self):
        return [each for each in files_in(self.case.folder + "/out") if each.endswith(".part")]

    def outputs(self, verb):
        if verb == "library scan":  # the rows, since the file holds times of this run
            return {"library.db": self.case.plain("library", "find", "--json", "--db", "out/library.db").stdout}
        out = self.case.folder + "/out/"
        return {each: read(out + each) for each in VERBS[verb][1] if os.path.exists(out + each)}

    def round(self, verb, fault, rng):
        code, stdout, wanted, seconds = self.run_without_faults(verb)
        written = sum(map(len, wanted.values())) or len(stdout)
        present = len(self.input_bytes.get(PRESENT.get(verb), b""))
        size = None
        if fault == "disk":
            size = present + rng.randrange(4096, int(written * 2.5) + 65536)
        elif fault == "read_only":
            size = 64 << 20
        self.make_folders(verb, size)
        words = [self.case.program] + VERBS[verb][0].split()
        old = {}
        if verb in PRESENT:
            old = {PRESENT[verb]: self.input_bytes[PRESENT[verb]]}
        elif VERBS[verb][1] and verb != "library scan" and rng.random() < 0.5:
            old = {each: b"the old file" for each in VERBS[verb][1]}
            words.append("--force")
            for each, content in old.items():
                with open(self.case.folder + "/out/" + each, "wb") as file:
                    file.write(content)
        user = self.case.give_to_other(fault)
        process = self.case.start(words, fault, self.case.limits(fault, rng, written), rng, user)
        process.pause(rng.uniform(0, 1.1 * seconds))
        self.case.strike(process, fault, rng)
        if self.case.pipe is not None:
            self.case.drain(process)
        process.wait()
        problems = self.case.problems(process, fault)
        self.case.relent(fault)
        moved = fault in ("removed", "moved")
        scan = verb == "library scan"  # indexes what it can read, and the next one reads the rest
        if process.code in (0, 3) and not moved and not scan:
            if process.code != code:
                problems.append("exit code %d instead of %d: %s" % (process.code, code, process.err[-300:]))
            if self.outputs(verb) != wanted:
                problems.append("exit code %d, but the output differs" % process.code)
            if fault not in ("stdout_gone", "stdout_closed", "stdout_full") and process.out != stdout:
                problems.append("exit code %d, but the text on standard output differs" % process.code)
        if not scan:
            found = {each: read(self.case.folder + "/out/" + each) for each in files_in(self.case.folder + "/out")}
            temporary = self.temporary_files()
            for each, content in found.items():
                if each in temporary:
                    continue
                if each not in {**old, **wanted} or content not in (old.get(each), wanted.get(each)):
                    problems.append("%s is neither the old file nor the new one (%d bytes)" % (each, len(content)))
            if not moved and any(each not in found for each in old):
                problems.append("the old file is gone: %s" % list(found))
            if temporary and fault not in ("kill", "unwritable", "read_only", "moved", "removed"):
                problems.append("temporary files remain: %s" % temporary)
        for each, content in self.input_bytes.items():
            if read(self.case.folder + "/in/" + each) != content:
                problems.append("the input %s changed" % each)
        # Without the fault it works. Temporary files of a killed process go later.
        if (scan or process.code not in (0, 3)) and not problems:
            if moved and verb in PRESENT:
                shutil.copy(self.case.inputs + "/" + PRESENT[verb], self.case.folder + "/out/")
            left = self.temporary_files()
            for each in left:
                os.utime(self.case.folder + "/out/" + each, (0, 0))
            again = [each for each in words if each != "--force"]
            if VERBS[verb][1] and verb not in ("derive in place", "library scan"):
                again.append("--force")
            done = Process(again, self.case.folder).wait()
            if done.code != code or self.outputs(verb) != wanted:
                problems.append("after the fault: exit code %d, %s: %s" % (
                    done.code, "another output" if self.outputs(verb) != wanted else "the output is right", done.err[-300:]))
            kept = left if verb in KEEPS_TEMPORARY_FILES else []
            if self.temporary_files() != kept:
                problems.append("after the fault: temporary files %s instead of %s" % (self.temporary_files(), kept))
        return problems
