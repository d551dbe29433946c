// The modules of WebAssembly in the folder `viewer`: compiled once, instantiated for each recording.
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

function compile(name) {
  if (!compiled.has(name)) {
    const module = load(name);
    compiled.set(name, module);
    module.catch(() => compiled.delete(name));
  }
  return compiled.get(name);
}

// Its exports. `answers` are functions that the module may import; of the system it uses nothing but the clocks.
export async function instantiate(name, answers) {
  const module = await compile(name);
  let exports = null;
  const view = () => new DataView(exports.memory.buffer);
  const system = {
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    clock_time_get(clock, _, place) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(place, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    proc_exit() {
      throw new WebAssembly.RuntimeError('the module stopped on an error');
    },
  };
  const imports = {};
  for (const { module: from, name: called } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[called] = answers[called] ?? system[called] ?? (() => 52);
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();
  return exports;
}
