// How much a browser has to load. Smaller is better; a change that needs more says why, and raises it here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { built } from './page_user.mjs';

const kilobyte = 1024;
const packed = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length, 0);

// 420 since it shows a match with score, cards, sentences, highlights and a timeline that zooms (406 before, for text that is not
// Unicode, repeated events, jousts and structs whose types changed). 450,000 bytes are the most it may ever be.
test('the page with the reader of Echo VR is below 420 KB, gzipped', () => {
  const bytes = packed(['index.html', 'app.js', 'worker.js', 'app.css', 'reader.wasm']);
  assert.ok(bytes <= 420 * kilobyte, `${bytes} bytes are ${bytes - 420 * kilobyte} too many`);
});

// 438 since it reads resumed games, the losses of damaged replays, one clock, supply of the moment and structs whose types
// changed (430 before).
test('the reader of everything else is below 438 KB, gzipped', () => {
  const bytes = packed(['others.wasm']);
  assert.ok(bytes <= 438 * kilobyte, `${bytes} bytes are ${bytes - 438 * kilobyte} too many`);
});
