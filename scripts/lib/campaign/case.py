"""One case of the campaign: its folder, its process, and the fault that happens to both."""
import fcntl
import os
import re
import resource
import shutil
import signal
import subprocess
import time

OTHER_USER = 54321  # of no account; root ignores permissions and the limit of threads
IS_ROOT = os.geteuid() == 0
IDLE_SECONDS = 120  # a process that uses no processor time for so long hangs
BUSY_SECONDS = 120  # of processor time

SIGNALS = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "int": signal.SIGINT}
FAULTS = ["kill", "kill", "kill", "term", "int", "stop", "disk", "file_size", "removed", "moved", "unwritable", "read_only",
          "descriptors", "memory", "threads", "stdout_full", "stdout_closed", "stdout_gone", "stdout_stuck"]
NEEDS_MOUNT = {"disk", "read_only"}
NEEDS_USER = {"unwritable", "threads"}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files_in(folder):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


class Process:
    def __init__(self, words, cwd, limits=(), stdout=None, closed=(), user=None):
        self.err_path = cwd + "/stderr"
        self.out_path = cwd + "/stdout"

        def prepare():
            for each in closed:
                os.close(each)
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))

        with open(self.err_path, "wb") as err, open(self.out_path, "wb") as out:
            self.process = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stderr=err, preexec_fn=prepare, user=user,
                                            stdout=out if stdout is None else stdout, group=user,
                                            extra_groups=None if user is None else [])
        self.hung, self.sent = False, set()
        self.max_file_bytes = dict(limits).get(resource.RLIMIT_FSIZE)

    def used(self):
        try:
            fields = read("/proc/%d/stat" % self.process.pid).rsplit(b")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return 0

    def ended(self):
        return self.process.poll() is not None

    def send(self, number):
        if not self.ended():
            self.sent.add(number)
            self.process.send_signal(number)

    def pause(self, seconds):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    def wait(self):
        used, since = -1, time.monotonic()
        while not self.ended():
            self.pause(1)
            now = self.used()
            if now != used:
                used, since = now, time.monotonic()
            if time.monotonic() - since > IDLE_SECONDS or now > BUSY_SECONDS:
                self.hung = True
                self.process.kill()
        self.code = self.process.returncode
        self.err = read(self.err_path).decode(errors="replace")
        self.out = read(self.out_path)
        return self


class Case:
    """Its folder has in (inputs), out (of the program, perhaps a small file system), stdout and stderr."""

    def __init__(self, program, work):
        self.program, self.folder, self.inputs = program, work + "/case", work + "/inputs"
        self.mounted = False
        self.pipe = None

    # Without a fault.
    def plain(self, *words, cwd=None):
        return subprocess.run([self.program, *words], cwd=cwd or self.folder, capture_output=True, stdin=subprocess.DEVNULL)

    def can_mount(self):
        try:
            self.make_folders(65536)
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def make_folders(self, size=None):
        self.clear()
        os.makedirs(self.folder + "/out")
        if size is not None:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "tmpfs", self.folder + "/out"], check=True)
            self.mounted = True
        shutil.copytree(self.inputs, self.folder + "/in")

    def clear(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder + "/out"], check=True)
            self.mounted = False
        shutil.rmtree(self.folder, ignore_errors=True)

    def limits(self, fault, rng, bytes_written):
        return {"file_size": [(resource.RLIMIT_FSIZE, rng.randrange(int(bytes_written * 1.2) + 1))],
                "descriptors": [(resource.RLIMIT_NOFILE, rng.randrange(3, 24))],
                "memory": [(resource.RLIMIT_AS, rng.randrange(36_000_000, 120_000_000))],
                "threads": [(resource.RLIMIT_NPROC, rng.randrange(1, 6))]}.get(fault, [])

    def start(self, words, fault, limits, rng, user):
        stdout, closed, self.pipe = None, (), None
        if fault == "stdout_full":
            stdout = os.open("/dev/full", os.O_WRONLY)
        elif fault == "stdout_closed":
            closed = rng.choice([(1,), (0, 1), (1, 2), (0, 1, 2)])
        elif fault in ("stdout_gone", "stdout_stuck"):
            self.pipe, stdout = os.pipe()
            fcntl.fcntl(stdout, fcntl.F_SETPIPE_SZ, 4096)
        process = Process(words, self.folder, limits, stdout, closed, user)
        if isinstance(stdout, int):
            os.close(stdout)
        if fault == "stdout_gone":
            os.close(self.pipe)
            self.pipe = None
        return process

    def drain(self, process):
        """Reads a pipe to its end, as the standard output of the process."""
        if self.pipe is not None:
            with os.fdopen(self.pipe, "rb") as pipe, open(process.out_path, "wb") as out:
                shutil.copyfileobj(pipe, out)
            self.pipe = None

    # What happens to the folder at the moment of the fault.
    def strike(self, process, fault, rng):
        out = self.folder + "/out"
        if fault in SIGNALS:
            process.send(SIGNALS[fault])
        elif fault == "stop":
            process.send(signal.SIGSTOP)
            process.pause(rng.uniform(0.05, 2))
            process.send(signal.SIGCONT)
        elif fault == "removed":
            shutil.rmtree(out, ignore_errors=True)
        elif fault == "moved":
            os.rename(out, self.folder + "/moved")
        elif fault == "unwritable":
            os.chmod(out, 0o555)
        elif fault == "read_only":
            for _ in range(50):  # refused while a file is open for writing
                if process.ended() or subprocess.run(["mount", "-o", "remount,ro", out], capture_output=True).returncode == 0:
                    break

    def relent(self, fault):
        out = self.folder + "/out"
        if fault == "unwritable":
            os.chmod(out, 0o755)
        if fault in NEEDS_MOUNT:
            subprocess.run(["mount", "-o", "remount,rw,size=64m", out], check=True)
        os.makedirs(out, exist_ok=True)

    def problems(self, process, fault):
        """Problems of any process."""
        if process.hung:
            return ["hangs"]
        if process.code == 127 and "shared libraries" in process.err:
            return []
        if process.code < 0 and -process.code not in process.sent:
            return ["ended by signal %d: %s" % (-process.code, process.err[-300:])]
        if process.code >= 0 and process.code not in (0, 1, 3):
            return ["exit code %d: %s" % (process.code, process.err[-300:])]
        if process.code == 1 and fault != "stdout_closed" and not self.names_reason(process):
            return ["exit code 1 without file and reason: %r" % process.err[-300:]]
        return []

    @staticmethod
    def names_reason(process):
        """On standard error, or in an event of 'record --json'. A limit of the size of files cuts standard error too."""
        if process.max_file_bytes is not None and os.path.getsize(process.err_path) >= process.max_file_bytes:
            return True
        return re.search(r"tickreel: .*(\bin/|\bout[/:]|standard output|not enough memory)", process.err) or \
            re.search(rb'"(publish|disk)_failed".*\bout/', process.out)

    def give_to_other(self, fault):
        """The user that the process runs as: without root's rights where they would hide the fault."""
        if fault not in NEEDS_USER or not IS_ROOT:
            return None
        for each in [self.folder] + [self.folder + "/" + name for name in ("in", "out")]:
            for path in [each] + [each + "/" + name for name in files_in(each)]:
                if os.path.exists(path):
                    os.chown(path, OTHER_USER, OTHER_USER)
        return OTHER_USER
