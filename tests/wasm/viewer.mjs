// node viewer.mjs READER.wasm FILE [CALL [NUMBER...]]: prints the viewer's reader's response to opening, or all ticks with
// `lines`, or another of its responses.
import { readFileSync, writeSync } from 'node:fs';

const [, , reader, recording, call = 'open', ...values] = process.argv;
const refuse = (name) => () => { throw new Error(`the reader calls ${name}`); };
const module = new WebAssembly.Module(readFileSync(reader));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = refuse(name);
const { exports } = new WebAssembly.Instance(module, imports);
exports._initialize();
const answer = (size) => new Uint8Array(exports.memory.buffer, exports.answer(), size >>> 0);
const write = (bytes) => {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
};
const newline = Buffer.from('\n');
// A text for the reader: its address and size.
const give = (text) => {
  const bytes = Buffer.from(text);
  const place = exports.text_room(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes);
  return [place, bytes.length];
};

const bytes = readFileSync(recording);
const place = exports.room(bytes.length) >>> 0;
if (place === 0 && bytes.length > 0) throw new Error('no room');
new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes);
const opened = Buffer.from(answer(exports.open()));
if (call === 'open') {
  write(opened);
} else if (!JSON.parse(opened.toString()).ok) {
  throw new Error(opened.toString());
} else if (call === 'lines') {
  for (let from = JSON.parse(opened.toString()).first_tick;;) {
    const lines = Buffer.from(answer(exports.range(from, 1000)));
    // A truncation is reported after its last line.
    if (lines.length === 0 || lines.toString('latin1', 0, 8) === '{"error"') break;
    write(lines);
    write(newline);
    from = Number(/^\{"tick":(\d+)/.exec(lines.toString('latin1', lines.lastIndexOf(10) + 1))[1]) + 1;
  }
} else if (call === 'series') {
  write(answer(exports.series(...give(values[0]), Number(values[1]))));
} else {
  write(answer(exports[call](...values.map(Number))));
}
