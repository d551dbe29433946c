// The reader: WebAssembly in a worker, and its pending requests.
import { otherReaders, readerSource, workerAddress } from './embedded.js';
import { parseJson } from './text.js';

// Compiled once for all readers.
let compiled = null;
export async function compile(source) {
  if (source instanceof ArrayBuffer) return WebAssembly.compile(source);
  const got = await fetch(source);
  if (!got.ok) throw new Error(`the reader cannot be loaded: ${got.status}`);
  return WebAssembly.compile(await got.arrayBuffer());
}
function compiledReader() {
  if (!compiled) (compiled = compile(readerSource())).catch(() => (compiled = null));
  return compiled;
}

// A reader that is started in advance: it is ready when the file is.
let spare = null;
export function prepareReader() {
  if (!spare) (spare = new Reader()).load().catch(() => {});
}
export function takeReader() {
  const reader = spare ?? new Reader();
  spare = null;
  return reader;
}

// One reader and its pending requests.
export class Reader {
  #worker = new Worker(workerAddress());
  #next = 1;
  #waiting = new Map();
  #closed = null;

  constructor() {
    this.#worker.onmessage = ({ data: { id, text, error } }) => {
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error) reject?.(new Error(error));
      else resolve?.(text);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault?.();
      this.#fail(new Error(`the reader's thread failed: ${event.message ?? 'it did not start'}`));
    };
  }

  ask(call, values = [], transfer = []) {
    if (this.#closed) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, values }, transfer);
    });
  }

  // Like ask(), but an error of the reader is thrown.
  async answer(call, values) {
    const text = await this.ask(call, values);
    if (text.startsWith('{"error":')) {
      const { message, offset } = parseJson(text).error;
      throw new Error(offset === null || offset === undefined ? message : `at offset ${offset}: ${message}`);
    }
    return text;
  }

  // Another module than a reader: one that was compiled.
  load(module = compiledReader()) {
    return (this.#loaded ??= Promise.resolve(module).then((one) => this.ask('load', [one, otherReaders()])));
  }
  #loaded = null;

  // How: 'open', or 'begin' for the part that needs no scan of the whole recording. `live`: it grows.
  async open(blob, how, heldUpTo, live) {
    if (heldUpTo !== undefined) await this.ask('limit', [heldUpTo]);
    await this.load();
    return parseJson(await this.ask(how, [blob, live]));
  }

  close() {
    this.#worker.terminate();
    this.#closed = new Error('the recording was closed');
    this.#fail(this.#closed);
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
