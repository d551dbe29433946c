// Records unmanaged structs, which attributes describe.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tickreel
{
    /// <summary>What is known of a member of a recorded struct. Members without it are recorded bit for bit.</summary>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class FieldAttribute : Attribute
    {
        /// <summary>Its name in the recording; null: that of the member.</summary>
        public string Name { get; set; }
        /// <summary>For display: "m/s".</summary>
        public string Unit { get; set; }
        /// <summary>A hint that floats have at most so many digits after the point; -1: none.</summary>
        public int Decimals { get; set; }
        /// <summary>The error that floats may have; 0: none.</summary>
        public double Tolerance { get; set; }
        /// <summary>A fixed buffer of bytes is UTF-8 text up to its first zero.</summary>
        public bool IsText { get; set; }
        /// <summary>A signed integer counts 1 / 2^FractionBits: with 8, the number 128 is recorded as 0.5.</summary>
        public int FractionBits { get; set; }
        /// <summary>A byte is recorded as true or false. A bool in C# has another size in C.</summary>
        public bool IsBool { get; set; }
        /// <summary>
        /// The name of a byte of the same struct: while it is 0 the value is absent. The byte itself is not recorded. Not of arrays.
        /// </summary>
        public string PresentIf { get; set; }
        /// <summary>Not recorded.</summary>
        public bool IsIgnored { get; set; }

        public FieldAttribute()
        {
            Decimals = -1;
        }
    }

    /// <summary>What happens to a tick if the ring is full.</summary>
    public enum LossPolicy
    {
        DropNewest = 0,
        DropOldest = 1,
        /// <summary>Push waits: for tools, never for games.</summary>
        Block = 2
    }

    public sealed class RecordOptions
    {
        /// <summary>0: Push takes the time of the clock.</summary>
        public double TicksPerSecond { get; set; }
        public LossPolicy LossPolicy { get; set; }
        /// <summary>0: 256, or as many more as fit into 8 MB.</summary>
        public uint RingTicks { get; set; }
        /// <summary>A crash loses at most this; 0: 1000.</summary>
        public uint SealIntervalMs { get; set; }
        /// <summary>No thread of its own: the game calls Pump().</summary>
        public bool IsPumped { get; set; }
        /// <summary>Close() rewrites the reel for archives.</summary>
        public bool IsCompact { get; set; }
        /// <summary>
        /// Called with the name of a code and a sentence when writing starts to fail, "no_space", and when it works again, "ok". On
        /// the writer thread, or in Pump(), Close() and Dispose(), so in Unity it uses no scene. It may read Counters, but not close
        /// the recorder. Its exceptions are ignored.
        /// </summary>
        public Action<string, string> Log { get; set; }
    }

    /// <summary>Totals of a recorder.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Counters
    {
        internal uint StructBytes;
        private readonly uint isWhole;
        public readonly ulong Pushed, Dropped, Refused, Written, Lost, Events, EventsLost, RawBytes, StoredBytes;
        /// <summary>Nothing was dropped, lost or refused.</summary>
        public bool IsWhole { get { return isWhole == 1; } }
    }

    /// <summary>A struct as the library knows it. One for each type, for the life of the program: it is never freed.</summary>
    internal sealed class Description
    {
        private static readonly Dictionary<Type, Description> Known = new Dictionary<Type, Description>();
        private static readonly Dictionary<Type, int> Scalars = new Dictionary<Type, int> {
            { typeof(float), 1 }, { typeof(double), 2 }, { typeof(sbyte), 3 }, { typeof(short), 4 }, { typeof(int), 5 },
            { typeof(long), 6 }, { typeof(byte), 7 }, { typeof(ushort), 8 }, { typeof(uint), 9 }, { typeof(ulong), 10 }
        };
        private const int BoolType = 11, TextType = 12, StructType = 13;
        private const uint OptionalFlag = 1;

        internal readonly IntPtr Handle;
        internal readonly int Bytes;
        internal readonly int Alignment;

        internal static Description Of<T>() where T : struct
        {
            Description made = Of(typeof(T));
            if (made.Bytes != Marshal.SizeOf(typeof(T)))
            {
                throw new NotSupportedException(typeof(T) + " is not laid out in the order of its members");
            }
            return made;
        }

        private static Description Of(Type type)
        {
            lock (Known)
            {
                Description made;
                if (!Known.TryGetValue(type, out made)) Known[type] = made = new Description(type);
                return made;
            }
        }

        private static int SizeOf(Type type)
        {
            if (type.IsEnum) type = Enum.GetUnderlyingType(type);
            return Scalars.ContainsKey(type) ? Marshal.SizeOf(type) : Of(type).Bytes;
        }

        private static int AlignmentOf(Type type)
        {
            if (type.IsEnum) type = Enum.GetUnderlyingType(type);
            return Scalars.ContainsKey(type) ? SizeOf(type) : Of(type).Alignment;
        }

        private static int RoundUp(int value, int to)
        {
            return (value + to - 1) / to * to;
        }

        private Description(Type type)
        {
            StructLayoutAttribute layout = type.StructLayoutAttribute;
            if (!type.IsValueType || type.IsPrimitive || layout == null || layout.Value == LayoutKind.Auto)
            {
                throw new NotSupportedException(type + " cannot be recorded: use numbers, enumerations, fixed buffers, structs of them, and a byte with IsBool");
            }
            int pack = layout.Pack == 0 ? 8 : layout.Pack;
            int end = 0;
            Alignment = 1;
            var natives = new List<Native.Field>();
            var bytes = new Dictionary<string, int>();
            var optional = new Dictionary<int, string>();
            var recorded = new List<FieldInfo>();
            using (var texts = new NativeTexts())
            {
                // In the order in which they were declared.
                foreach (FieldInfo member in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                                                 .OrderBy(each => each.MetadataToken))
                {
                    var said = (FieldAttribute)Attribute.GetCustomAttribute(member, typeof(FieldAttribute)) ?? new FieldAttribute();
                    var buffer = (FixedBufferAttribute)Attribute.GetCustomAttribute(member, typeof(FixedBufferAttribute));
                    Type item = buffer == null ? member.FieldType : buffer.ElementType;
                    int alignment = Math.Min(pack, AlignmentOf(item));
                    var explicitly = (FieldOffsetAttribute)Attribute.GetCustomAttribute(member, typeof(FieldOffsetAttribute));
                    int offset = explicitly != null ? explicitly.Value : RoundUp(end, alignment);
                    end = Math.Max(end, offset + SizeOf(item) * (buffer == null ? 1 : buffer.Length));
                    Alignment = Math.Max(Alignment, alignment);
                    if (item == typeof(byte) && buffer == null) bytes[member.Name] = offset;
                    if (said.IsIgnored) continue;
                    if (said.PresentIf != null) optional[natives.Count] = said.PresentIf;
                    recorded.Add(member);
                    natives.Add(Describe(member, said, buffer, item, offset, texts));
                }
                foreach (KeyValuePair<int, string> each in optional)
                {
                    int flag;
                    if (!bytes.TryGetValue(each.Value, out flag)) throw new NotSupportedException(type + ": PresentIf names no byte " + each.Value);
                    Native.Field field = natives[each.Key];
                    field.Flags = OptionalFlag;
                    field.FlagOffset = (uint)flag;
                    natives[each.Key] = field;
                }
                for (int i = natives.Count; i-- > 0;)
                {
                    if (optional.ContainsValue(recorded[i].Name)) natives.RemoveAt(i);
                }
                Bytes = Math.Max(layout.Size, RoundUp(end, Alignment));
                Native.Check(Native.tickreel_describe(Native.Bytes(type.Name), (uint)Bytes, natives.ToArray(),
                                                      (uint)natives.Count, out Handle));
            }
        }

        private static Native.Field Describe(FieldInfo member, FieldAttribute said, FixedBufferAttribute buffer, Type item,
                                             int offset, NativeTexts texts)
        {
            var to = new Native.Field();
            to.StructBytes = Native.SizeOf<Native.Field>();
            to.Name = texts.Add(said.Name ?? member.Name);
            to.Offset = (uint)offset;
            to.Count = buffer == null ? 0 : (uint)buffer.Length;
            to.Unit = texts.Add(said.Unit);
            to.FractionBits = checked((uint)said.FractionBits);
            if (said.Decimals >= 0)
            {
                to.Precision = 1;
                to.Decimals = (uint)said.Decimals;
            }
            if (said.Tolerance != 0)
            {
                to.Precision = 2;
                to.Tolerance = said.Tolerance;
            }
            if (said.IsText)
            {
                if (buffer == null || item != typeof(byte)) throw new NotSupportedException("a text is a fixed buffer of bytes");
                to.Type = TextType;
                to.TextBytes = to.Count;
                to.Count = 0;
            }
            else if (said.IsBool)
            {
                if (item != typeof(byte)) throw new NotSupportedException("IsBool is for a byte");
                to.Type = BoolType;
            }
            else if (item.IsEnum)
            {
                to.Type = Scalars[Enum.GetUnderlyingType(item)];
                DescribeEnum(item, ref to, texts);
            }
            else if (!Scalars.TryGetValue(item, out to.Type))
            {
                to.Type = StructType;
                to.Of = Of(item).Handle;
            }
            return to;
        }

        private static void DescribeEnum(Type item, ref Native.Field to, NativeTexts texts)
        {
            string[] names = Enum.GetNames(item);
            Array values = Enum.GetValues(item);
            int size = Marshal.SizeOf(typeof(Native.Enumerator));
            to.EnumeratorCount = (uint)names.Length;
            to.Enumerators = texts.Reserve(size * names.Length);
            for (int i = 0; i < names.Length; ++i)
            {
                object value = values.GetValue(i);
                var one = new Native.Enumerator();
                one.Name = texts.Add(names[i]);
                one.Value = Enum.GetUnderlyingType(item) == typeof(ulong) ? unchecked((long)Convert.ToUInt64(value)) : Convert.ToInt64(value);
                Marshal.StructureToPtr(one, IntPtr.Add(to.Enumerators, i * size), false);
            }
        }
    }

    /// <summary>A struct at an address that stays.</summary>
    internal sealed class Pinned<T> : IDisposable where T : struct
    {
        private readonly T[] slot = new T[1];
        private GCHandle pin;
        internal readonly IntPtr Address;

        internal Pinned()
        {
            pin = GCHandle.Alloc(slot, GCHandleType.Pinned);
            Address = pin.AddrOfPinnedObject();
        }

        internal IntPtr Take(ref T value)
        {
            slot[0] = value;
            return Address;
        }

        public void Dispose()
        {
            if (pin.IsAllocated) pin.Free();
        }
    }

    /// <summary>The log of a recorder, which the garbage collector keeps until the recorder was freed.</summary>
    internal sealed class LogHook : IDisposable
    {
        [ThreadStatic] private static LogHook running;
        private readonly Action<string, string> log;
        private GCHandle self;

        internal LogHook(Action<string, string> log, ref Native.Options options)
        {
            this.log = log;
            self = GCHandle.Alloc(this);
            options.Log = CallLog;
            options.LogUser = GCHandle.ToIntPtr(self);
        }

        /// <summary>Whether this thread is inside of it, while the writer waits.</summary>
        internal bool IsRunning { get { return running == this; } }

        public void Dispose()
        {
            if (self.IsAllocated) self.Free();
        }

        // Static, because IL2CPP passes no other function to C.
        private static readonly Native.LogFunction CallLog = Call;
        [MonoPInvokeCallback(typeof(Native.LogFunction))]
        private static void Call(IntPtr user, int code, IntPtr sentence)
        {
            LogHook outer = running;
            try
            {
                running = (LogHook)GCHandle.FromIntPtr(user).Target;
                running.log(Native.Utf8(Native.tickreel_code_name(code)), Native.Utf8(sentence));
            }
            catch (Exception)
            {
                // No exception may pass through C, and nobody waits for it.
            }
            running = outer;
        }
    }

    /// <summary>Records structs of one type into a new reel. Push on one thread.</summary>
    public sealed class Recorder<T> : IDisposable where T : struct
    {
        // The finalizer can run during the last method call: each method that passes the handle to C ends with GC.KeepAlive(this).
        private IntPtr handle;
        private readonly Pinned<T> state;
        private readonly LogHook log;
        private readonly Dictionary<Type, IDisposable> events = new Dictionary<Type, IDisposable>();
        private Counters closed;

        /// <summary>The file must not exist.</summary>
        public Recorder(string path, RecordOptions options = null)
        {
            options = options ?? new RecordOptions();
            var native = new Native.Options();
            native.StructBytes = Native.SizeOf<Native.Options>();
            native.TicksPerSecond = options.TicksPerSecond;
            native.LossPolicy = (int)options.LossPolicy;
            native.RingTicks = options.RingTicks;
            native.SealIntervalMs = options.SealIntervalMs;
            native.IsPumped = options.IsPumped ? 1u : 0u;
            native.IsCompact = options.IsCompact ? 1u : 0u;
            IntPtr described = Description.Of<T>().Handle;
            state = new Pinned<T>();
            if (options.Log != null) log = new LogHook(options.Log, ref native);
            Native.Check(Native.tickreel_record(Native.Bytes(path), described, ref native, out handle));
        }

        ~Recorder()
        {
            Free();
        }

        /// <summary>Copies one tick into a ring: no allocation, lock or system call. False if it was dropped, which is counted.</summary>
        public bool Push(ref T now)
        {
            int pushed = Native.tickreel_push(Opened(), state.Take(ref now));
            GC.KeepAlive(this);
            return pushed == 1;
        }

        /// <summary>The same with the number of the tick, which rises, and its time in microseconds since the start.</summary>
        public bool Push(ulong tick, long timeUs, ref T now)
        {
            int pushed = Native.tickreel_push_at(Opened(), tick, timeUs, state.Take(ref now));
            GC.KeepAlive(this);
            return pushed == 1;
        }

        /// <summary>Records an event at the tick that was pushed last. False if it was dropped.</summary>
        public bool Event<E>(E happened) where E : struct
        {
            IDisposable known;
            if (!events.TryGetValue(typeof(E), out known)) events[typeof(E)] = known = new Pinned<E>();
            int recorded = Native.tickreel_event(Opened(), Description.Of<E>().Handle, ((Pinned<E>)known).Take(ref happened));
            GC.KeepAlive(this);
            return recorded == 1;
        }

        /// <summary>With IsPumped: writes what waits. Returns the number of ticks.</summary>
        public ulong Pump()
        {
            ulong ticks = Native.tickreel_pump(Opened());
            GC.KeepAlive(this);
            return ticks;
        }

        /// <summary>Writes the last milliseconds into a new reel; returns the number of its ticks.</summary>
        public ulong SaveLast(ulong milliseconds, string path)
        {
            var saved = new Native.Saved();
            saved.StructBytes = Native.SizeOf<Native.Saved>();
            Native.Check(Native.tickreel_save_last(Opened(), milliseconds, Native.Bytes(path), ref saved));
            GC.KeepAlive(this);
            return saved.Ticks;
        }

        public Counters Counters
        {
            get
            {
                if (handle == IntPtr.Zero) return closed;
                var counters = new Counters { StructBytes = Native.SizeOf<Counters>() };
                Native.Check(Native.tickreel_recorder_counters(handle, ref counters));
                GC.KeepAlive(this);
                return counters;
            }
        }

        /// <summary>Ends the reel. Dispose() does the same without a report.</summary>
        public Counters Close()
        {
            if (handle == IntPtr.Zero) return closed;
            CheckNotInLog();
            var counters = new Counters { StructBytes = Native.SizeOf<Counters>() };
            int code = Native.tickreel_close(handle, ref counters);
            closed = counters;
            try
            {
                Native.Check(code);
            }
            finally
            {
                Dispose();
            }
            return closed;
        }

        public void Dispose()
        {
            CheckNotInLog();
            Free();
            GC.SuppressFinalize(this);
        }

        private void CheckNotInLog()
        {
            if (log != null && log.IsRunning) throw new InvalidOperationException("a log cannot close its recorder, which waits for it");
        }

        private void Free()
        {
            IntPtr old = handle;
            handle = IntPtr.Zero;
            if (old != IntPtr.Zero) Native.tickreel_recorder_free(old);
            if (log != null) log.Dispose();
            if (state != null) state.Dispose();
            foreach (IDisposable each in events.Values) each.Dispose();
        }

        private IntPtr Opened()
        {
            if (handle == IntPtr.Zero) throw new ObjectDisposedException("Recorder");
            return handle;
        }
    }
}
