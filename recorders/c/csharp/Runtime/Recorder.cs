// Records unmanaged structs.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Tickreel
{
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
        /// <summary>Limits the memory of the recorder: the ring and the chunks become smaller. 0: no limit.</summary>
        public ulong MemoryBytes { get; set; }
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
            native.MemoryBytes = options.MemoryBytes;
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
