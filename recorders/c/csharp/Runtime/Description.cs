// Describes unmanaged structs, by attributes of their members.
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
}
