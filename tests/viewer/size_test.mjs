// The bytes that a browser loads, and the licences in them. Smaller is better; a change that needs more states the
// reason and increases the limit here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { built, source } from './page_user.mjs';

const kilobyte = 1024;
const packed = (names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0);

// 450,000 bytes is the limit that nothing may raise. It was 423 KB before a part of a recording could be
// selected, looped, saved as a clip and as a video, and a picture be drawn on.
test('the page with the reader of Echo VR is below 450,000 bytes, gzipped', () => {
  const bytes = packed(['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm']);
  assert.ok(bytes <= 450_000, `${bytes} bytes are ${bytes - 450_000} too many`);
});

// 429 since it says whether a map file is that of the replay, and reads named columns of described rows
// without the others. 428 before, since it reads the ground of StarCraft II's map files. 426 before, since it
// finds trailing bytes, and repairs ticks whose JSON no parser accepts. 425 before, since the linker compiles
// the whole program. 445 before, since it states what recovered replays lack, and gives columns to scripts.
// 443 before, since it checks the headers, tables and checksums of replays (MD5), and derives its formats
// from their descriptions.
test('the reader of everything else is below 429 KB, gzipped', () => {
  const bytes = packed(['others.wasm']);
  assert.ok(bytes <= 429 * kilobyte, `${bytes} bytes are ${bytes - 429 * kilobyte} too many`);
});

test('the reader of captures and .mcap is below 425 KB, gzipped', () => {
  const bytes = packed(['captures.wasm']);
  assert.ok(bytes <= 425 * kilobyte, `${bytes} bytes are ${bytes - 425 * kilobyte} too many`);
});

// A page that a user passes on, as `view --html` writes it, contains copies of all of these.
test('the page carries the licences of everything in it', () => {
  const named = {
    three: 'three: Copyright',
    uplot: 'uPlot: Copyright',
    'libc++-22-dev-wasm32': 'libc++',
    'wasi-libc': 'musl, in wasi-libc: Copyright',
    'libbz2-dev': 'bzip2: Copyright',
    'liblz4-dev': 'LZ4, xxHash: Copyright',
    'libsimdjson-dev': 'simdjson: Copyright',
    'libsodium-dev': 'libsodium: Copyright',
    'libsqlite3-dev': '', // public domain
    'libxxhash-dev': 'xxHash: Copyright',
    'libzip-dev': 'libzip: Copyright',
    'libzstd-dev': 'Zstandard: Copyright',
    'zlib1g-dev': 'zlib: Copyright',
    'libexpected-dev': '', // public domain (CC0)
  };
  const page = readFileSync(join(built, 'index.html'), 'utf8').replaceAll(/\s+/g, ' ');
  const inside = [
    ...readFileSync(join(source, 'recorders/viewer/bundle/LICENCES.txt'), 'utf8').matchAll(/^=== (.+)$/gm),
  ];
  assert.ok(inside.length > 10);
  for (const [, name] of inside) assert.ok(name in named && page.includes(named[name]), name);
  for (const words of [
    'Permission is hereby granted, free of charge',
    'Permission to use, copy, modify, and/or distribute',
    'Redistributions in binary form must reproduce',
    'Apache License 2.0',
  ]) {
    assert.ok(page.includes(words), words);
  }
});
