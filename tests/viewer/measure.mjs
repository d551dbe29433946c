// node measure.mjs FILE: how long the first picture takes, and how long seeking does, in this machine's Chromium.
import { PageUser } from './page_user.mjs';

const path = process.argv[2];
const user = await PageUser.start();
const begun = performance.now();
const page = await user.open(path, { until: '.viewer[data-tick]' });
console.log(`first picture: ${Math.round(performance.now() - begun)} ms`);
await page.waitForSelector('.viewer[data-ready]');
console.log(`everything: ${Math.round(performance.now() - begun)} ms`);
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
const frames = await page.evaluate(async () => {
  const { viewer } = window.tickreel;
  viewer.player.seekTick(window.tickreel.recording.firstTick);
  viewer.player.play();
  const seen = new Set();
  const from = performance.now();
  while (performance.now() - from < 3000) {
    seen.add(document.querySelector('.viewer').dataset.tick);
    await new Promise(requestAnimationFrame);
  }
  viewer.player.pause();
  return seen.size / 3;
});
console.log(`playing: ${frames.toFixed(1)} ticks a second drawn`);
await user.stop();
