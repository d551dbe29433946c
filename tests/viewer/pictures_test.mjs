// The pictures of README and docs/viewer.md show what the page shows today.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { source, userOfTests } from './page_user.mjs';
import { animationOf, eachPicture, folder, writtenContents } from './pictures.mjs';
import { stagedMatch } from './staged_match.mjs';

const user = userOfTests();

test('the pictures show controls, texts and colours of the page', async () => {
  assert.deepEqual(
    await eachPicture(user),
    writtenContents(),
    'the page has changed: node tests/viewer/pictures.mjs writes new pictures',
  );
});

test('every picture that a page of the documentation shows exists, and all are small', () => {
  let shown = 0;
  for (const page of ['README.md', 'docs/viewer.md']) {
    const text = readFileSync(join(source, page), 'utf8');
    for (const [, name] of text.matchAll(/!\[[^\]]*\]\((?:docs\/)?viewer\/([\w.-]+)\)/g)) {
      ++shown;
      assert.ok(existsSync(join(folder, name)), `${page}: ${name}`);
    }
  }
  assert.ok(shown >= 4, `${shown}`);
  const sizes = ['match.jpg', 'charts.jpg', 'world.jpg', 'goal.webp', 'screens.jpg'].map(
    (name) => statSync(join(folder, name)).size,
  );
  assert.ok(Math.max(...sizes) < 400_000 && sizes.reduce((sum, size) => sum + size) < 800_000, sizes.join());
});

test('a staged match is the same in every run', () => {
  assert.ok(stagedMatch().equals(stagedMatch()));
});

test('an animation holds its pictures, and can be drawn', async () => {
  const page = await user.browser.newPage();
  const [first, second] = await page.evaluate(() =>
    ['#d00', '#00d'].map((colour) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [40, 30];
      const pen = canvas.getContext('2d', { alpha: false });
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 40, 30);
      return canvas.toDataURL('image/webp', 0.8).replace(/^.*,/, '');
    }),
  );
  const made = animationOf([Buffer.from(first, 'base64'), Buffer.from(second, 'base64')], 40, 30, 200);
  assert.equal(made.readUInt32LE(4), made.length - 8);
  assert.equal(made.toString('latin1').split('ANMF').length, 3);
  const [wide, high, red] = await page.evaluate(async (data) => {
    const image = document.createElement('img');
    image.src = `data:image/webp;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.getContext('2d').drawImage(image, 0, 0);
    return [image.width, image.height, canvas.getContext('2d').getImageData(20, 15, 1, 1).data[0]];
  }, made.toString('base64'));
  assert.deepEqual([wide, high], [40, 30]);
  assert.ok(red > 150, `${red}`);
  await page.close();
});
