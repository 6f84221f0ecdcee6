// Looks at the players' page of a running server as somebody would who wants to play: in both languages, light and dark, on a screen and on
// a phone, and compares it with what the server tells.
//
//   node public.js ADDRESS FOLDER
//
// The server shows names and where players are, has bots in its world and one character of title 7. What it tells as JSON is printed.
// Screenshots go into the folder.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { desktop, open, phone } from './browser.js';

const [address, folder] = process.argv.slice(2);

await mkdir(folder, { recursive: true });
const browser = await open(process.env.CHROMIUM || '/usr/bin/chromium', 'ru-RU');
const { page, complaints, accessible, holds, settled, until } = browser;

const shot = (name) => page.screenshot({ path: join(folder, `public-${name}.png`), fullPage: true });
const ask = (path) => page.evaluate(async (p) => (await fetch(p)).json(), path);

/** Waits until the map is drawn, and all of its tiles are there. */
async function drawn() {
  await settled();
  const tiles = () => page.locator('.relief-tiles img').evaluateAll((all) => [all.length, all.filter((i) => i.complete && i.naturalWidth > 0).length]);
  await until('all tiles are there', async () => {
    const [all, there] = await tiles();
    return all > 0 && all === there;
  });
}

/** Chooses language and colours with the buttons of the page. */
async function prefer(language, colours) {
  await page.locator(`.switch button[lang=${language}]`).click();
  await page.locator('.switch').nth(1).getByRole('button').nth({ light: 1, dark: 2 }[colours]).click();
  await holds(async () => assert.equal(await page.locator('html').getAttribute('lang'), language));
  await holds(async () => assert.equal(await page.locator('html').getAttribute('data-theme'), colours));
}

async function lookAt(language, colours, size, name) {
  await page.setViewportSize(size);
  await prefer(language, colours);
  await drawn();
  await accessible(name);
  await holds(async () => {
    const { wide, seen } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, seen: innerWidth }));
    assert.ok(wide <= seen, `${name}: ${wide} pixels wide on ${seen}`);
  });
  await shot(name);
}

async function compare() {
  const status = await ask('/api/status');
  assert.equal(await page.locator('h1').textContent(), status.name);
  assert.equal(await page.locator('.address code').textContent(), status.connect);
  await until('the page says how many play', async () => (await page.locator('.pulse').textContent()).includes(String((await ask('/api/status')).online)));
  await holds(async () => {
    const { players } = await ask('/api/online');
    assert.deepEqual(await page.locator('.names td:first-child').allTextContents(), players.map((p) => p.name));
  });
  await holds(async () => {
    const best = await page.locator('.best section').first().locator('td:nth-child(2)').allTextContents();
    assert.deepEqual(best, (await ask('/api/top')).title.map((one) => one.name));
    assert.ok(best.length > 0, 'nobody is in the list of the best');
  });
  assert.equal(await page.locator('meta[name=robots]').count(), 0, 'it may be found');
}

async function useTheMap() {
  await page.locator('.places summary').click();
  const place = page.locator('.places li button', { hasText: 'Шипстоун' }).first();
  await place.click();
  await until('the place is named', async () => (await page.locator('.chosen').textContent()).startsWith('Шипстоун'));
  const before = await page.locator('.map').getAttribute('data-view');
  await page.locator('.zoom button').first().click();
  await holds(async () => assert.notEqual(await page.locator('.map').getAttribute('data-view'), before));
  await drawn();
  await accessible('a place that is chosen');
  await shot('place');
  const other = page.locator('.areas button').nth(1);
  await other.click();
  await until('another part of the world is shown', async () => (await other.getAttribute('aria-pressed')) === 'true');
  await page.locator('.areas button').first().click();
  // The wheel moves the page, not the map that happens to lie under it.
  const view = await page.locator('.map').getAttribute('data-view');
  await page.locator('.map').hover();
  // The map library gathers what a wheel does for 40 ms; what is asked for later is told later.
  const heard = page.evaluate(() => new Promise((done) => addEventListener('wheel', () => setTimeout(done, 80), { once: true, passive: true, capture: true })));
  await page.mouse.wheel(0, 300);
  await heard;
  await settled();
  assert.equal(await page.locator('.map').getAttribute('data-view'), view);
  await page.locator('.places summary').click();
  await page.evaluate(() => scrollTo(0, 0));
}

async function loseTheServer() {
  await page.route('**/api/**', (r) => r.fulfill({ status: 503, body: '{}' }));
  await page.locator('.trouble').waitFor();
  await accessible('a page without a server');
  await shot('lost');
  await page.unroute('**/api/**');
  await page.locator('.trouble').waitFor({ state: 'detached' });
}

try {
  await page.goto(address);
  await page.locator('.names td').first().waitFor();
  await page.locator('.best td').first().waitFor();
  await holds(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'ru', 'the language of the browser'));
  await compare();
  await useTheMap();
  await lookAt('ru', 'light', desktop, 'ru-light');
  await lookAt('en', 'dark', desktop, 'en-dark');
  await lookAt('ru', 'dark', phone, 'ru-dark-phone');
  await lookAt('en', 'light', phone, 'en-light-phone');
  await page.setViewportSize(desktop);
  await loseTheServer();
  assert.deepEqual(complaints.filter((c) => !c.includes('status of 503')), [], 'what the browser complains of');
  assert.deepEqual(await page.context().cookies(), []);
  console.log(JSON.stringify(await ask('/api/status')));
} catch (problem) {
  await shot('failure').catch(() => {});
  console.error(problem, complaints);
  process.exitCode = 1;
} finally {
  await browser.close();
}
