// Heat maps and zones: what they count, where a pixel is, and what they escape.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binPositions, createPicture } from '../../recorders/viewer/stage/heatmap.js';
import { timeInZone } from '../../recorders/viewer/page/zones.js';
import { hostile, players } from './players.mjs';
import { randomOf, testSeed } from './seed.mjs';

const seed = testSeed();

test('time in a zone is that of the positions in it, without absences', () => {
  const zone = { left: 0, right: 10, low: -5, high: 5 };
  // Ten positions a second; 0 goes in twice, 1 is away for a minute inside the zone, 2 never enters.
  const samples = [];
  for (let tick = 0; tick < 100; ++tick) {
    samples.push([tick, 0, 0, 0, tick < 20 || (tick >= 50 && tick < 80) ? 5 : 50]);
    if (tick < 50) samples.push([tick, 1, 5, 0, 5]);
    samples.push([tick, 2, 7, 0, 5]);
  }
  samples.push([700, 1, 5, 0, 5]);
  const [first, second, third] = timeInZone(samples, zone, [2, 0], (tick) => tick * 100);
  assert.deepEqual(first, { who: 0, insideMs: 5000, allMs: 10_000, visits: 2 });
  assert.deepEqual(second, { who: 1, insideMs: 5100, allMs: 5100, visits: 2 });
  assert.deepEqual(third, { who: 2, insideMs: 0, allMs: 10_000, visits: 0 });
  assert.deepEqual(timeInZone([[3, 0, 1, 1, 1]], zone, [2, 0], Number), [{ who: 0, insideMs: 0, allMs: 0, visits: 1 }]);
});

test('a pixel of a heat map is a place on the ground', () => {
  const picture = createPicture('heatmap', { players, samples: [[0, 0, 1, 2, 3]] }, { ground: 'arena', width: 800 });
  const svg = createPicture(
    'heatmap',
    { players, samples: [[0, 0, 1, 2, 3]] },
    { ground: 'arena', width: 800, zone: { left: -10, right: 20, low: -4, high: 6 } },
  ).svg();
  const lines = [...svg.matchAll(/<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"/g)].slice(0, 4);
  const corners = lines.map(([, x, y]) => picture.placeAt(Number(x), Number(y)).map(Math.round));
  assert.deepEqual(corners, [
    [-10, -4],
    [20, -4],
    [20, 6],
    [-10, 6],
  ]);
  assert.deepEqual(picture.axes, [2, 0]);
});

test('heat maps count the selection, and nothing twice', () => {
  const samples = [
    [0, 0, 1, 9, 1],
    [1, 0, 1, 9, 1],
    [2, 1, -5, 9, 30],
    [3, 1, 0, 9, 100],
    [4, 0, NaN, 0, 0],
    'x',
    [5, 0, 0, 0, 'z'],
  ];
  const all = binPositions({ players, samples }, { ground: 'arena' });
  assert.equal(all.samples, 4);
  assert.equal(all.outside, 1);
  assert.equal(
    all.counts.reduce((a, b) => a + b),
    3,
  );
  assert.equal(all.most, 2);
  assert.deepEqual(all.notes, ['2 positions are not numbers and were skipped.']);
  const count = (options) => binPositions({ players, samples }, { ground: 'arena', ...options }).samples;
  assert.equal(count({ team: 'orange' }), 2);
  assert.equal(count({ players: ['a'] }), 2);
  assert.equal(count({ from: 1, to: 2 }), 2);
  assert.equal(count({ from: 10 }), 0);
  assert.deepEqual(binPositions({}, {}).notes, ['No position matches the selection.']);
});

test('a sample is counted in the bin of its position', () => {
  const heat = binPositions(
    {
      players,
      samples: [
        [0, 0, 15.4, 0, 39.9],
        [1, 0, -15.4, 0, -39.9],
      ],
    },
    { ground: 'arena', bins: 80, blur: 0 },
  );
  assert.equal(heat.columns, 80);
  assert.equal(heat.rows, 31);
  assert.equal(heat.counts[30 * 80 + 79], 1);
  assert.equal(heat.counts[0], 1);
});

test('blur preserves the total', () => {
  const random = randomOf(seed + 1);
  const samples = Array.from({ length: 500 }, (_, i) => [i, 0, random() * 4 - 2, 0, random() * 6 - 3]);
  const heat = binPositions({ players, samples }, { ground: 'arena', blur: 2 });
  assert.ok(Math.abs(heat.heat.reduce((a, b) => a + b) - 500) < 0.5);
  assert.ok(heat.heat.every((v) => v >= 0 && v < 500));
});

test('bins and widths are bounded for any request', () => {
  for (const asked of [-1, 0, 1e9, NaN, Infinity, 'x', 2.5]) {
    const heat = binPositions(
      {
        players,
        samples: [
          [0, 0, 1, 2, 3],
          [0, 0, 9, 9, 9],
        ],
      },
      { bins: asked, width: asked, blur: asked },
    );
    assert.ok(heat.columns >= 1 && heat.columns <= 401 && heat.rows >= 1 && heat.rows <= 401, String(asked));
    assert.match(
      createPicture('heatmap', { players, samples: [[0, 0, 1, 2, 3]] }, { bins: asked, width: asked }).svg(),
      /<\/svg>$/,
    );
  }
  assert.match(
    createPicture('heatmap', { players, samples: Array(20).fill([0, 0, 5, 5, 5]) }, {}).svg(),
    /often \(20\)/,
  );
});

test('SVG contains names as text only', () => {
  const svg = createPicture(
    'heatmap',
    { players, samples: [[0, 0, 1, 2, 3]] },
    { title: hostile, ground: 'arena' },
  ).svg();
  assert.ok(!svg.includes('<img') && !svg.includes('<script') && svg.includes('&lt;img'), svg.slice(0, 400));
  assert.equal(svg.match(/<svg/g).length, 1);
  assert.equal(svg.match(/<\/svg>/g).length, 1);
  for (const tag of svg.match(/<[^>]*>/g))
    assert.match(tag, /^<\/?(svg|title|rect|g|text|line)( [a-zA-Z0-9:-]+="[^"<>&]*")*\/?>$/);
  assert.throws(() => createPicture('pie', {}), /no picture/);
});
