// Records described structs into a reel: the recording half of the C library, as WebAssembly.
import { instantiate, TickreelError } from './module.js';
import { checkInteger, checkOptions, integerOf, Struct } from './struct.js';

export { field } from './struct.js';

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

// Structs of tickreel.h, in the memory of WebAssembly: recorders/c/src/wasm/exports.cpp checks them.
const entryBytes = 8;
const optionBytes = 64;
const counterNames = 'pushed dropped refused written lost events eventsLost rawBytes storedBytes receiverFailed'.split(
  ' ',
);
const counterBytes = 8 + 8 * counterNames.length;
const maxEventBytes = 1024;
const ringTicks = 4;

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
