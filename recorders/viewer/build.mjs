// node build.mjs READERS OUT: bundles the page's files, and copies the modules of that folder. Called by
// scripts/viewer.
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [readers, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });

// Removes methods of three's objects that are never used: their name occurs only at their definition. Removal
// of one may make others unused.
const method = /\n\t(?:static )?([A-Za-z]\w*)\([^\n]*\) \{\n(?:[\s\S]*?\n)?\t\}(?=\n)/g;
const unasked = new Set(['toJSON', 'fromJSON', 'raycast', 'copy', 'clone', 'computeTangents']);
const keptWhole = /[\\/]math[\\/]/;
const needed = (path, name) => !unasked.has(name) || ((name === 'copy' || name === 'clone') && keptWhole.test(path));
// Parts that only exported tables refer to: three's names of colours, uPlot's other kinds of lines and its calendar.
// Charts have numbers along both axes, one scale for x, and no logarithms.
const unusedParts = [
  /^Color\.NAMES = .*$/m,
  /(?<=^const _colorKeywords = \{)[^}]*/m,
  /^\t\(paths\.(?:linear|stepped|bars|spline)\s*=.*$/gm,
  /^\tuPlot\.(?:fmtDate|tzDate|join)\s*=.*$/gm,
  /^\tconst _(?:tzDate|fmtDate|timeAxisSplits|timeAxisVals|timeSeriesVal)\s*=.*$/gm,
  /^const (?:days3|months3|localTz|\[ timeIncrs\w+.*)\s*=.*$/gm,
  /^const engNames = \{[^}]*\};$/m,
  /^genIncrs\(.*$/gm,
  /^\t+let isTime = .*$/gm,
];
/** @type {[RegExp, string][]} */
const known = [
  [/\bisTime\b/g, 'false'],
  [/\bmode == 1\b/g, 'true'],
  [/\bmode == 2\b/g, 'false'],
  [/\b(?:\w+\.)?distr (?:== (?:[234]|100)|>= 3)(?!\d)/g, 'false'],
];
// Patterns that were found: a new version of a library may write its code differently.
const found = new Set();
/** @param {string} text @param {RegExp} pattern @param {string} value */
function replaceParts(text, pattern, value) {
  return text.replace(pattern, () => {
    found.add(pattern);
    return value;
  });
}
const onlyDrawn = {
  name: 'only drawn',
  setup: (into) =>
    into.onLoad({ filter: /[\\/](?:three[\\/]src|uplot[\\/]dist)[\\/].*\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      if (!path.includes('uplot'))
        contents = contents.replace(method, (all, name) => (needed(path, name) ? all : '\n'));
      for (const part of unusedParts) contents = replaceParts(contents, part, '');
      if (path.includes('uplot')) for (const [what, value] of known) contents = replaceParts(contents, what, value);
      return { contents, loader: 'js' };
    }),
};

const options = {
  absWorkingDir: here,
  entryPoints: { app: 'page/app.js', worker: 'page/worker.js' },
  outdir: folder,
  bundle: true,
  // Imports three's parts separately: unused parts of its single large file would stay.
  alias: { three: 'three/src/Three.js' },
  plugins: [onlyDrawn],
  minify: true,
  // Classic scripts: a page on disk may load them, and a worker can be created from a blob.
  format: 'iife',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'eof',
  logLevel: 'warning',
};
const defined = /^ {4}(?:static )?([A-Za-z]\w*)\(.*\) \{$/gm;
for (let had = -1; had < unasked.size;) {
  had = unasked.size;
  const { outputFiles } = await build({ ...options, minify: false, legalComments: 'none', write: false });
  const text = outputFiles.find(({ path }) => path.endsWith('app.js')).text.replace(/^ *(?:\/\/|\*|\/\*\*).*$/gm, '');
  const names = new Map();
  for (const [, name] of text.matchAll(defined)) names.set(name, (names.get(name) ?? 0) + 1);
  const said = new Map();
  for (const [word] of text.matchAll(/[A-Za-z]\w*/g)) if (names.has(word)) said.set(word, (said.get(word) ?? 0) + 1);
  for (const [name, times] of names) if (name !== 'constructor' && said.get(name) === times) unasked.add(name);
}
await build(options);
for (const pattern of [...unusedParts, ...known.map(([what]) => what)]) {
  if (!found.has(pattern))
    throw new Error(`build.mjs: ${pattern} occurs in no library: correct the pattern or remove it`);
}
copyFileSync(join(here, 'page/index.html'), join(folder, 'index.html'));
copyFileSync(join(readers, 'tickreel_reader_echo.wasm'), join(folder, 'reader.wasm'));
copyFileSync(join(readers, 'tickreel_reader_others.wasm'), join(folder, 'others.wasm'));
copyFileSync(join(readers, 'tickreel_reader_captures.wasm'), join(folder, 'captures.wasm'));
copyFileSync(join(readers, 'tickreel_page_query.wasm'), join(folder, 'query.wasm'));
copyFileSync(join(readers, 'tickreel_recorder.wasm'), join(folder, 'recorder.wasm'));

let sum = 0;
// The page has no recorder; the package for JavaScript does.
const loadedLater = ['others.wasm', 'captures.wasm', 'query.wasm', 'recorder.wasm'];
for (const name of ['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm', ...loadedLater]) {
  const packed = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  if (!loadedLater.includes(name)) sum += packed;
  console.log(`viewer: ${name} ${statSync(join(folder, name)).size} bytes, ${packed} gzipped`);
}
// The files that a browser loads before it shows the first tick of an Echo VR match; tests/viewer checks the
// limit.
const most = 450_000;
console.log(`viewer: ${sum} bytes gzipped of at most ${most}`);
if (sum > most) console.error(`viewer: the page is ${sum - most} bytes larger than it should be`);
