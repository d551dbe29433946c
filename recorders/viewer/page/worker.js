// A reader, or the module for queries, in a worker: slow work or a crash on a malicious file never blocks the page. A
// request {id, call, values} is answered with {id, text} or {id, error}.
let reader = null;
let others = null; // the folder of the readers for the other formats
let died = null;
const fromUtf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

async function load(given, folder = null) {
  others = folder;
  let module;
  if (given instanceof WebAssembly.Module) {
    module = given;
  } else if (given instanceof ArrayBuffer) {
    module = await WebAssembly.compile(given);
  } else {
    const got = await fetch(given);
    if (!got.ok) throw new Error(`the reader cannot be loaded: ${got.status}`);
    module = await WebAssembly.compile(await got.arrayBuffer());
  }
  // Imports of the C library: there is a clock, and no environment and no file.
  const zero = (...places) => {
    for (const [place, size] of places) new Uint8Array(reader.memory.buffer, place, size).fill(0);
    return 0;
  };
  const answers = {
    environ_sizes_get: (count, size) => zero([count, 4], [size, 4]),
    environ_get: () => 0,
    clock_time_get: (clock, _, place) => {
      const ms = clock === 0 ? Date.now() : performance.now();
      new DataView(reader.memory.buffer).setBigUint64(place, BigInt(Math.round(ms * 1000)) * 1000n, true);
      return 0;
    },
    proc_exit: () => {
      throw new WebAssembly.RuntimeError('the reader aborted');
    },
  };
  Object.assign(answers, { read_at: readAt, size: () => outside.size, csv: takeCsv });
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = answers[name] ?? (() => 52);
  const { exports } = /** @type {any} */ (await WebAssembly.instantiate(/** @type {any} */ (module), imports));
  reader = exports;
  exports._initialize?.();
}

const answerOf = (size) => fromUtf8.decode(new Uint8Array(reader.memory.buffer, reader.answer(), size >>> 0));

function withText(text, call) {
  const bytes = toUtf8.encode(text);
  const place = reader.text_room(bytes.length) >>> 0;
  if (place === 0) throw new Error(`a text of ${bytes.length} bytes is too long`);
  new Uint8Array(reader.memory.buffer, place, bytes.length).set(bytes);
  return call(place, bytes.length);
}

// Up to this size a recording is copied into the reader's memory; larger ones are read in pieces.
let heldUpTo = 64 * 1024 * 1024;
const pieceBytes = 4 * 1024 * 1024;
const windowBytes = 512 * 1024;

// Where the recording is in the reader's memory, or its size outside.
const held = { place: 0, size: 0 };
const outside = {
  blob: null,
  tail: [],
  tailBytes: 0,
  window: null,
  from: 0,
  get size() {
    return (this.blob?.size ?? 0) + this.tailBytes;
  },
};
const files = new FileReaderSync();

function room(place, size) {
  if (place === 0) throw new Error(`no memory for ${size} bytes`);
  return new Uint8Array(reader.memory.buffer, place, size);
}

// Buffers that were read are invisible to the garbage collector, because they are outside of its heap: a scan
// of an hour would leave half of the recording in memory. Small allocations trigger it.
let litter = 0;
function giveBack(bytes) {
  litter += bytes;
  if (litter < 8 * 1024 * 1024) return;
  litter = 0;
  for (let i = 0; i < 128; ++i) rubbish[0] = new Array(8192).fill(i);
}
const rubbish = [null];

function closeWindow() {
  giveBack(outside.window?.length ?? 0);
  outside.window = null;
}

// Small reads are served from a larger previous one, so that a scan makes few requests.
function readAt(place, size, offset) {
  // A large number from WebAssembly arrives as a negative one.
  const count = Math.min(size >>> 0, Math.max(0, outside.size - offset));
  const { from, window } = outside;
  try {
    if (!window || offset < from || offset + count > from + window.length) {
      closeWindow();
      fold();
      const end = offset + Math.max(count, windowBytes);
      outside.window = new Uint8Array(files.readAsArrayBuffer(outside.blob.slice(offset, end)));
      outside.from = offset;
    }
    const at = offset - outside.from;
    const piece = outside.window.subarray(at, at + count);
    const came = piece.length;
    new Uint8Array(reader.memory.buffer, place >>> 0, came).set(piece);
    if (outside.window.length > pieceBytes) closeWindow();
    return came;
  } catch {
    return -1;
  }
}

function fold() {
  if (outside.tailBytes > 0) outside.blob = new Blob([outside.blob, ...outside.tail]);
  outside.tail = [];
  outside.tailBytes = 0;
}

function leaveOutside(blob) {
  closeWindow();
  Object.assign(outside, { blob, tail: [], tailBytes: 0 });
  reader.leave_outside();
  held.place = held.size = 0;
}

function hold(blob) {
  if (blob.size > heldUpTo) {
    leaveOutside(blob);
    return;
  }
  held.size = blob.size;
  held.place = reader.room(held.size) >>> 0;
  const all = room(held.place, held.size);
  for (let at = 0; at < held.size; at += pieceBytes) {
    const piece = new Uint8Array(files.readAsArrayBuffer(blob.slice(at, at + pieceBytes)));
    all.set(piece, at);
    giveBack(piece.length);
  }
}

async function take(blob, how, live) {
  reader.live(live ? 1 : 0);
  hold(blob);
  const answer = answerOf(reader[how]());
  const other = others && /^\{"ok":false,"elsewhere":"(\w+\.wasm)"/.exec(answer)?.[1];
  if (!other) return answer;
  await load(new URL(other, others).href);
  return take(blob, how, live);
}

// The rows of a statement as CSV, up to this size.
const maxCsvBytes = 64 * 1024 * 1024;
let csv = { pieces: [], bytes: 0, whole: true };
function takeCsv(place, size) {
  csv.whole = csv.bytes + size <= maxCsvBytes;
  if (!csv.whole) return 0;
  csv.pieces.push(new Uint8Array(reader.memory.buffer, place >>> 0, size).slice());
  csv.bytes += size;
  return 1;
}

const calls = {
  load,
  hold,
  tables: () => answerOf(reader.tables()),
  // Of the module for queries: {answer, csv, whole, memory}. `whole`: all rows are in `csv`.
  query(name, sql) {
    csv = { pieces: [], bytes: 0, whole: true };
    const nameBytes = toUtf8.encode(name).length;
    const answer = answerOf(withText(name + sql, (place, size) => reader.run(place, size, nameBytes)));
    const all = new Blob(csv.pieces, { type: 'text/csv' });
    return { answer, csv: all, whole: csv.whole, memory: reader.memory.buffer.byteLength };
  },
  limit: (bytes) => {
    heldUpTo = bytes;
  },
  open: (blob, live) => take(blob, 'open', live),
  // Like open, but reads no further than the first tick if the rest takes long; about() completes it.
  begin: (blob, live) => take(blob, 'begin', live),
  about: () => answerOf(reader.about()),
  append(bytes) {
    // A recording that outgrows its space is moved outside.
    if (!outside.blob && held.size + bytes.byteLength > heldUpTo) leaveOutside(calls.copy());
    if (outside.blob) {
      outside.tail.push(bytes);
      outside.tailBytes += bytes.byteLength;
      if (outside.from + (outside.window?.length ?? 0) >= outside.blob.size) closeWindow();
    } else {
      const place = reader.append(bytes.byteLength) >>> 0;
      room(place, bytes.byteLength).set(new Uint8Array(bytes));
      held.place = place - held.size;
      held.size += bytes.byteLength;
    }
    return answerOf(reader.extend());
  },
  // For another reader.
  copy: () => {
    if (!outside.blob) return new Blob([new Uint8Array(reader.memory.buffer, held.place, held.size)]);
    fold();
    return outside.blob;
  },
  // Of a map file, in place of a recording: a line with its edges and doubts about it, then a picture.
  async ground(blob, played) {
    if (others) await load(new URL('others.wasm', others).href);
    hold(blob);
    const size = withText(played, reader.ground);
    return new Blob([new Uint8Array(reader.memory.buffer, reader.answer(), size >>> 0)]);
  },
  series: (path, points) => answerOf(withText(path, (place, size) => reader.series(place, size, points))),
};
calls.learn = (known) => withText(known, (place, size) => reader.learn(place, size));
for (const name of [
  'entrances',
  'state',
  'range',
  'game_lines',
  'events',
  'verify',
  'fields',
  'overview',
  'positions',
  'summary',
  'lost',
]) {
  calls[name] = (...values) => {
    if (!reader[name]) throw new Error(`this reader does not do ${name}`);
    return answerOf(reader[name](...values));
  };
}

let turn = Promise.resolve();
onmessage = ({ data: { id, call, values } }) => {
  turn = turn.then(async () => {
    try {
      if (died) throw new Error(died);
      const text = await calls[call](...values);
      postMessage({ id, text });
    } catch (error) {
      // After a trap its memory is invalid.
      if (error instanceof WebAssembly.RuntimeError) died = `the reader stopped: ${error.message}`;
      postMessage({ id, error: died ?? error.message });
    }
  });
};
