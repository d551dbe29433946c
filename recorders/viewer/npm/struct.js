// Structs that are described at run time, and how values of JavaScript get into the memory of WebAssembly.

const toUtf8 = new TextEncoder();

// Structs and numbers of tickreel.h, in the memory of WebAssembly: recorders/c/src/wasm/exports.cpp checks them.
const fieldBytes = 96;
const enumeratorBytes = 16;
const numbers = {
  f32: { type: 1, bytes: 4, set: 'setFloat32' },
  f64: { type: 2, bytes: 8, set: 'setFloat64' },
  i8: { type: 3, bytes: 1, set: 'setInt8' },
  i16: { type: 4, bytes: 2, set: 'setInt16' },
  i32: { type: 5, bytes: 4, set: 'setInt32' },
  i64: { type: 6, bytes: 8, set: 'setBigInt64' },
  u8: { type: 7, bytes: 1, set: 'setUint8' },
  u16: { type: 8, bytes: 2, set: 'setUint16' },
  u32: { type: 9, bytes: 4, set: 'setUint32' },
  u64: { type: 10, bytes: 8, set: 'setBigUint64' },
  bool: { type: 11, bytes: 1, set: 'setUint8' },
};
const textType = 12;
const maxTextBytes = 65535;
const maxStructBytes = 1 << 20;
const structType = 13;
const relations = ['same_as', 'relative_to', 'unit_vector', 'cross', 'orthogonal', 'rotation', 'integral_of'];

// `given` has only members of `known`.
export function checkOptions(given, known, what) {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`${what} has no option ${JSON.stringify(name)}`);
}
export function checkInteger(name, value, least, most) {
  if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most))
    throw new RangeError(`${name} is an integer from ${least} to ${most}, not ${String(value)}`);
}

class Field {
  constructor(type, options) {
    Object.assign(this, options, { type });
  }
}

export function field(type, options = {}) {
  checkOptions(options, ['count', 'optional', 'unit', 'decimals', 'tolerance', 'relation', 'of', 'rate'], 'a field');
  return new Field(type, options);
}

// [4, 'f32'] is an array, ['idle', 'running'] an enumeration.
function fieldOf(given) {
  if (given instanceof Field) return given;
  return Array.isArray(given) && typeof given[0] === 'number'
    ? new Field(given[1], { count: given[0] })
    : new Field(given);
}

// As many bytes of UTF-8 as fit, with whole characters.
function cut(text, size) {
  const bytes = toUtf8.encode(text);
  let end = Math.min(size, bytes.length);
  if (end < bytes.length) while (end > 0 && (bytes[end] & 0xc0) === 0x80) --end;
  return bytes.subarray(0, end);
}

export function integerOf(name, type, value) {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError(`${name}: ${String(value)} is no exact integer`);
  const bits = Number(type.slice(1));
  const fitting = type[0] === 'i' ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  if (fitting !== BigInt(value)) throw new RangeError(`${name}: ${value} does not fit into ${type}`);
  return bits === 64 ? fitting : Number(fitting);
}

// A described struct, and how values of JavaScript get into the module's memory.
export class Struct {
  bytes = 0;
  rowBytes = 0; // as a reel has it, without gaps
  #members = new Map();
  #alignment = 1;

  constructor(module, name, members) {
    this.module = module;
    if (members === null || typeof members !== 'object') throw new TypeError(`${name}: members are an object`);
    try {
      for (const [key, given] of Object.entries(members)) this.#add(key, fieldOf(given));
      this.bytes = Math.ceil(this.bytes / this.#alignment) * this.#alignment;
      this.handle = module.scoped((room, text) => this.#describeAll(name, room, text));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #describeAll(name, room, text) {
    const fields = room(fieldBytes * this.#members.size);
    let place = fields;
    for (const [key, member] of this.#members) {
      this.#describe(place, key, member, room, text);
      place += fieldBytes;
    }
    const out = room(4);
    const { exports } = this.module;
    this.module.check(exports.tickreel_describe(text(name), this.bytes, fields, this.#members.size, out));
    return this.module.view.getUint32(out, true);
  }

  #reserve(bytes, alignment) {
    const place = Math.ceil(this.bytes / alignment) * alignment;
    this.#alignment = Math.max(this.#alignment, alignment);
    this.bytes = place + bytes;
    return place;
  }

  #add(key, given) {
    const { type, count = 0 } = given;
    if (key === '' || /[.[\]?#]/.test(key)) throw new TypeError(`${JSON.stringify(key)}: a name has none of .[]?#`);
    checkInteger(`${key}: count`, given.count, 1, maxStructBytes);
    checkInteger(`${key}: decimals`, given.decimals, 0, 255);
    checkInteger(`${key}: rate`, given.rate, 1, 2 ** 32 - 1);
    const member = { given, count, number: numbers[type], textBytes: 0, inner: null, enumerators: null };
    let alignment = 1;
    if (typeof type === 'string' && /^text:\d+$/.test(type)) {
      member.size = member.textBytes = Number(type.slice(5));
      checkInteger(`${key}: the bytes of a text`, member.size, 1, maxTextBytes);
    } else if (Array.isArray(type)) {
      member.enumerators = new Map(type.map((word, value) => [word, value]));
      if (type.length === 0 || member.enumerators.size < type.length || type.some((word) => typeof word !== 'string'))
        throw new TypeError(`${key}: an enumeration has different names`);
      member.number = numbers.i32;
    } else if (typeof type === 'object' && type !== null) {
      member.inner = new Struct(this.module, key, type);
      member.size = member.inner.bytes;
      alignment = member.inner.#alignment;
    } else if (!member.number) {
      throw new TypeError(`${key}: unknown type ${JSON.stringify(type)}`);
    }
    if (member.number) member.size = alignment = member.number.bytes;
    if (given.optional) member.flag = this.#reserve(1, 1);
    member.place = this.#reserve(member.size * Math.max(count, 1), alignment);
    this.rowBytes += (given.optional ? 1 : 0) + (member.inner?.rowBytes ?? member.size) * Math.max(count, 1);
    this.#members.set(key, member);
    if (this.bytes > maxStructBytes) throw new RangeError(`a struct has at most ${maxStructBytes} bytes`);
  }

  #describe(place, key, { given, count, number, textBytes, inner, enumerators, flag, place: offset }, room, text) {
    const words = enumerators ? room(enumeratorBytes * enumerators.size) : 0;
    let at = words;
    for (const [word, value] of enumerators ?? []) {
      const spelled = text(word);
      this.module.view.setUint32(at, spelled, true);
      this.module.view.setBigInt64(at + 8, BigInt(value), true);
      at += enumeratorBytes;
    }
    const relation = given.relation === undefined ? 0 : 1 + relations.indexOf(given.relation);
    if (given.relation !== undefined && relation === 0)
      throw new TypeError(`${key}: unknown relation ${JSON.stringify(given.relation)}`);
    const [first, second] = [given.of ?? []].flat().map(text);
    const name = text(key);
    const unit = given.unit === undefined ? 0 : text(given.unit);
    const { view } = this.module;
    const set = (where, value) => view.setUint32(place + where, value ?? 0, true);
    set(0, fieldBytes);
    set(4, inner ? structType : textBytes ? textType : number.type);
    set(8, name);
    set(12, offset);
    set(16, count);
    set(24, textBytes);
    set(28, inner?.handle);
    set(32, given.optional ? 1 : 0);
    set(36, flag);
    set(44, enumerators?.size);
    set(48, words);
    set(52, given.tolerance !== undefined ? 2 : given.decimals !== undefined ? 1 : 0);
    set(56, given.decimals);
    view.setFloat64(place + 64, given.tolerance ?? 0, true);
    set(72, relation);
    set(76, given.rate);
    set(80, first);
    set(84, second);
    set(88, unit);
  }

  free() {
    if (this.handle) this.module.exports.tickreel_struct_free(this.handle);
    for (const { inner } of this.#members.values()) inner?.free();
  }

  // Writes the members that `values` has, all or none.
  fill(place, values) {
    const before = this.module.bytes(place, this.bytes).slice();
    try {
      this.#fill(this.module.view, place, values);
    } catch (error) {
      this.module.bytes(place, this.bytes).set(before);
      throw error;
    }
  }

  #fill(view, place, values) {
    if (values === null || typeof values !== 'object') throw new TypeError('the members of a struct are an object');
    for (const [key, value] of Object.entries(values)) {
      const member = this.#members.get(key);
      if (!member) throw new TypeError(`the struct has no member ${JSON.stringify(key)}`);
      if (member.flag !== undefined) {
        view.setUint8(place + member.flag, value == null ? 0 : 1);
        if (value == null) continue;
      }
      if (member.count === 0) {
        this.#set(view, place + member.place, key, member, value);
        continue;
      }
      if (value?.length !== member.count) throw new RangeError(`${key} has ${member.count} elements`);
      for (let i = 0; i < member.count; ++i)
        this.#set(view, place + member.place + i * member.size, key, member, value[i]);
    }
  }

  #set(view, place, key, { given, number, textBytes, inner, enumerators }, value) {
    if (inner) return inner.#fill(view, place, value);
    if (textBytes) {
      if (typeof value !== 'string' || value.includes('\0'))
        throw new TypeError(`${key}: a text without zero bytes, not ${JSON.stringify(value) ?? String(value)}`);
      const encoded = cut(value, textBytes);
      const room = this.module.bytes(place, textBytes);
      room.fill(0);
      return room.set(encoded);
    }
    let stored = value;
    if (enumerators) {
      if (!enumerators.has(value)) throw new RangeError(`${key}: ${JSON.stringify(value)} is not one of its values`);
      stored = enumerators.get(value);
    } else if (given.type === 'bool') {
      stored = value ? 1 : 0;
    } else if (given.type[0] !== 'f') {
      stored = integerOf(key, given.type, value);
    } else if (typeof value !== 'number') {
      throw new TypeError(`${key}: ${String(value)} is no number`);
    }
    view[number.set](place, stored, true);
  }
}
