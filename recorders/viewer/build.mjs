// node build.mjs READERS OUT: the page's files, bundled, and the two readers of that folder beside them. scripts/viewer
// calls it.
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [readers, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });

// What three's objects can do beyond being drawn: to be written as text, read from it, copied, and hit by rays.
const unused = /\n\t(?:toJSON|fromJSON|raycast|copy|clone|computeTangents)\([^\n]*\) \{\n[\s\S]*?\n\t\}\n/g;
const keptWhole = /[\\/]math[\\/]/;
const onlyDrawn = {
  name: 'only drawn',
  setup: (into) => into.onLoad({ filter: /[\\/]three[\\/]src[\\/].*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    return { contents: keptWhole.test(path) ? text : text.replace(unused, '\n'), loader: 'js' };
  }),
};

await build({
  absWorkingDir: here,
  entryPoints: { app: 'page/app.js', worker: 'page/worker.js' },
  outdir: folder,
  bundle: true,
  // Its parts one by one: what is not used of its one large file would stay.
  alias: { three: 'three/src/Three.js' },
  plugins: [onlyDrawn],
  minify: true,
  // Classic scripts: a page on a disk may load them, and a worker may be made of a blob of one.
  format: 'iife',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'eof',
  logLevel: 'warning',
});
copyFileSync(join(here, 'page/index.html'), join(folder, 'index.html'));
copyFileSync(join(readers, 'tickreel_reader_echo.wasm'), join(folder, 'reader.wasm'));
copyFileSync(join(readers, 'tickreel_reader_others.wasm'), join(folder, 'others.wasm'));

let sum = 0;
for (const name of ['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm', 'others.wasm']) {
  const packed = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  if (name !== 'others.wasm') sum += packed;
  console.log(`viewer: ${name} ${statSync(join(folder, name)).size} bytes, ${packed} gzipped`);
}
// What a browser has to load before it shows the first tick of a match of Echo VR; tests/viewer holds it to that.
const most = 400 * 1024;
console.log(`viewer: ${sum} bytes gzipped of at most ${most}`);
if (sum > most) console.error(`viewer: the page is ${sum - most} bytes larger than it should be`);
