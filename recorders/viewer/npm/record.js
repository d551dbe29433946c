// Records described structs into a reel: the recording half of the C library, as WebAssembly.
import { instantiate, TickreelError } from './module.js';

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

// Structs and numbers of tickreel.h, in the memory of WebAssembly: recorders/c/src/wasm/exports.cpp checks them.
const fieldBytes = 96;
const enumeratorBytes = 16;
const entryBytes = 8;
const optionBytes = 64;
const counterNames = 'pushed dropped refused written lost events eventsLost rawBytes storedBytes receiverFailed'.split(
  ' ',
);
const counterBytes = 8 + 8 * counterNames.length;
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
const maxEventBytes = 1024;
const ringTicks = 4;
const structType = 13;
const relations = ['same_as', 'relative_to', 'unit_vector', 'cross', 'orthogonal', 'rotation', 'integral_of'];

class Module {
  constructor(exports) {
    this.exports = exports;
  }
  // Not kept: the memory moves when it grows.
  get view() {
    return new DataView(this.exports.memory.buffer);
  }
  bytes(place, size) {
    return new Uint8Array(this.exports.memory.buffer, place, size);
  }
  room(size) {
    const place = this.exports.room(size) >>> 0;
    if (place === 0) throw new RangeError(`no memory for ${size} bytes`);
    this.bytes(place, size).fill(0);
    return place;
  }
  // What `use` allocates with the two functions that it is given lives until it returns.
  scoped(use) {
    const places = [];
    const room = (size) => {
      const place = this.room(Math.max(size, 1));
      places.push(place);
      return place;
    };
    const text = (value) => {
      const encoded = toUtf8.encode(value);
      if (encoded.includes(0)) throw new TypeError(`${JSON.stringify(value)} has a zero byte`);
      const place = room(encoded.length + 1);
      this.bytes(place, encoded.length).set(encoded);
      return place;
    };
    try {
      return use(room, text);
    } finally {
      for (const place of places) this.exports.release(place);
    }
  }
  text(place) {
    const all = new Uint8Array(this.exports.memory.buffer, place >>> 0);
    return fromUtf8.decode(all.subarray(0, all.indexOf(0)));
  }
  check(code) {
    if (code === 0) return;
    const { tickreel_code_name: name, tickreel_error: message } = this.exports;
    throw new TickreelError({ code: this.text(name(code)), message: this.text(message()) });
  }
}

// `given` has only members of `known`.
function checkOptions(given, known, what) {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`${what} has no option ${JSON.stringify(name)}`);
}
function checkInteger(name, value, least, most) {
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

function integerOf(name, type, value) {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError(`${name}: ${String(value)} is no exact integer`);
  const bits = Number(type.slice(1));
  const fitting = type[0] === 'i' ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  if (fitting !== BigInt(value)) throw new RangeError(`${name}: ${value} does not fit into ${type}`);
  return bits === 64 ? fitting : Number(fitting);
}

// A described struct, and how values of JavaScript get into the module's memory.
class Struct {
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

const recorders = new Map();
let lastNumber = 0;

// The module's import: the bytes of a reel, as soon as they are sealed. 0 if they were taken.
function receive(number, place, size) {
  return recorders.get(number)?.receive(place, size) ?? 1;
}

let module = null;

export class Recorder {
  #module;
  #struct;
  #events = new Map();
  #state;
  #handle;
  #number = ++lastNumber;
  #take;
  #pieces = [];
  #failure = null;
  #counters = null;
  // While the module passes bytes on: it cannot be called then.
  #isReceiving = false;

  constructor(loaded, fields, options) {
    checkOptions(options, ['rate', 'name', 'events', 'metadata', 'sealIntervalMs', 'onBytes'], 'record()');
    const { name = 'state', events = {}, sealIntervalMs, onBytes } = options;
    checkInteger('sealIntervalMs', sealIntervalMs, 1, 3_600_000);
    if (onBytes !== undefined && typeof onBytes !== 'function') throw new TypeError('onBytes is a function');
    this.#module = loaded;
    this.#take = onBytes ?? ((bytes) => this.#pieces.push(bytes));
    recorders.set(this.#number, { receive: (place, size) => this.#receive(place, size) });
    try {
      this.#struct = new Struct(loaded, name, fields);
      this.#state = loaded.room(this.#struct.bytes);
      for (const [key, members] of Object.entries(events)) {
        const kind = new Struct(loaded, key, members);
        this.#events.set(key, { kind, place: 0 });
        if (kind.rowBytes > maxEventBytes) throw new RangeError(`${key}: an event has at most ${maxEventBytes} bytes`);
        this.#events.get(key).place = loaded.room(kind.bytes);
      }
      this.#handle = loaded.scoped((room, text) => this.#open(options, room, text));
    } catch (error) {
      this.#free();
      throw this.#failure ?? error;
    }
  }

  #open({ rate = 0, metadata = {}, sealIntervalMs = 0 }, room, text) {
    const entries = Object.entries(metadata);
    const list = room(entryBytes * entries.length);
    entries.forEach(([key, value], i) => {
      const pair = [text(key), text(String(value))];
      this.#module.view.setUint32(list + i * entryBytes, pair[0], true);
      this.#module.view.setUint32(list + i * entryBytes + 4, pair[1], true);
    });
    const options = room(optionBytes);
    const out = room(4);
    const { view } = this.#module;
    view.setUint32(options, optionBytes, true);
    view.setFloat64(options + 8, rate, true);
    // Each push is followed by a pump, so the ring never holds more.
    view.setUint32(options + 24, ringTicks, true);
    view.setUint32(options + 28, sealIntervalMs, true);
    view.setUint32(options + 40, list, true);
    view.setUint32(options + 44, entries.length, true);
    this.#module.check(this.#module.exports.record(this.#struct.handle, options, this.#number, out));
    return this.#module.view.getUint32(out, true);
  }

  #receive(place, size) {
    this.#isReceiving = true;
    try {
      this.#take(this.#module.bytes(place >>> 0, size).slice());
      return 0;
    } catch (error) {
      this.#failure ??= error;
      return 1;
    } finally {
      this.#isReceiving = false;
    }
  }

  #free() {
    recorders.delete(this.#number);
    const { exports } = this.#module;
    if (this.#handle) exports.tickreel_recorder_free(this.#handle);
    for (const { kind, place } of this.#events.values()) {
      kind.free();
      if (place) exports.release(place);
    }
    this.#struct?.free();
    if (this.#state) exports.release(this.#state);
    this.#handle = 0;
  }

  push(values = {}) {
    const handle = this.#opened();
    this.#struct.fill(this.#state, values);
    const taken = this.#module.exports.tickreel_push(handle, this.#state) === 1;
    this.pump();
    return taken;
  }

  pushAt(tick, timeUs, values = {}) {
    const handle = this.#opened();
    this.#struct.fill(this.#state, values);
    const stamp = [integerOf('tick', 'u64', tick), integerOf('timeUs', 'i64', timeUs)];
    const taken = this.#module.exports.tickreel_push_at(handle, ...stamp, this.#state) === 1;
    this.pump();
    return taken;
  }

  event(name, values = {}) {
    const handle = this.#opened();
    const known = this.#events.get(name);
    if (!known) throw new TypeError(`no event is named ${JSON.stringify(name)}`);
    this.#module.bytes(known.place, known.kind.bytes).fill(0);
    known.kind.fill(known.place, values);
    const taken = this.#module.exports.tickreel_event(handle, known.kind.handle, known.place) === 1;
    this.pump();
    return taken;
  }

  pump() {
    this.#module.exports.tickreel_pump(this.#opened());
  }

  counters() {
    return this.#counters ?? this.#counted();
  }

  bytes() {
    const all = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  close() {
    if (this.#counters) return this.bytes();
    const handle = this.#opened();
    let failed = null;
    try {
      this.#module.check(this.#module.exports.tickreel_close(handle, 0));
    } catch (error) {
      failed = error;
    }
    this.#counters = this.counters();
    this.#free();
    if (this.#failure ?? failed) throw this.#failure ?? failed;
    return this.bytes();
  }

  #opened() {
    if (!this.#handle) throw new TypeError('the recorder is closed');
    if (this.#isReceiving) throw new TypeError('the recorder passes bytes on: call it after onBytes has returned');
    return this.#handle;
  }

  #counted() {
    return this.#module.scoped((room) => {
      const place = room(counterBytes);
      this.#module.view.setUint32(place, counterBytes, true);
      if (!this.#handle) throw new TypeError('the recorder is closed');
      this.#module.check(this.#module.exports.tickreel_recorder_counters(this.#handle, place));
      const { view } = this.#module;
      const counters = { isWhole: view.getUint32(place + 4, true) === 1 };
      counterNames.forEach((name, i) => (counters[name] = Number(view.getBigUint64(place + 8 + 8 * i, true))));
      return counters;
    });
  }
}

export async function record(fields, options = {}) {
  module ??= instantiate('recorder.wasm', { receive }).then((exports) => new Module(exports));
  return new Recorder(await module, fields, options);
}
