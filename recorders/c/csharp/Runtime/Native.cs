// The C ABI of libtickreel. recorders/c/include/tickreel.h documents every function.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Tickreel
{
    /// <summary>A failure of the library. Code is its name, such as "truncated".</summary>
    public sealed class TickreelException : Exception
    {
        public string Code { get; private set; }
        /// <summary>The byte offset in the input; null if there is none.</summary>
        public ulong? Offset { get; private set; }

        internal TickreelException(string code, string message, ulong? offset) : base(message)
        {
            Code = code;
            Offset = offset;
        }
    }

    internal static class Native
    {
        internal const int Ok = 0;
        internal const int End = -1;
        // libtickreel.so, tickreel.dll or libtickreel.dylib; in Unity that of Plugins.
        private const string Library = "tickreel";

        [StructLayout(LayoutKind.Sequential)]
        internal struct Text
        {
            internal IntPtr Data;
            internal UIntPtr Bytes;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Enumerator
        {
            internal IntPtr Name;
            internal long Value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Field
        {
            internal uint StructBytes;
            internal int Type;
            internal IntPtr Name;
            internal uint Offset, Count, Stride, TextBytes;
            internal IntPtr Of;
            internal uint Flags, FlagOffset, FractionBits, EnumeratorCount;
            internal IntPtr Enumerators;
            internal int Precision;
            internal uint Decimals;
            internal double Tolerance;
            internal int Relation;
            internal uint RelationRate;
            internal IntPtr First, Second, Unit;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Options
        {
            internal uint StructBytes;
            internal int LossPolicy;
            internal double TicksPerSecond;
            internal long StartTimeUs;
            internal uint RingTicks, SealIntervalMs, IsPumped, LeavesSync;
            internal IntPtr Metadata;
            internal uint MetadataCount, IsCompact;
            internal IntPtr Receive, ReceiveUser;
            internal LogFunction Log;
            internal IntPtr LogUser, Allocate, Release, MemoryUser;
            internal ulong MemoryBytes;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct OpenOptions
        {
            internal uint StructBytes, IsLive, IsRepair, IsCopied;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct EventQuery
        {
            internal uint StructBytes, TypeCount;
            internal IntPtr Types, Player, From, To;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ColumnData
        {
            internal uint StructBytes;
            internal int Type;
            internal IntPtr Name;
            internal ulong Count, NullCount;
            internal IntPtr Values, Validity, Offsets;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct FileOptions
        {
            internal uint StructBytes, Overwrites;
            internal IntPtr Format, From, To;
            internal uint KeyframeInterval, Reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Saved
        {
            internal uint StructBytes, Reserved;
            internal ulong FirstTick, LastTick, Ticks, LostTicks, Bytes;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int JsonFunction(IntPtr user, IntPtr json, UIntPtr bytes);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void LogFunction(IntPtr user, int code, IntPtr sentence);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr tickreel_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr tickreel_error();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern ulong tickreel_error_offset();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr tickreel_code_name(int code);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_describe(byte[] name, uint bytes, [In] Field[] fields, uint count, out IntPtr made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void tickreel_struct_free(IntPtr of);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_record(byte[] path, IntPtr of, ref Options options, out IntPtr made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_push(IntPtr recorder, IntPtr state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_push_at(IntPtr recorder, ulong tick, long timeUs, IntPtr state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_event(IntPtr recorder, IntPtr of, IntPtr happened);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern ulong tickreel_pump(IntPtr recorder);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_save_last(IntPtr recorder, ulong milliseconds, byte[] path, ref Saved saved);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_recorder_counters(IntPtr recorder, ref Counters counters);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_close(IntPtr recorder, ref Counters counters);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void tickreel_recorder_free(IntPtr recorder);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_open(byte[] path, ref OpenOptions options, out IntPtr made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_open_memory(byte[] bytes, UIntPtr size, ref OpenOptions options, out IntPtr made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void tickreel_recording_free(IntPtr recording);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr tickreel_format(IntPtr recording);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_info(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_next(IntPtr recording, IntPtr tick);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_tick_json(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_lines_before(IntPtr recording, out Text lines);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_lines_after(IntPtr recording, out Text lines);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_rewind(IntPtr recording);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_seek(IntPtr recording, byte[] place);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_losses(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_events(IntPtr recording, ref EventQuery query, JsonFunction each, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_event_types(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_statistics(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_verify(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_extend(IntPtr recording, out int growth);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_fields(IntPtr recording, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_read_columns(IntPtr recording, IntPtr[] paths, uint count, out IntPtr made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern uint tickreel_column_count(IntPtr columns);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_column_at(IntPtr columns, uint number, ref ColumnData made);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void tickreel_columns_free(IntPtr columns);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_convert(byte[] input, byte[] output, ref FileOptions options, out Text json);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int tickreel_recover(byte[] input, byte[] output, ref FileOptions options, out Text json);

        internal static uint SizeOf<T>()
        {
            return (uint)Marshal.SizeOf(typeof(T));
        }

        internal static void Check(int code)
        {
            if (code == Ok) return;
            ulong offset = tickreel_error_offset();
            throw new TickreelException(Utf8(tickreel_code_name(code)), Utf8(tickreel_error()),
                                        offset == ulong.MaxValue ? (ulong?)null : offset);
        }

        // With the zero byte that C needs.
        internal static byte[] Bytes(string text)
        {
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a text with a zero character");
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        internal static string Utf8(IntPtr text)
        {
            int size = 0;
            while (Marshal.ReadByte(text, size) != 0) ++size;
            return Utf8(text, size);
        }

        internal static string Utf8(IntPtr text, int size)
        {
            var bytes = new byte[size];
            Marshal.Copy(text, bytes, 0, size);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static string Utf8(Text text)
        {
            return Utf8(text.Data, checked((int)text.Bytes.ToUInt64()));
        }
    }

    /// <summary>Texts in memory that C sees, freed together.</summary>
    internal sealed class NativeTexts : IDisposable
    {
        private readonly System.Collections.Generic.List<IntPtr> all = new System.Collections.Generic.List<IntPtr>();

        internal IntPtr Add(string text)
        {
            return text == null ? IntPtr.Zero : AddBytes(Native.Bytes(text));
        }

        internal IntPtr AddBytes(byte[] bytes)
        {
            IntPtr memory = Reserve(bytes.Length);
            Marshal.Copy(bytes, 0, memory, bytes.Length);
            return memory;
        }

        internal IntPtr Reserve(int bytes)
        {
            IntPtr memory = Marshal.AllocHGlobal(Math.Max(bytes, 1));
            all.Add(memory);
            return memory;
        }

        public void Dispose()
        {
            foreach (IntPtr each in all) Marshal.FreeHGlobal(each);
            all.Clear();
        }
    }
}
