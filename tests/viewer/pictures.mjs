// node pictures.mjs [FOLDER]: writes the pictures of README and docs/viewer.md from recordings of the repository and a
// staged match, with a list of what they show. pictures_test.mjs compares that list with the page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawn, old, PageUser, painted, source } from './page_user.mjs';
import { stagedMatch, tickAtSecond } from './staged_match.mjs';

export const folder = join(source, 'docs/viewer');
const goal = tickAtSecond(6.3);
const staged = { name: 'Raptured-NightShift.echoreplay', bytes: stagedMatch() };
const speeds = `SELECT player, team, tick, max(speed), disc_distance
FROM players GROUP BY player, team ORDER BY 4 DESC`;
const shown = [
  { as: 'match', ...staged, hash: `#t=${tickAtSecond(5.9)}`, tab: 'events', width: 1280, height: 740 },
  { as: 'charts', ...staged, hash: `#t=${goal}`, tab: 'charts', until: '.chart .uplot', colorScheme: 'light' },
  { as: 'query', ...staged, hash: `#t=${goal}&panel=45`, tab: 'query', statement: speeds, until: '.query tbody tr' },
  { as: 'world', path: join(old, 'match.icrep'), hash: '#t=90', tab: 'values' },
];
const sheet = [
  { ...staged, hash: `#t=${goal}` },
  { path: join(old, 'match.icrep'), hash: '#t=90' },
  { path: join(old, 'drive.rec'), hash: '#t=60' },
  { path: join(old, 'flagged.gamecache'), hash: '' },
];
const sizes = [
  [360, 780],
  [1280, 760],
  [1920, 1080],
];

// Two pictures after everything has been read and drawn.
async function open(
  user,
  { path = '', hash, tab, statement, until, colorScheme = 'dark', width = 960, height = 560, ...given },
) {
  const page = await user.open(path, { width, height, hash, colorScheme, ...given });
  const tick = /t=(\d+)/.exec(hash)?.[1];
  if (tick) {
    await page.waitForSelector('.viewer[data-judged]');
    await drawn(page, tick);
  }
  if (tab) await page.click(`#tab-${tab}`);
  if (statement) {
    await page.fill('.query textarea', statement);
    await page.click('.query >> text=Run');
  }
  if (until) await page.waitForSelector(until);
  await painted(page);
  return page;
}

// What a picture shows that could be removed or renamed: controls, titles, sentences and colours.
const contentOf = (page) =>
  page.evaluate(() => {
    const texts = (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((each) => each.offsetParent !== null && each.getClientRects().length > 0)
        .map((each) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\s+/g, ' ').trim())
        .filter(Boolean);
    const style = getComputedStyle(document.documentElement);
    return {
      controls: texts('header button, .stage-bar label > span, .transport button, .range-bar button'),
      tabs: texts('[role=tab]'),
      panel: texts('.panel:not([hidden]) :is(input, button:not(li button), th[scope=col], figcaption)').slice(0, 40),
      match: texts('.scoreboard, .card, .caption, .stage-notice'),
      colours: ['--paper', '--ink', '--accent', '--blue', '--orange', '--disc'].map((name) =>
        style.getPropertyValue(name).trim(),
      ),
    };
  });

// `take(name, page)` is called for each of them.
export async function eachPicture(user, take) {
  const contents = {};
  for (const each of shown) {
    const page = await open(user, each);
    contents[each.as] = await contentOf(page);
    await take?.(each.as, page);
  }
  return contents;
}

const scaled = (page, png, width, type, quality) =>
  page.evaluate(
    async ([data, wide, kind, share]) => {
      const image = document.createElement('img');
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = wide;
      canvas.height = Math.round((image.height * wide) / image.width / 2) * 2;
      const pen = canvas.getContext('2d', { alpha: false });
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL(kind, share).replace(/^.*,/, '');
    },
    [png.toString('base64'), width, type, quality],
  );

// An animated WebP from single pictures: RIFF chunks VP8X, ANIM and an ANMF per picture.
export function animationOf(pictures, width, height, ms) {
  const number = (value, bytes) => {
    const out = Buffer.alloc(bytes);
    out.writeUIntLE(value, 0, bytes);
    return out;
  };
  const chunk = (name, ...parts) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(name), number(body.length, 4), body, Buffer.alloc(body.length % 2)]);
  };
  const size = [number(width - 1, 3), number(height - 1, 3)];
  // Of each file its picture alone, without colour profiles.
  const pictureIn = (file) => {
    for (let at = 12; at + 8 <= file.length;) {
      const end = at + 8 + file.readUInt32LE(at + 4);
      if (/^VP8[ L]$/.test(file.toString('latin1', at, at + 4))) return file.subarray(at, end + (end % 2));
      at = end + (end % 2);
    }
    throw new Error('this is no WebP with one picture');
  };
  const frames = pictures.map((each) =>
    chunk('ANMF', number(0, 3), number(0, 3), ...size, number(ms, 3), number(2, 1), pictureIn(each)),
  );
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', number(2, 1), number(0, 3), ...size),
    chunk('ANIM', number(0xff000000, 4), number(0, 2)),
    ...frames,
  ]);
  return Buffer.concat([Buffer.from('RIFF'), number(body.length, 4), body]);
}

async function animation(user, tool) {
  const everyS = 0.2;
  const [width, height] = [560, 350];
  const page = await open(user, { ...staged, hash: '#t=120&panel=0', width: 1120, height: 700 });
  const frames = [];
  for (let s = 4; s <= 7.6; s += everyS) {
    await page.evaluate((tick) => window.tickreel.viewer.player.seekTick(tick), tickAtSecond(s));
    await drawn(page, tickAtSecond(s));
    await painted(page);
    frames.push(Buffer.from(await scaled(tool, await page.screenshot(), width, 'image/webp', 0.5), 'base64'));
  }
  return animationOf(frames, width, height, everyS * 1000);
}

async function contactSheet(user, tool) {
  const rows = [];
  for (const each of sheet) {
    const row = [];
    for (const [width, height] of sizes) {
      for (const colorScheme of ['light', 'dark']) {
        const page = await open(user, { ...each, width, height, colorScheme });
        const wide = width === 360 ? 150 : 440;
        row.push(`data:image/jpeg;base64,${await scaled(tool, await page.screenshot(), wide, 'image/jpeg', 0.9)}`);
      }
    }
    rows.push(row);
  }
  return tool.evaluate(async (all) => {
    const images = await Promise.all(
      all.map((row) =>
        Promise.all(
          row.map(async (address) => {
            const image = document.createElement('img');
            image.src = address;
            await image.decode();
            return image;
          }),
        ),
      ),
    );
    const gap = 8;
    const high = images.map((row) => Math.max(...row.map(({ height }) => height)));
    const canvas = document.createElement('canvas');
    canvas.width = gap + images[0].reduce((sum, { width }) => sum + width + gap, 0);
    canvas.height = gap + high.reduce((sum, each) => sum + each + gap, 0);
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#777';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    let y = gap;
    images.forEach((row, at) => {
      let x = gap;
      for (const image of row) {
        pen.drawImage(image, x, y);
        x += image.width + gap;
      }
      y += high[at] + gap;
    });
    return canvas.toDataURL('image/jpeg', 0.52).replace(/^.*,/, '');
  }, rows);
}

async function write(to) {
  mkdirSync(to, { recursive: true });
  const user = await new PageUser().start();
  const tool = await user.browser.newPage();
  const save = (name, data) => writeFileSync(join(to, name), data);
  const contents = await eachPicture(user, async (name, page) =>
    save(`${name}.jpg`, await page.screenshot({ type: 'jpeg', quality: 66 })),
  );
  save('pictures.json', `${JSON.stringify(contents, null, 1)}\n`);
  save('goal.webp', await animation(user, tool));
  save('screens.jpg', Buffer.from(await contactSheet(user, tool), 'base64'));
  await user.stop();
}

export const writtenContents = () => JSON.parse(readFileSync(join(folder, 'pictures.json'), 'utf8'));
if (process.argv[1] === fileURLToPath(import.meta.url)) await write(resolve(process.argv[2] ?? folder));
