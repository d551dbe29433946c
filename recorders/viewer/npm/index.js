// Reads a recording of any format by the viewer's reader, which is WebAssembly: the same code as the program's.
const fromUtf8 = new TextDecoder();
const toUtf8 = new TextEncoder();
// Of this many ticks a column has a value for each.
const maxColumnTicks = 100_000;

export class TickreelError extends Error {
  constructor({ code, message, offset }) {
    super(message);
    this.name = 'TickreelError';
    this.code = code;
    this.offset = offset ?? null;
  }
}

const assets = new URL('./viewer/', import.meta.url);
const compiled = new Map();

async function load(name) {
  const address = new URL(name, assets);
  if (address.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(address));
  }
  const got = await fetch(address);
  if (!got.ok) throw new Error(`${address.href} cannot be loaded: ${got.status}`);
  return WebAssembly.compile(await got.arrayBuffer());
}

// Compiled once for all recordings.
function compile(name) {
  if (!compiled.has(name)) {
    const module = load(name);
    compiled.set(name, module);
    module.catch(() => compiled.delete(name));
  }
  return compiled.get(name);
}

async function instantiate(name) {
  const module = await compile(name);
  let exports = null;
  // The reader asks the system for nothing but the time of day, which may fail.
  const zero = (...places) => {
    for (const [place, size] of places) new Uint8Array(exports.memory.buffer, place, size).fill(0);
    return 0;
  };
  const answers = {
    environ_sizes_get: (count, size) => zero([count, 4], [size, 4]),
    environ_get: () => 0,
    clock_time_get: (_, __, place) => zero([place, 8]),
    proc_exit: () => {
      throw new WebAssembly.RuntimeError('the reader stopped on an error');
    },
    size: () => 0,
    read_at: () => -1,
  };
  const imports = {};
  for (const { module: from, name: called } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[called] = answers[called] ?? (() => 52);
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();
  return exports;
}

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

  events() {
    return this.#ask('events')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
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

export async function open(given) {
  const bytes =
    given instanceof Blob
      ? new Uint8Array(await given.arrayBuffer())
      : ArrayBuffer.isView(given)
        ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
        : new Uint8Array(given);
  // One reader has the formats of Echo VR, the other one the rest.
  for (const name of ['reader.wasm', 'others.wasm']) {
    const reader = await instantiate(name);
    const place = reader.room(bytes.length) >>> 0;
    if (place === 0 && bytes.length > 0) throw new RangeError(`no memory for ${bytes.length} bytes`);
    new Uint8Array(reader.memory.buffer, place, bytes.length).set(bytes);
    const size = reader.open() >>> 0;
    const opened = JSON.parse(fromUtf8.decode(new Uint8Array(reader.memory.buffer, reader.answer(), size)));
    if (opened.elsewhere && name === 'reader.wasm') continue;
    if (!opened.ok) throw new TickreelError(opened.error);
    return new Recording(reader, opened);
  }
  throw new Error('no reader opens this recording');
}
