// A bounded cache of ticks' lines, which reads ahead during playback.
import { parseJson } from './text.js';

const maxCharacters = 24 * 1024 * 1024;
const blockCharacters = 512 * 1024;

// Blocks of lines: requests between the first and the last tick of a block are found in it.
export class LineCache {
  ahead = false;
  #range;
  #one;
  #blocks = [];
  #characters = 0;
  #lineCharacters = 4096;
  #coming = null;
  #parsed = new Map();
  #end = Infinity;

  constructor(range, one) {
    this.#range = range;
    this.#one = one;
  }

  // Ticks after the last one may exist now.
  grown() {
    this.#end = Infinity;
  }

  async state(tick) {
    let found = this.#find(tick);
    if (!found && this.ahead) {
      if (this.#coming && this.#coming.from <= tick && tick < this.#coming.from + this.#coming.count) {
        await this.#coming.done;
        found = this.#find(tick);
      }
      if (!found) {
        await this.#fetch(tick);
        found = this.#find(tick);
      }
    }
    if (!found) {
      const line = await this.#one(tick);
      if (line === '') return null;
      const state = parseJson(line);
      this.#keep({ from: Math.min(tick, state.tick), until: Math.max(tick, state.tick), ticks: [state.tick], lines: [line] });
      this.#remember(line, state);
      return state;
    }
    const { block, line } = found;
    if (this.ahead && !this.#coming && tick >= (block.from + block.until) / 2 && block.until + 1 < this.#end && !this.#find(block.until + 1)) {
      this.#fetch(block.until + 1).catch(() => {});
    }
    return this.#parsed.get(line) ?? this.#remember(line, parseJson(line));
  }

  #remember(line, state) {
    this.#parsed.set(line, state);
    if (this.#parsed.size > 16) this.#parsed.delete(this.#parsed.keys().next().value);
    return state;
  }

  #find(tick) {
    const at = this.#blocks.findIndex((block) => block.from <= tick && tick <= block.until);
    if (at < 0) return null;
    const [block] = this.#blocks.splice(at, 1);
    this.#blocks.push(block);  // least recently used first
    // Of the next tick, if there is none with that number: as in the reader.
    let low = 0;
    let high = block.ticks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (block.ticks[middle] < tick) low = middle + 1;
      else high = middle;
    }
    return { block, line: block.lines[low] };
  }

  async #fetch(from) {
    const count = Math.max(4, Math.min(256, Math.floor(blockCharacters / this.#lineCharacters)));
    const done = this.#range(from, count);
    this.#coming = { from, count, done };
    try {
      const lines = await done;
      if (lines.length === 0) {
        this.#end = Math.min(this.#end, from);
        return;
      }
      const ticks = lines.map((line) => Number(/"tick":(\d+)/.exec(line)?.[1] ?? 0));
      this.#keep({ from: Math.min(from, ticks[0]), until: ticks.at(-1), ticks, lines });
      this.#lineCharacters = this.#blocks.at(-1).characters / lines.length;
    } finally {
      this.#coming = null;
    }
  }

  #keep(block) {
    block.characters = block.lines.reduce((sum, line) => sum + line.length, 0);
    this.#blocks.push(block);
    this.#characters += block.characters;
    while (this.#characters > maxCharacters && this.#blocks.length > 1) this.#characters -= this.#blocks.shift().characters;
  }
}
