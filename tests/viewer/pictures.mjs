// node pictures.mjs [FOLDER]: writes the pictures of docs/viewer.md from recordings of the repository. TICKREEL_MATCH
// names a longer match of Echo VR.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kept, PageUser, source } from './page_user.mjs';

const folder = resolve(process.argv[2] ?? join(source, 'docs/viewer'));
const type = process.env.TICKREEL_PICTURES ?? 'jpeg';
mkdirSync(folder, { recursive: true });
const user = await PageUser.start();
const picture = async (name, path, hash, tab, colorScheme) => {
  const page = await user.open(path, { width: 960, height: 560, hash, colorScheme });
  await page.click(`#tab-${tab}`);
  await page.waitForTimeout(2500);
  await page.screenshot({
    path: join(folder, `${name}.${type === 'png' ? 'png' : 'jpg'}`),
    type,
    ...(type === 'png' ? {} : { quality: 72 }),
  });
};
await picture(
  'match',
  process.env.TICKREEL_MATCH ?? join(kept, '0.2.0/recordings/echo.columns.reel'),
  '#t=1200',
  'events',
  'dark',
);
await picture('world', join(kept, '0.1.0/recordings/match.icrep'), '#t=90', 'values', 'dark');
await user.stop();
