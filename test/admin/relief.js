// Looks at the map of a server whose operator has imported a land: far and near, light and dark, on a screen and on a phone.
//
//   node relief.js LINK FOLDER
//
// The link is the one that makes the first administrator. Screenshots go into the folder.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { desktop, open, phone } from './browser.js';

const [link, folder] = process.argv.slice(2);
const address = new URL(link).origin;

await mkdir(folder, { recursive: true });
const browser = await open(process.env.CHROMIUM || '/usr/bin/chromium', 'en-GB');
const { page, complaints, accessible, settled, until } = browser;
page.setDefaultTimeout(300_000);

const tiles = () => page.locator('.relief-tiles img').evaluateAll((all) => all.map((i) => ({ done: i.classList.contains('leaflet-tile-loaded') && i.naturalWidth === 256, src: i.src })));

/** Waits until all tiles of the map have come, and returns their addresses. */
async function loaded() {
  for (const end = Date.now() + 120_000; Date.now() < end; await page.waitForTimeout(50)) {
    const all = await tiles();
    if (all.length > 0 && all.every((t) => t.done)) return all.map((t) => t.src);
  }
  assert.fail(`tiles do not come: ${JSON.stringify((await tiles()).filter((t) => !t.done))}`);
}

/** Goes to a part of the map, which has come there when it says so, within two pixels. */
async function go(at) {
  await page.goto(`${address}/#/map/${at}`);
  const [area, centre, zoom] = at.split('/');
  const [x, z] = centre.split(',').map(Number);
  await until(`the map shows ${at}`, async () => {
    const chart = page.locator('.map');
    const [cx, cz, near] = (await chart.getAttribute('data-view')).split(' ').map(Number);
    return (await chart.getAttribute('data-area')) === area && near === Number(zoom) && Math.hypot(cx - x, cz - z) * 2 ** near <= 2;
  });
  await settled();
}

async function look(at, name) {
  await go(at);
  const all = await loaded();
  await settled();
  await page.screenshot({ path: join(folder, `relief-${name}.png`) });
  return all;
}

async function colours(wanted) {
  const menu = page.locator('.menu-button');
  const hidden = await menu.isVisible();
  if (hidden && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click();
  await page.locator('#menu .switch').nth(1).getByRole('button').nth({ light: 1, dark: 2 }[wanted]).click();
  if (hidden) await menu.click();
}

/** The colour of the tile at a place of the world, which is drawn at a zoom; null where it is transparent. */
const colourAt = (area, theme, zoom, x, z) =>
  page.evaluate(
    async ([area, theme, zoom, x, z]) => {
      const [px, py] = [Math.floor(x * 2 ** zoom), Math.floor(-z * 2 ** zoom)];
      const picture = await createImageBitmap(await (await fetch(`/api/map/tiles/${theme}/${area}/${zoom}/${px >> 8}/${py >> 8}`)).blob());
      const g = new OffscreenCanvas(256, 256).getContext('2d');
      g.drawImage(picture, 0, 0);
      const [r, green, b, a] = g.getImageData(px & 255, py & 255, 1, 1).data;
      return a === 0 ? null : [r, green, b];
    },
    [area, theme, zoom, x, z],
  );

try {
  await page.goto(link);
  await page.locator('[name=login]').fill('chief');
  await page.locator('[name=password]').fill('secret-42');
  await page.locator('[name=again]').fill('secret-42');
  await page.keyboard.press('Enter');
  await page.locator('.pulse.live').waitFor();

  await page.goto(`${address}/#/map`);
  const { version, areas } = await page.evaluate(async () => (await fetch('/api/map')).json());
  assert.deepEqual(areas.filter((a) => a.relief).map((a) => a.key), ['hyperion']);
  await colours('light');
  const whole = await look('hyperion/2300,600/-2.5', 'far-light');
  assert.ok(whole.every((src) => src.includes('/light/hyperion/-2/') && src.endsWith(`?v=${version}`)), whole[0]);
  await look('hyperion/2300,900/-1', 'middle-light');
  await look('hyperion/2614,1293/0.75', 'near-light');
  await look('hyperion/2614,1293/4', 'nearest-light');
  await accessible('the map with relief');
  await colours('dark');
  const dark = await look('hyperion/2300,600/-2.5', 'far-dark');
  assert.ok(dark.every((src) => src.includes('/dark/hyperion/')), dark[0]);
  await look('hyperion/2300,900/-1', 'middle-dark');
  await look('hyperion/2614,1293/0.75', 'near-dark');
  await page.setViewportSize(phone);
  await look('hyperion/2300,600/-2', 'phone-dark');
  await colours('light');
  await look('hyperion/2300,600/-2', 'phone-light');
  await page.setViewportSize(desktop);

  // Where people stand there is land; the road is painted; far out there is sea, and beyond it nothing.
  const [road, sea, beyond] = [await colourAt('hyperion', 'light', 0, 2614, 1293), await colourAt('hyperion', 'light', -3, 2100, 950), await colourAt('hyperion', 'light', -3, 3900, 3900)];
  assert.ok(road[0] > 220 && road[0] > road[2], `a road of ${road}`);
  assert.ok(sea[2] > sea[0] + 8, `a sea of ${sea}`);
  assert.equal(beyond, null);

  // Areas without an import have what players have walked, above the sketch.
  const dungeon = await look('dungeons/-360,960/0', 'dungeon-light');
  assert.ok(dungeon.every((src) => src.includes('/light/dungeons/0/')), dungeon[0]);
  assert.notEqual(await colourAt('dungeons', 'light', 0, -260, 960), null);
  await go('haron/-1000,2000/-3');

  // The switch is remembered; a tile that does not come leaves the map as it is.
  await go('hyperion/2300,900/-1');
  await loaded();
  await page.getByRole('checkbox', { name: 'relief and ways' }).uncheck();
  await until('the tiles are gone', async () => (await tiles()).length === 0);
  await page.reload();
  await page.locator('.scene').first().waitFor({ state: 'attached' });
  await settled();
  assert.equal((await tiles()).length, 0);
  await page.screenshot({ path: join(folder, 'relief-off.png') });
  let kept = 0;
  await page.route('**/api/map/tiles/**', (r) => (kept++ < 3 ? r.abort() : r.continue()));
  await page.getByRole('checkbox', { name: 'relief and ways' }).check();
  await loaded();
  assert.ok(kept > 3, 'tiles that did not come were asked for again');
  assert.deepEqual(complaints.filter((c) => !c.includes('net::ERR_FAILED')), [], 'what the browser complains of');
} catch (problem) {
  await page.screenshot({ path: join(folder, 'failure.png') }).catch(() => {});
  console.error(problem, complaints);
  process.exitCode = 1;
} finally {
  await browser.close();
}
