// node pictures.mjs [FOLDER]: the pictures of docs/viewer.md, of a simulated match and of a replay, where there is one.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kept, PageUser, source } from './page_user.mjs';

const folder = resolve(process.argv[2] ?? join(source, 'docs/viewer'));
mkdirSync(folder, { recursive: true });
const replays = resolve(source, '../shared/data/sc2');
const replay = existsSync(replays) ? readdirSync(replays).filter((name) => /^4.*\.SC2Replay$/.test(name)).map((name) => join(replays, name))[0] : null;
const user = await PageUser.start();
const picture = async (name, path, hash, tab, colorScheme) => {
  const page = await user.open(path, { width: 960, height: 560, hash, colorScheme });
  await page.click(`#tab-${tab}`);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 });
};
await picture('match', process.env.TICKREEL_MATCH ?? join(kept, '0.2.0/recordings/echo.columns.reel'), '#t=60', 'events', 'light');
if (replay) await picture('starcraft', replay, '#t=6000', 'build', 'dark');
await user.stop();
