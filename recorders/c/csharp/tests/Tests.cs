// Tests of the C# package; tests/run compiles it with mcs and runs it with Mono.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using Tickreel;

public static unsafe class Tests
{
    private enum Mode : byte { Idle = 0, Playing = 7 }
    private struct Vector { [Field(Unit = "m", Decimals = 2)] public float X, Y, Z; }
    private struct World
    {
        public Mode Mode;
        public Vector Ball;
        public fixed ushort Scores[2];
        [Field(IsText = true)] public fixed byte Name[8];
        [Field(Name = "heat", Tolerance = 0.5)] public double Heat;
        [Field(IsBool = true)] public byte IsDay;
        [Field(IsIgnored = true)] public int Ignored;
        public ulong Large;
    }
    private enum Flags : ulong { None = 0, Low = 1, Highest = 0x8000000000000000, All = ulong.MaxValue }
    private struct Holder { public Flags Flags; }
    private struct Goal { public int Player; public float Speed; }
    private struct Sighting
    {
        public byte HasTarget;
        [Field(PresentIf = "HasTarget")] public int Target;
        [Field(PresentIf = "IsAt")] public Vector At;
        public byte IsAt;
    }
    private struct Heights
    {
        [Field(FractionBits = 8)] public short Height;
        [Field(FractionBits = 1)] public fixed long Many[2];
    }
    private struct Wrong { [Field(FractionBits = 8)] public uint Height; }
    private struct Unflagged { [Field(PresentIf = "Nothing")] public int X; }
    private struct Managed { public string No; }

    private static int failures;
    private static string folder;

    private static void Check(bool holds, string what)
    {
        if (holds) return;
        ++failures;
        Console.WriteLine("FAILED: " + what);
    }

    private static string Failure(Action action)
    {
        try
        {
            action();
        }
        catch (TickreelException failed)
        {
            return failed.Code;
        }
        catch (Exception failed)
        {
            return failed.GetType().Name;
        }
        return "none";
    }

    // What the program prints, and its exit code.
    private static int Run(out string output, params string[] words)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("TICKREEL_PROGRAM"),
                                         string.Join(" ", words.Select(each => "\"" + each + "\""))) {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
            StandardOutputEncoding = new UTF8Encoding(false)
        };
        using (Process program = Process.Start(start))
        {
            var errors = program.StandardError.ReadToEndAsync();
            output = program.StandardOutput.ReadToEnd();
            errors.Wait();
            program.WaitForExit();
            return program.ExitCode;
        }
    }

    private static string TextOf(Recording recording)
    {
        var text = new StringBuilder(recording.LinesBefore());
        foreach (string line in recording.Lines()) text.Append(line).Append('\n');
        return text.Append(recording.LinesAfter()).ToString();
    }

    private static string RecordMatch()
    {
        string path = Path.Combine(folder, "match.reel");
        using (var recorder = new Recorder<World>(path, new RecordOptions { TicksPerSecond = 60, LossPolicy = LossPolicy.Block }))
        {
            for (int tick = 0; tick < 10; ++tick)
            {
                var world = new World { Mode = tick > 4 ? Mode.Playing : Mode.Idle, Heat = 20 + tick, IsDay = (byte)(tick < 3 ? 1 : 0), Large = ulong.MaxValue - 9 + (ulong)tick };
                world.Ball.X = tick * 0.25f;
                world.Scores[1] = (ushort)tick;
                world.Name[0] = (byte)'a';
                Check(recorder.Push(ref world), "a push is accepted");
                if (tick == 3) Check(recorder.Event(new Goal { Player = 2, Speed = 12.5f }), "an event is accepted");
            }
            var late = new World();
            Check(!recorder.Push(3, 0, ref late), "a tick that does not rise is refused");
            Check(recorder.Counters.Refused == 1, "it is counted");
            Check(recorder.Close().Written == 10, "ten ticks are written");
            Check(recorder.Counters.Written == 10, "the counters stay");
            Check(Failure(() => recorder.Pump()) == "ObjectDisposedException", "a closed recorder says so");
        }
        return path;
    }

    private static void RecordedMatchIsSound()
    {
        string path = RecordMatch();
        string printed;
        Check(Run(out printed, "verify", path) == 0, "the program accepts the recording");
        Check(Run(out printed, "cat", path) == 0, "the program reads the recording");
        using (Recording recording = Recording.Open(path))
        {
            Check(TextOf(recording) == printed, "its lines are those of cat");
            Check(printed.StartsWith("{\"tick\":0,\"time_ms\":0,\"Mode\":\"Idle\",\"Ball\":{\"X\":0,\"Y\":0,\"Z\":0},\"Scores\":[0,0],\"Name\":\"a\",\"heat\":20,\"IsDay\":true,\"Large\":18446744073709551606}"), printed.Split('\n')[0]);
            recording.Seek("7");
            Check(recording.Lines().First().StartsWith("{\"tick\":7,"), "seeks a tick");
            List<string> events = recording.Events();
            Check(events.Count == 1 && events[0].Contains("\"type\":\"Goal\"") && events[0].Contains("\"Speed\":12.5"), "has its event");
            Check(recording.Events(types: new[] { "Goal" }, from: "4").Count == 0, "events of a part");
            Check(Failure(() => recording.Events(types: new[] { "Gaol" })) == "invalid_argument", "an unknown type of events");
            Check(recording.Format == "reel" && recording.Info().Contains("\"ticks\":10"), "has its facts");
            Check(recording.Fields().Contains("{\"path\":\"Ball.X\",\"unit\":\"m\"}"), recording.Fields());
            Check(recording.Verify().Contains("\"ok\":true"), "verifies");
        }
        using (Recording recording = Recording.Open(File.ReadAllBytes(path))) Check(TextOf(recording) == printed, "reads memory");
    }

    private static void LargeEnumeratorsKeepTheirNames()
    {
        string path = Path.Combine(folder, "flags.reel");
        Flags[] values = { Flags.None, Flags.Highest, Flags.Low, Flags.All, (Flags)(ulong.MaxValue - 1) };
        using (var recorder = new Recorder<Holder>(path, new RecordOptions { TicksPerSecond = 60, LossPolicy = LossPolicy.Block }))
        {
            foreach (Flags each in values)
            {
                var holder = new Holder { Flags = each };
                Check(recorder.Push(ref holder), "a push is accepted");
            }
        }
        using (Recording recording = Recording.Open(path))
        {
            string[] words = recording.Lines().Select(each => each.Substring(each.IndexOf("\"Flags\":"))).ToArray();
            string[] expected = { "\"None\"", "\"Highest\"", "\"Low\"", "\"All\"", "18446744073709551614" };
            for (int i = 0; i < values.Length; ++i) Check(words[i] == "\"Flags\":" + expected[i] + "}", words[i]);
        }
    }

    private static void OptionalMembersAreAbsent()
    {
        string path = Path.Combine(folder, "optional.reel");
        using (var recorder = new Recorder<Sighting>(path, new RecordOptions { TicksPerSecond = 60, LossPolicy = LossPolicy.Block }))
        {
            for (int tick = 0; tick < 3; ++tick)
            {
                var seen = new Sighting { Target = 7, HasTarget = (byte)(tick == 1 ? 0 : 1), IsAt = (byte)(tick == 0 ? 0 : 200) };
                seen.At.X = tick;
                Check(recorder.Push(ref seen), "a push is accepted");
            }
        }
        string printed;
        Check(Run(out printed, "cat", path) == 0, "the program reads optional members");
        string[] expected = {
            "\"Target\":7,\"At\":null}", "\"Target\":null,\"At\":{\"X\":1,\"Y\":0,\"Z\":0}}", "\"Target\":7,\"At\":{\"X\":2,\"Y\":0,\"Z\":0}}"
        };
        string[] lines = printed.Split('\n');
        for (int i = 0; i < expected.Length; ++i) Check(lines[i].EndsWith(expected[i]) && !lines[i].Contains("Has"), lines[i]);
        using (Recording recording = Recording.Open(path))
        using (Columns columns = recording.Columns("Target"))
        {
            Check(columns["Target"].IsValid(0) && !columns["Target"].IsValid(1), "an absent value is null");
        }
        Check(Failure(() => new Recorder<Unflagged>(path + "2")) == "NotSupportedException", "a flag that is not there");
    }

    private static void FixedPointNumbers()
    {
        string path = Path.Combine(folder, "fixed.reel");
        using (var recorder = new Recorder<Heights>(path, new RecordOptions { TicksPerSecond = 60, LossPolicy = LossPolicy.Block }))
        {
            var heights = new Heights { Height = -128 };
            heights.Many[1] = 7;
            Check(recorder.Push(ref heights), "a push is accepted");
        }
        using (Recording recording = Recording.Open(path))
        {
            string line = recording.Lines().First();
            Check(line.EndsWith("\"Height\":-0.5,\"Many\":[0,3.5]}"), line);
        }
        Check(Failure(() => new Recorder<Wrong>(path + "2")) == "invalid_argument", "only signed integers have fraction bits");
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit { public ulong Now, Most; }
    [DllImport("libc")] private static extern int getrlimit(int resource, out Limit limit);
    [DllImport("libc")] private static extern int setrlimit(int resource, ref Limit limit);
    [DllImport("libc")] private static extern IntPtr signal(int number, IntPtr action);

    // On Linux; the signal of a file that is too large is ignored.
    private static void LimitFileSize(ulong? bytes)
    {
        const int fileSize = 1, tooLarge = 25;
        signal(tooLarge, new IntPtr(1));
        Limit limit;
        Check(getrlimit(fileSize, out limit) == 0, "has a limit");
        limit.Now = bytes ?? limit.Most;
        Check(setrlimit(fileSize, ref limit) == 0, "takes a limit");
    }

    private static void LogsAFullDisk()
    {
        foreach (bool pumped in new[] { false, true })
        {
            var lines = new List<string>();
            var refused = new List<string>();
            Recorder<Goal> recorder = null;
            Action<string, string> log = (code, sentence) => {
                refused.Add(Failure(() => recorder.Close()) + " " + Failure(() => recorder.Dispose()) + " " + (recorder.Counters.Pushed > 0));
                GC.Collect();
                bool isHere = Thread.CurrentThread == mainThread;
                lock (lines) lines.Add(code + " " + isHere + " " + (sentence.Length > 10));
                throw new InvalidOperationException("is ignored");
            };
            recorder = new Recorder<Goal>(Path.Combine(folder, "full" + pumped + ".reel"),
                                          new RecordOptions { TicksPerSecond = 60, SealIntervalMs = 1, IsPumped = pumped, Log = log });
            log = null;
            GC.Collect();
            LimitFileSize(100);  // the header has more
            PushUntil(recorder, lines, 1);
            LimitFileSize(null);
            PushUntil(recorder, lines, 2);
            Counters counters = recorder.Close();
            Check(counters.Written + counters.Lost == counters.Pushed, "every tick is counted");
            Check(lines.SequenceEqual(new[] { "io_failed " + pumped + " True", "ok " + pumped + " True" }), string.Join(", ", lines));
            Check(refused.Count == 2 && refused.All(each => each == "InvalidOperationException InvalidOperationException True"), string.Join(", ", refused));
        }
    }

    private static void LimitsMemory()
    {
        string path = Path.Combine(folder, "limited.reel");
        string failure = Failure(() => new Recorder<Goal>(path, new RecordOptions { MemoryBytes = 1000 }));
        Check(failure == "over_limit", failure);
        using (var recorder = new Recorder<Goal>(path, new RecordOptions { TicksPerSecond = 60, MemoryBytes = 2000000 }))
        {
            var goal = new Goal();
            Check(recorder.Push(ref goal), "a push is accepted within a limit of memory");
        }
    }

    private static readonly Thread mainThread = Thread.CurrentThread;

    // The limit only ends a test that fails.
    private static void PushUntil(Recorder<Goal> recorder, List<string> lines, int count)
    {
        for (var time = Stopwatch.StartNew(); time.Elapsed.TotalSeconds < 120; Thread.Sleep(1))
        {
            lock (lines) if (lines.Count >= count) return;
            var goal = new Goal();
            recorder.Push(ref goal);
            recorder.Pump();
        }
        Check(false, "the log has no line");
    }

    private static void ExceptionsOfEventsAreThrown()
    {
        string path = Path.Combine(folder, "events.reel");
        using (var recorder = new Recorder<Goal>(path, new RecordOptions { TicksPerSecond = 60, LossPolicy = LossPolicy.Block }))
        {
            for (int tick = 0; tick < 4; ++tick)
            {
                var goal = new Goal { Player = tick };
                recorder.Push(ref goal);
                recorder.Event(goal);
            }
        }
        using (Recording recording = Recording.Open(path))
        {
            foreach (Exception thrown in new Exception[] { new OutOfMemoryException(), new OverflowException(), new KeyNotFoundException() })
            {
                int events = 0;
                Exception caught = null;
                try
                {
                    recording.EachEvent(line => { if (++events == 2) throw thrown; }, null, null, null, null);
                }
                catch (Exception failure)
                {
                    caught = failure;
                }
                Check(ReferenceEquals(caught, thrown) && events == 2, thrown.GetType().Name + " ends the events and is thrown");
                // Mono unwinds C, too, so the call above succeeds even if the callback throws.
                var listener = new Recording.Listener { Each = line => { throw thrown; } };
                GCHandle user = GCHandle.Alloc(listener);
                int result = 0;
                using (var texts = new NativeTexts())
                {
                    Check(Failure(() => result = Recording.Keep(GCHandle.ToIntPtr(user), texts.Add("{}"), new UIntPtr(2))) == "none", "the callback throws nothing");
                }
                user.Free();
                Check(result == 1 && ReferenceEquals(listener.Failure, thrown), "it stops and keeps the exception");
            }
            Check(Failure(() => recording.Events(player: "a\0b")) == "ArgumentException", "a zero character");
            Check(recording.Events().Count == 4, "all events are there afterwards");
        }
    }

    private static void ColumnsAreSpans()
    {
        Recording recording = Recording.Open(RecordMatch());
        Columns columns = recording.Columns("Ball.X", "Mode", "Large", "IsDay", "none");
        recording.Dispose();
        Check(columns["Ball.X"].Doubles[9] == 2.25 && columns["Ball.X"].Count == 10, "floats");
        Check(columns["time_ms"].Longs[6] == 100 && columns["tick"].ULongs[9] == 9, "the first two columns");
        Check((string)columns["Mode"][4] == "Idle" && (string)columns["Mode"][5] == "Playing", "texts");
        Check(columns["Large"].ULongs[9] == ulong.MaxValue, "large numbers");
        Check(columns["IsDay"].Bools[2] && !columns["IsDay"].Bools[3], "truths");
        Check(columns["none"].Type == ColumnType.Empty && columns["none"][0] == null && !columns["none"].IsValid(0), "missing values");
        Check(Failure(() => { var wrong = columns["Mode"].Doubles; }) == "InvalidOperationException", "another type");
        Column kept = columns["Ball.X"];
        columns.Dispose();
        Check(Failure(() => { object gone = kept[0]; }) == "ObjectDisposedException", "disposed columns say so");
    }

    private static void MistakesAreExceptions()
    {
        string path = RecordMatch2();
        Check(Failure(() => new Recorder<World>(path)) == "already_exists", "a file that exists");
        Check(Failure(() => Recording.Open(Path.Combine(folder, "none.reel"))) == "not_found", "a missing file");
        Check(Failure(() => Recording.Open(new byte[] { 1, 2, 3 })) == "not_recognised", "unknown bytes");
        Check(Failure(() => new Recorder<Managed>(path)) == "NotSupportedException", "a struct with a reference");
        Recording closed = Recording.Open(path);
        closed.Dispose();
        Check(Failure(() => closed.Info()) == "ObjectDisposedException", "a closed recording says so");
    }

    private static string RecordMatch2()
    {
        string path = Path.Combine(folder, "second.reel");
        using (var recorder = new Recorder<Goal>(path, new RecordOptions { TicksPerSecond = 10, IsPumped = true }))
        {
            var live = Recording.Open(path, live: true);
            Check(!live.Lines().Any(), "nothing is there at first");
            var goal = new Goal { Player = 1 };
            recorder.Push(ref goal);
            Check(recorder.Pump() == 1, "pumps");
            recorder.Close();
            Check(live.Extend() && live.Lines().Count() == 1 && !live.Extend(), "follows a live recording");
            live.Dispose();
        }
        return path;
    }

    private static void ConvertsFiles()
    {
        string path = Path.Combine(folder, "match.reel");
        string csv = Path.Combine(folder, "match.csv");
        Check(Files.Convert(path, csv).Contains("\"ticks\":10"), "converts");
        Check(Failure(() => Files.Convert(path, csv)) == "already_exists", "overwrites nothing");
        string table = Path.Combine(folder, "match.parquet");
        Check(Files.Convert(path, table).Contains("\"ticks\":10"), "writes a table");
        Check(Encoding.ASCII.GetString(File.ReadAllBytes(table), 0, 4) == "PAR1", "it is one");
        string clip = Path.Combine(folder, "clip.reel");
        Files.Convert(path, clip, from: "2", to: "4");
        Check(Recording.Open(clip).Lines().Count() == 3, "clips");
        Check(Files.Recover(path, clip, overwrite: true).Contains("\"ticks\":10"), "recovers");
    }

    private static void EveryRecordingReadsAsCatPrintsIt()
    {
        var folders = new List<string> { Environment.GetEnvironmentVariable("TICKREEL_KEPT_RECORDINGS") };
        string shared = Environment.GetEnvironmentVariable("TICKREEL_SHARED_DATA");
        if (Directory.Exists(shared)) folders.Add(shared);
        else Console.WriteLine("ABSENT: " + shared + ": tests on real recordings are left out");
        int read = 0;
        foreach (string path in folders.SelectMany(each => Directory.EnumerateFiles(each, "*", SearchOption.AllDirectories)).OrderBy(each => each, StringComparer.Ordinal))
        {
            string printed;
            int code = Run(out printed, "cat", path);
            try
            {
                using (Recording recording = Recording.Open(path))
                {
                    Check(TextOf(recording) == printed, path);
                    Check((recording.Losses() == "[]") == (code == 0), path + ": losses");
                }
                ++read;
            }
            catch (TickreelException failed)
            {
                Check(code == 1, path + ": " + failed.Message);
            }
        }
        Console.WriteLine(read + " recordings");
        Check(read >= 10, "there are recordings");
    }

    public static int Main(string[] arguments)
    {
        folder = arguments[0];
        RecordedMatchIsSound();
        LargeEnumeratorsKeepTheirNames();
        OptionalMembersAreAbsent();
        FixedPointNumbers();
        LogsAFullDisk();
        LimitsMemory();
        ExceptionsOfEventsAreThrown();
        File.Delete(Path.Combine(folder, "match.reel"));
        ColumnsAreSpans();
        MistakesAreExceptions();
        ConvertsFiles();
        EveryRecordingReadsAsCatPrintsIt();
        Console.WriteLine(failures + " failures");
        return failures == 0 ? 0 : 1;
    }
}
