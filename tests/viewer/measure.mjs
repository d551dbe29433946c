// node measure.mjs FILE: how long the first picture takes, how long seeking does, and what a picture costs, in this machine's
// Chromium. On a machine that does other things, too, the processor's time says more than the clock's.
import { readdirSync, readFileSync } from 'node:fs';
import { PageUser } from './page_user.mjs';

// Milliseconds that the browser's processes have had of a processor, by what they are.
function spent() {
  const parents = new Map();
  for (const id of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const words = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      const type = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, 'utf8'))?.[1] ?? 'browser';
      parents.set(Number(id), { parent: Number(words[1]), ms: (Number(words[11]) + Number(words[12])) * 10, type });
    } catch {
      // It has ended meanwhile.
    }
  }
  const mine = (id) => id === process.pid || (parents.has(id) && parents.get(id).parent > 0 && mine(parents.get(id).parent));
  const sums = { renderer: 0, 'gpu-process': 0, all: 0 };
  for (const [id, { ms, type }] of parents) {
    if (id === process.pid || !mine(id)) continue;
    sums.all += ms;
    if (type in sums) sums[type] += ms;
  }
  return sums;
}
const since = (before) => Object.fromEntries(Object.entries(spent()).map(([key, ms]) => [key, ms - before[key]]));
const text = (sums, by = 1) => `${(sums.all / by).toFixed(1)} ms of processors: page ${(sums.renderer / by).toFixed(1)}, drawing ${(sums['gpu-process'] / by).toFixed(1)}`;

const path = process.argv[2];
const user = await PageUser.start();
const empty = spent();
const begun = performance.now();
const page = await user.open(path, { until: '.viewer[data-tick]', height: 720 });
console.log(`first picture: ${Math.round(performance.now() - begun)} ms, ${text(since(empty))}`);
await page.waitForSelector('.viewer[data-ready]');
console.log(`everything: ${Math.round(performance.now() - begun)} ms, ${text(since(empty))}`);
const took = await page.evaluate(async () => {
  const { recording, viewer } = window.tickreel;
  const times = [];
  for (let at = 0; at < 100; ++at) {
    const tick = recording.firstTick + Math.floor(((at * 0.618033988749895) % 1) * (recording.lastTick - recording.firstTick));
    const from = performance.now();
    viewer.player.seekTick(tick);
    while (document.querySelector('.viewer').dataset.tick !== String(tick)) await new Promise((next) => setTimeout(next, 1));
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b);
});
console.log(`a seek until it is drawn: p50 ${took[49].toFixed(1)} ms, p95 ${took[94].toFixed(1)} ms, most ${took[99].toFixed(1)} ms`);
const before = spent();
const curve = await page.evaluate(async () => {
  const from = performance.now();
  await window.tickreel.recording.series('session.disc.position[0]', 800);
  return performance.now() - from;
});
console.log(`a curve of all of it: ${curve.toFixed(0)} ms, ${text(since(before))}`);
const atRest = spent();
const { ticks, frames } = await page.evaluate(async () => {
  const { viewer, recording } = window.tickreel;
  viewer.player.seekTick(recording.firstTick);
  viewer.player.play();
  const seen = new Set();
  let frames = 0;
  const from = performance.now();
  while (performance.now() - from < 5000) {
    seen.add(document.querySelector('.viewer').dataset.tick);
    ++frames;
    await new Promise(requestAnimationFrame);
  }
  viewer.player.pause();
  return { ticks: seen.size, frames };
});
console.log(`playing: ${(ticks / 5).toFixed(1)} ticks a second drawn in ${(frames / 5).toFixed(1)} frames; a tick costs ${text(since(atRest), ticks)}`);
const memory = await page.evaluate(() => performance.measureUserAgentSpecificMemory?.().then(({ bytes }) => bytes).catch(() => null));
if (memory) console.log(`memory: ${(memory / 1e6).toFixed(0)} MB`);
await user.stop();
