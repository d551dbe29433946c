// SQL over a recording, in a worker of its own: it ends when the user cancels, and nothing else waits for it.
import { queryModule } from './embedded.js';
import { compile, Reader } from './reader.js';
import { parseJson } from './text.js';

// Also a function of SQL that does not return ends; the module itself ends a statement 5 s earlier.
const longestMs = 305_000;

const maxKeptMemoryBytes = 512 * 1024 * 1024;
const outOfMemory = 'the statement ended the part that runs it, which probably had no memory left';

let compiled = null;
function module() {
  if (!compiled) (compiled = compile(queryModule())).catch(() => (compiled = null));
  return compiled;
}

export class QueryWorker {
  #recording;
  #reader = null;
  #held = -1; // bytes of the recording in the worker
  #stopped = null;

  constructor(recording) {
    this.#recording = recording;
  }

  // A single-file page has none.
  static get exists() {
    return queryModule() !== null;
  }

  // Loads the module.
  async prepare() {
    const reader = (this.#reader ??= new Reader());
    try {
      await reader.load(module());
    } catch (error) {
      this.#end(reader);
      throw error;
    }
    return reader;
  }

  #end(reader) {
    reader.close();
    if (this.#reader !== reader) return;
    this.#reader = null;
    this.#held = -1;
  }

  // [{name, columns: [{name, type}], has_paths}]
  async tables() {
    return parseJson(await (await this.prepare()).ask('tables'));
  }

  // The members of query::page_answer(), and `csv`: a blob, with all rows if `whole`. One at a time.
  async run(sql) {
    this.#stopped = null;
    const reader = await this.prepare();
    const timer = setTimeout(() => this.stop('the statement exceeds its limit of time'), longestMs);
    try {
      if (this.#held !== this.#recording.bytes) {
        const bytes = await this.#recording.copy();
        await reader.ask('hold', [bytes]);
        this.#held = bytes.size;
      }
      const { answer, csv, whole, memory } = await reader.ask('query', [this.#recording.name, sql]);
      // It never returns memory.
      if (memory > maxKeptMemoryBytes) this.#end(reader);
      return { ...parseJson(answer), csv, whole };
    } catch (error) {
      // After a trap its memory is invalid.
      this.#end(reader);
      throw this.#stopped ?? (/^the reader stopped/.test(error.message) ? new Error(outOfMemory) : error);
    } finally {
      clearTimeout(timer);
    }
  }

  // Ends a running statement, which then fails with this sentence.
  stop(why) {
    this.#stopped = new Error(why);
    if (this.#reader) this.#end(this.#reader);
  }
}
