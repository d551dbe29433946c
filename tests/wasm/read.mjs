// node read.mjs READER.wasm FILE: prints the reader's output in WebAssembly. It imports functions that close, seek and write a
// file, which nothing calls.
import { readFileSync, writeSync } from 'node:fs';

const [, , reader, recording] = process.argv;
const refuse = (name) => () => { throw new Error(`the reader calls ${name}`); };
const module = new WebAssembly.Module(readFileSync(reader));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = refuse(name);
const { exports } = new WebAssembly.Instance(module, imports);
exports._initialize();
const bytes = readFileSync(recording);
const place = exports.room(bytes.length);
new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes);
const size = exports.read();
const text = new Uint8Array(exports.memory.buffer, exports.text(), size);
for (let at = 0; at < size;) at += writeSync(1, text, at);
