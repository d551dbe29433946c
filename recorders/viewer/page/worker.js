// The reader, in a thread of its own: what takes long, or stops on a hostile file, never stops the page.
// Asked {id, call, values}, it answers {id, text} or {id, error}.
let reader = null;
let other = null;  // where the reader of the formats is that this one leaves to it
let died = null;
const fromUtf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

async function load(given, another = null) {
  other = another;
  let module;
  if (given instanceof ArrayBuffer) {
    module = await WebAssembly.compile(given);
  } else {
    const got = await fetch(given);
    if (!got.ok) throw new Error(`the reader cannot be loaded: ${got.status}`);
    module = await WebAssembly.compile(await got.arrayBuffer());
  }
  // What the C library asks a system for: there is no environment, no time and no file.
  const zero = (...places) => {
    for (const [place, size] of places) new Uint8Array(reader.memory.buffer, place, size).fill(0);
    return 0;
  };
  const answers = {
    environ_sizes_get: (count, size) => zero([count, 4], [size, 4]),
    environ_get: () => 0,
    clock_time_get: (_, __, place) => zero([place, 8]),
    proc_exit: () => {
      throw new WebAssembly.RuntimeError('it gave up');
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = answers[name] ?? (() => 52);
  const { exports } = await WebAssembly.instantiate(module, imports);
  reader = exports;
  exports._initialize?.();
}

const answerOf = (size) => fromUtf8.decode(new Uint8Array(reader.memory.buffer, reader.answer(), size >>> 0));

function give(bytes, place) {
  if (place === 0) throw new Error(`no memory for ${bytes.byteLength} bytes`);
  new Uint8Array(reader.memory.buffer, place, bytes.byteLength).set(new Uint8Array(bytes));
}

function withText(text, call) {
  const bytes = toUtf8.encode(text);
  const place = reader.text_room(bytes.length) >>> 0;
  if (place === 0) throw new Error(`a text of ${bytes.length} bytes is too long`);
  new Uint8Array(reader.memory.buffer, place, bytes.length).set(bytes);
  return call(place, bytes.length);
}

// Where the recording lies in the reader's memory.
const held = { place: 0, size: 0 };

async function take(bytes, how) {
  held.place = reader.room(bytes.byteLength) >>> 0;
  held.size = bytes.byteLength;
  give(bytes, held.place);
  const answer = answerOf(reader[how]());
  if (!other || !answer.startsWith('{"ok":false,"elsewhere":true')) return answer;
  await load(other);
  return take(bytes, how);
}

const calls = {
  load,
  open: (bytes) => take(bytes, 'open'),
  // As open, but that it looks no further than the first tick where that takes long; about() is the rest.
  begin: (bytes) => take(bytes, 'begin'),
  about: () => answerOf(reader.about()),
  append(bytes) {
    const place = reader.append(bytes.byteLength) >>> 0;
    give(bytes, place);
    held.place = place - held.size;
    held.size += bytes.byteLength;
    return answerOf(reader.reopen());
  },
  // For another reader.
  bytes: () => reader.memory.buffer.slice(held.place, held.place + held.size),
  series: (path, points) => answerOf(withText(path, (place, size) => reader.series(place, size, points))),
};
for (const name of ['state', 'range', 'events', 'verify', 'fields', 'overview', 'positions', 'lost']) {
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
      postMessage({ id, text }, text instanceof ArrayBuffer ? [text] : []);
    } catch (error) {
      // After a trap its memory means nothing any more.
      if (error instanceof WebAssembly.RuntimeError) died = `the reader stopped: ${error.message}`;
      postMessage({ id, error: died ?? error.message });
    }
  });
};
