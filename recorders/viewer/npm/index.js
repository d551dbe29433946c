// Reads a recording of any format by the viewer's reader, which is WebAssembly: the same code as the program's.
import { instantiate, TickreelError } from './module.js';

export { TickreelError };

const fromUtf8 = new TextDecoder();
const toUtf8 = new TextEncoder();
// Of this many ticks a column has a value for each.
const maxColumnTicks = 100_000;

export class Recording {
  #reader;
  #about;

  constructor(reader, about) {
    this.#reader = reader;
    this.#about = about;
  }

  get info() {
    return this.#about.info;
  }
  get format() {
    return this.#about.info.format;
  }
  get firstTick() {
    return this.#about.first_tick;
  }

  #answer(size) {
    return fromUtf8.decode(new Uint8Array(this.#reader.memory.buffer, this.#reader.answer(), size >>> 0));
  }

  #ask(name, ...values) {
    const text = this.#answer(this.#reader[name](...values));
    if (text.startsWith('{"error":')) throw new TickreelError(JSON.parse(text).error);
    return text;
  }

  #askWithText(name, text, ...values) {
    const bytes = toUtf8.encode(text);
    const place = this.#reader.text_room(bytes.length) >>> 0;
    if (place === 0) throw new RangeError(`a text of ${bytes.length} bytes is too long`);
    new Uint8Array(this.#reader.memory.buffer, place, bytes.length).set(bytes);
    return this.#ask(name, place, bytes.length, ...values);
  }

  *lines(from = this.firstTick) {
    for (let next = from; ;) {
      const text = this.#ask('range', next, 1000);
      if (text === '') return;
      const found = text.split('\n');
      yield* found;
      next = Number(/^\{"tick":(\d+)/.exec(found[found.length - 1])[1]) + 1;
    }
  }

  *[Symbol.iterator]() {
    for (const line of this.lines()) yield JSON.parse(line);
  }

  at(tick) {
    const text = this.#ask('state', tick);
    return text === '' ? null : JSON.parse(text);
  }

  *events() {
    for (const line of this.#ask('events').split('\n')) {
      if (line === '') continue;
      // The last one, after the events before it.
      if (line.startsWith('{"error":')) throw new TickreelError(JSON.parse(line).error);
      yield JSON.parse(line);
    }
  }

  fields() {
    return JSON.parse(this.#ask('fields'));
  }
  verify() {
    return JSON.parse(this.#ask('verify'));
  }
  losses() {
    return JSON.parse(this.#ask('lost')).losses;
  }

  columns(paths) {
    const ticks = this.#about.ticks;
    if (ticks > maxColumnTicks) throw new RangeError(`columns of more than ${maxColumnTicks} ticks: use lines()`);
    const columns = {};
    for (const path of paths) {
      const series = JSON.parse(this.#askWithText('series', path, Math.max(ticks, 2)));
      columns.tick ??= Float64Array.from(series.ticks);
      columns.time_ms ??= Float64Array.from(series.time_ms);
      columns[path] = Float64Array.from(series.min, (value) => value ?? NaN);
    }
    return columns;
  }
}

async function bytesOf(given) {
  if (given instanceof Blob) return new Uint8Array(await given.arrayBuffer());
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  // A buffer of another frame or module is none of this one's class.
  if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(given))) return new Uint8Array(given);
  throw new TypeError(`open() takes the bytes of a recording, not a value of type ${typeof given}`);
}

export async function open(given) {
  const bytes = await bytesOf(given);
  // The first reader names the one that opens the format.
  for (let name = 'reader.wasm'; ;) {
    const reader = await instantiate(name, { size: () => 0, read_at: () => -1 });
    const place = reader.room(bytes.length) >>> 0;
    if (place === 0 && bytes.length > 0) throw new RangeError(`no memory for ${bytes.length} bytes`);
    new Uint8Array(reader.memory.buffer, place, bytes.length).set(bytes);
    const size = reader.open() >>> 0;
    const opened = JSON.parse(fromUtf8.decode(new Uint8Array(reader.memory.buffer, reader.answer(), size)));
    if (opened.ok) return new Recording(reader, opened);
    if (!opened.elsewhere || name !== 'reader.wasm') throw new TickreelError(opened.error);
    name = opened.elsewhere;
  }
}
