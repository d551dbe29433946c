// Reads recordings of any format.
using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Tickreel
{
    /// <summary>An open recording: .butter, .echoreplay, .icrep, .rec, .SC2Replay, gamecache, .tape, .nevrcap, .mcap, or a reel. One thread at a time.</summary>
    public sealed class Recording : IDisposable
    {
        private delegate int TextFunction(IntPtr handle, out Native.Text text);

        // The finalizer can run during the last method call: each method that passes the handle to C ends with GC.KeepAlive(this).
        private IntPtr handle;

        private Recording(IntPtr opened)
        {
            handle = opened;
        }

        ~Recording()
        {
            Free();
        }

        /// <summary>The content decides the format.</summary>
        public static Recording Open(string path, bool live = false, bool repair = false)
        {
            IntPtr made;
            Native.OpenOptions options = OptionsOf(live, repair);
            Native.Check(Native.tickreel_open(Native.Bytes(path), ref options, out made));
            return new Recording(made);
        }

        public static Recording Open(byte[] bytes, bool repair = false)
        {
            IntPtr made;
            Native.OpenOptions options = OptionsOf(false, repair);
            options.IsCopied = 1;
            Native.Check(Native.tickreel_open_memory(bytes, new UIntPtr((ulong)bytes.LongLength), ref options, out made));
            return new Recording(made);
        }

        private static Native.OpenOptions OptionsOf(bool live, bool repair)
        {
            return new Native.OpenOptions {
                StructBytes = Native.SizeOf<Native.OpenOptions>(), IsLive = live ? 1u : 0u, IsRepair = repair ? 1u : 0u
            };
        }

        public string Format
        {
            get
            {
                string format = Native.Utf8(Native.tickreel_format(Opened()));
                GC.KeepAlive(this);
                return format;
            }
        }

        /// <summary>What `tickreel info --json` prints.</summary>
        public string Info() { return Text(Native.tickreel_info); }
        /// <summary>A JSON array of matches with a row for each player.</summary>
        public string Statistics() { return Text(Native.tickreel_statistics); }
        /// <summary>What `tickreel verify --json` prints.</summary>
        public string Verify() { return Text(Native.tickreel_verify); }
        /// <summary>A JSON array of sentences: what is missing up to the tick at hand.</summary>
        public string Losses() { return Text(Native.tickreel_losses); }
        /// <summary>A JSON array of the numbers that ticks have.</summary>
        public string Fields() { return Text(Native.tickreel_fields); }
        /// <summary>A JSON array of the types that Events() takes.</summary>
        public string EventTypes() { return Text(Native.tickreel_event_types); }
        /// <summary>The lines that `tickreel cat` prints before the first tick, and behind the last one.</summary>
        public string LinesBefore() { return Text(Native.tickreel_lines_before); }
        public string LinesAfter() { return Text(Native.tickreel_lines_after); }

        public void Rewind()
        {
            Native.Check(Native.tickreel_rewind(Opened()));
            GC.KeepAlive(this);
        }

        /// <summary>Lines() then begins at a place: "120" (a tick), "90s", "08:30" (the game clock).</summary>
        public void Seek(string place)
        {
            Native.Check(Native.tickreel_seek(Opened(), Native.Bytes(place)));
            GC.KeepAlive(this);
        }

        /// <summary>Each tick from the one at hand on, as the line that `tickreel cat` prints.</summary>
        public IEnumerable<string> Lines()
        {
            for (;;)
            {
                int code = Native.tickreel_next(Opened(), IntPtr.Zero);
                GC.KeepAlive(this);
                if (code == Native.End) yield break;
                Native.Check(code);
                yield return Text(Native.tickreel_tick_json);
            }
        }

        /// <summary>Of a live recording: takes in what was recorded since. True if it grew.</summary>
        public bool Extend()
        {
            int growth;
            Native.Check(Native.tickreel_extend(Opened(), out growth));
            GC.KeepAlive(this);
            if (growth == 2) throw new InvalidOperationException("another recording has this name now: open it again");
            return growth == 1;
        }

        /// <summary>Events, each as the line that `tickreel events` prints.</summary>
        public List<string> Events(string[] types = null, string player = null, string from = null, string to = null)
        {
            var found = new List<string>();
            EachEvent(found.Add, types, player, from, to);
            return found;
        }

        // An exception of `each` ends the call and is thrown again after it.
        internal void EachEvent(Action<string> each, string[] types, string player, string from, string to)
        {
            var listener = new Listener { Each = each };
            GCHandle user = GCHandle.Alloc(listener);
            try
            {
                using (var texts = new NativeTexts())
                {
                    var query = new Native.EventQuery();
                    query.StructBytes = Native.SizeOf<Native.EventQuery>();
                    query.Player = texts.Add(player);
                    query.From = texts.Add(from);
                    query.To = texts.Add(to);
                    if (types != null)
                    {
                        query.TypeCount = (uint)types.Length;
                        query.Types = texts.Reserve(IntPtr.Size * types.Length);
                        for (int i = 0; i < types.Length; ++i) Marshal.WriteIntPtr(query.Types, i * IntPtr.Size, texts.Add(types[i]));
                    }
                    int code = Native.tickreel_events(Opened(), ref query, KeepEvent, GCHandle.ToIntPtr(user));
                    if (listener.Failure != null) ExceptionDispatchInfo.Capture(listener.Failure).Throw();
                    Native.Check(code);
                }
            }
            finally
            {
                user.Free();
                GC.KeepAlive(this);
            }
        }

        internal sealed class Listener
        {
            internal Action<string> Each;
            internal Exception Failure;
        }

        // Static, because IL2CPP passes no other function to C. Its attribute is found by name.
        private static readonly Native.JsonFunction KeepEvent = Keep;
        [MonoPInvokeCallback(typeof(Native.JsonFunction))]
        internal static int Keep(IntPtr user, IntPtr json, UIntPtr bytes)
        {
            var listener = (Listener)GCHandle.FromIntPtr(user).Target;
            try
            {
                listener.Each(Native.Utf8(json, checked((int)bytes.ToUInt64())));
                return 0;
            }
            catch (Exception failure)
            {
                listener.Failure = failure;
                return 1;  // no exception may pass through C
            }
        }

        /// <summary>Reads the values at paths such as "teams[0].players[1].velocity[2]" from all ticks.</summary>
        public Columns Columns(params string[] paths)
        {
            IntPtr made;
            using (var texts = new NativeTexts())
            {
                var natives = new IntPtr[paths.Length];
                for (int i = 0; i < paths.Length; ++i) natives[i] = texts.Add(paths[i]);
                Native.Check(Native.tickreel_read_columns(Opened(), natives, (uint)natives.Length, out made));
            }
            GC.KeepAlive(this);
            return new Columns(made);
        }

        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            IntPtr old = handle;
            handle = IntPtr.Zero;
            if (old != IntPtr.Zero) Native.tickreel_recording_free(old);
        }

        private IntPtr Opened()
        {
            if (handle == IntPtr.Zero) throw new ObjectDisposedException("Recording");
            return handle;
        }

        private string Text(TextFunction function)
        {
            Native.Text text;
            Native.Check(function(Opened(), out text));
            string copy = Native.Utf8(text);
            GC.KeepAlive(this);  // the text belongs to the recording
            return copy;
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }

    public enum ColumnType
    {
        Empty = 0,
        Bool = 1,
        Int64 = 2,
        UInt64 = 3,
        Float64 = 4,
        Text = 5
    }

    /// <summary>
    /// Columns by name: "tick" and "time_ms", then those that were asked for. They own the memory of all spans, and a span
    /// does not keep them alive: hold them, best by `using`, until the last span was used.
    /// </summary>
    public sealed class Columns : IDisposable
    {
        internal IntPtr Handle;
        private readonly Dictionary<string, Column> byName = new Dictionary<string, Column>();
        public readonly List<Column> All = new List<Column>();

        internal Columns(IntPtr made)
        {
            Handle = made;
            for (uint i = 0; i < Native.tickreel_column_count(made); ++i)
            {
                var data = new Native.ColumnData { StructBytes = Native.SizeOf<Native.ColumnData>() };
                Native.Check(Native.tickreel_column_at(made, i, ref data));
                var column = new Column(this, data);
                All.Add(column);
                if (!byName.ContainsKey(column.Name)) byName.Add(column.Name, column);
            }
            GC.KeepAlive(this);
        }

        ~Columns()
        {
            Free();
        }

        public Column this[string name] { get { return byName[name]; } }

        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            IntPtr old = Handle;
            Handle = IntPtr.Zero;
            if (old != IntPtr.Zero) Native.tickreel_columns_free(old);
        }
    }

    /// <summary>One value per tick, in memory of the library until Columns is disposed. A column keeps its Columns alive.</summary>
    public sealed unsafe class Column
    {
        private readonly Columns owner;
        private readonly Native.ColumnData data;

        internal Column(Columns owner, Native.ColumnData data)
        {
            this.owner = owner;
            this.data = data;
            Name = Native.Utf8(data.Name);
        }

        public readonly string Name;
        public ColumnType Type { get { return (ColumnType)data.Type; } }
        public int Count { get { return checked((int)data.Count); } }
        public ulong NullCount { get { return data.NullCount; } }

        /// <summary>
        /// Without a copy; where a tick lacks the value it is 0. The span is valid until Columns is disposed or collected, and
        /// does not prevent that: dispose Columns, or call GC.KeepAlive(columns), after the last use of the span.
        /// </summary>
        public ReadOnlySpan<double> Doubles { get { return new ReadOnlySpan<double>(Values(ColumnType.Float64), Count); } }
        public ReadOnlySpan<long> Longs { get { return new ReadOnlySpan<long>(Values(ColumnType.Int64), Count); } }
        public ReadOnlySpan<ulong> ULongs { get { return new ReadOnlySpan<ulong>(Values(ColumnType.UInt64), Count); } }
        public ReadOnlySpan<bool> Bools { get { return new ReadOnlySpan<bool>(Values(ColumnType.Bool), Count); } }

        /// <summary>Whether that tick has the value.</summary>
        public bool IsValid(int tick)
        {
            Check(tick);
            bool valid = data.Validity == IntPtr.Zero || (((byte*)data.Validity)[tick / 8] >> (tick % 8) & 1) == 1;
            GC.KeepAlive(owner);
            return valid;
        }

        /// <summary>The value of any column, as an object: null, bool, long, ulong, double or string.</summary>
        public object this[int tick]
        {
            get
            {
                object value = IsValid(tick) ? Read(tick) : null;
                GC.KeepAlive(owner);
                return value;
            }
        }

        private object Read(int tick)
        {
            switch (Type)
            {
                case ColumnType.Bool: return ((byte*)data.Values)[tick] != 0;
                case ColumnType.Int64: return ((long*)data.Values)[tick];
                case ColumnType.UInt64: return ((ulong*)data.Values)[tick];
                case ColumnType.Float64: return ((double*)data.Values)[tick];
                case ColumnType.Text:
                    long begin = ((long*)data.Offsets)[tick];
                    return Native.Utf8(new IntPtr((byte*)data.Values + begin), checked((int)(((long*)data.Offsets)[tick + 1] - begin)));
                default: return null;
            }
        }

        private void Check(int tick)
        {
            if (owner.Handle == IntPtr.Zero) throw new ObjectDisposedException("Columns");
            if (tick < 0 || tick >= Count) throw new ArgumentOutOfRangeException("tick");
        }

        private void* Values(ColumnType wanted)
        {
            if (owner.Handle == IntPtr.Zero) throw new ObjectDisposedException("Columns");
            if (Type != wanted) throw new InvalidOperationException(Name + " is a column of " + Type);
            return (void*)data.Values;
        }
    }

    /// <summary>Conversions of files. Each returns a report as JSON: "outputs", "ticks", "bytes", "lost", "left_out".</summary>
    public static class Files
    {
        public static string Version { get { return Native.Utf8(Native.tickreel_version()); } }

        /// <summary>The output's name decides its format, also ".parquet". `from` and `to` are places: "120", "90s", "08:30".</summary>
        public static string Convert(string input, string output, string from = null, string to = null, bool overwrite = false)
        {
            using (var texts = new NativeTexts())
            {
                Native.Text report;
                Native.FileOptions options = OptionsOf(overwrite);
                options.From = texts.Add(from);
                options.To = texts.Add(to);
                Native.Check(Native.tickreel_convert(Native.Bytes(input), Native.Bytes(output), ref options, out report));
                return Native.Utf8(report);
            }
        }

        /// <summary>An empty output: a name beside the input.</summary>
        public static string Recover(string input, string output = "", bool overwrite = false)
        {
            Native.Text report;
            Native.FileOptions options = OptionsOf(overwrite);
            Native.Check(Native.tickreel_recover(Native.Bytes(input), Native.Bytes(output), ref options, out report));
            return Native.Utf8(report);
        }

        private static Native.FileOptions OptionsOf(bool overwrite)
        {
            return new Native.FileOptions { StructBytes = Native.SizeOf<Native.FileOptions>(), Overwrites = overwrite ? 1u : 0u };
        }
    }
}
