// Uses the administrators' page of a running server as an administrator would: logs in, looks at everything in both languages, light
// and dark, on a screen and on a phone, compares the map with the world, and takes measures against bots.
//
//   node page.js LINK LOGIN PASSWORD FOLDER
//
// The link is the one that makes the first administrator, who gets that login and password. The server has at least six bots, and one
// with the login Loner who stands still. Screenshots go into the folder.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { barriers, desktop, open, phone } from './browser.js';

const [link, login, password, folder] = process.argv.slice(2);
const address = new URL(link).origin;
const walking = 6; // metres that a bot walks within a second, and one to spare

const titles = {
  map: ['Карта', 'Map'],
  online: ['Кто в мире', 'Online'],
  characters: ['Персонажи', 'Characters'],
  accounts: ['Учётные записи', 'Accounts'],
  chat: ['Чат', 'Chat'],
  health: ['Состояние', 'Health'],
  log: ['Журнал', 'Log'],
  config: ['Настройки', 'Settings'],
  backups: ['Резервные копии', 'Backups'],
  audit: ['Действия операторов', 'Audit trail'],
  tokens: ['Ключи доступа', 'Access tokens'],
};

await mkdir(folder, { recursive: true });
const browser = await open(process.env.CHROMIUM || '/usr/bin/chromium', 'ru-RU');
const { page, complaints } = browser;
page.setDefaultTimeout(600_000);

const shot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
const button = (name) => page.getByRole('button', { name, exact: true });
const dialog = page.locator('dialog');

/** What the server answers to the page's user. */
const ask = (path) => page.evaluate(async (p) => (await fetch(p)).json(), path);

async function accessible(what) {
  assert.deepEqual(await barriers(page), [], `barriers in ${what}`);
}

/** Waits until something is so. */
async function until(what, so) {
  for (const end = Date.now() + 120_000; Date.now() < end; await page.waitForTimeout(100)) if (await so()) return;
  assert.fail(`waited in vain until ${what}`);
}

async function visit(key) {
  await page.goto(`${address}/#/${key}`);
  await page.locator(`#menu a[aria-current=page][href="#/${key}"]`).waitFor({ state: 'attached' });
}

/** Chooses language and colours as users do: with the buttons of the menu. */
async function prefer(language, colours) {
  const menu = page.locator('.menu-button');
  const hidden = await menu.isVisible();
  if (hidden && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click();
  await page.locator(`#menu .switch button[lang=${language}]`).click();
  await page.locator('#menu .switch').nth(1).getByRole('button').nth({ light: 1, dark: 2 }[colours]).click();
  if (hidden) await menu.click();
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  assert.equal(await page.locator('html').getAttribute('data-theme'), colours);
}

async function makeFirst() {
  await page.goto(link);
  await page.locator('[name=again]').waitFor();
  await accessible('the making of the first administrator');
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=again]').fill(`${password}!`);
  await button('Создать и войти').click();
  await page.locator('.field.wrong [name=again]').waitFor();
  await shot('first');
  await page.locator('[name=again]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.pulse.live').waitFor();
  await button('Выйти').click();
  await page.goto('about:blank'); // another hash alone would not load the page anew
  await page.goto(link);
  await page.locator('[name=again]').fill(password);
  await page.locator('[name=login]').fill('second');
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor(); // the link counts once
}

async function logIn() {
  await page.goto(address);
  await page.locator('form').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru', 'the language of the browser');
  await accessible('the login');
  await button('Войти').click();
  await page.locator('.field.wrong [name=login]').waitFor();
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(`${password}!`);
  await button('Войти').click();
  await page.getByRole('alert').waitFor();
  await shot('login');
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.pulse.live').waitFor();
}

/** Where the page lists players to be, by name. */
const listed = () =>
  page.locator('.inside button').evaluateAll((all) =>
    Object.fromEntries(all.map((b) => [b.firstChild.data.trim(), b.querySelector('small').textContent.split(', ').map(Number)])),
  );

async function comparePositions() {
  await visit('map');
  await until('six bots are listed', async () => Object.keys(await listed()).length >= 6);
  // The list is compared with two answers of the server around it: a bot is between them, or a second's walk away.
  await until('the list agrees with the world', async () => {
    const players = await ask('/api/players');
    const shown = await listed();
    return players.every((p) => shown[p.name] && Math.hypot(shown[p.name][0] - p.x, shown[p.name][1] - p.z) <= walking);
  });
  const before = await listed();
  await until('bots move on the page', async () => {
    const now = await listed();
    return Object.keys(before).filter((n) => now[n] && Math.hypot(now[n][0] - before[n][0], now[n][1] - before[n][1]) > 1).length >= 2;
  });
}

/** Where the map draws the player who is chosen: in the middle of the ring around it. */
const drawn = () =>
  page.evaluate(() => {
    const [cx, cz, zoom] = document.querySelector('.map').dataset.view.split(' ').map(Number);
    const canvas = document.querySelector('.scene');
    const { width, height } = canvas;
    const probe = document.createElement('span');
    probe.style.color = 'var(--map-selected)';
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
    probe.remove();
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let o = 0; o < data.length; o += 4) {
      if ([0, 1, 2].some((c) => Math.abs(data[o + c] - wanted[c]) > 8)) continue;
      const [x, y] = [(o / 4) % width, Math.floor(o / 4 / width)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
    const scale = 2 ** zoom * (width / canvas.clientWidth);
    return { x: cx + ((left + right + 1) / 2 - width / 2) / scale, z: cz - ((top + bottom + 1) / 2 - height / 2) / scale };
  });

/** How many metres a point is away from a track, which goes straight from each of its points to the next. */
function strayed(p, track) {
  const off = track.slice(1).map((b, i) => {
    const a = track[i];
    const [dx, dz] = [b.x - a.x, b.z - a.z];
    const share = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz || 1)));
    return Math.hypot(p.x - a.x - share * dx, p.z - a.z - share * dz);
  });
  return Math.min(...off);
}

async function compareDrawing() {
  const players = (await ask('/api/players')).filter((p) => p.name !== 'Loner').slice(0, 3);
  for (const { name } of [{ name: 'Loner' }, ...players]) {
    if (!(await page.locator('.inside').isVisible())) await page.locator('.details > header button').click();
    await page.locator('.inside button', { hasText: new RegExp(`^${name} `) }).click();
    while (Number((await page.locator('.map').getAttribute('data-view')).split(' ')[2]) < 3) await button('Приблизить').click();
    // Where the server has it within some seconds; the map tells of the last two. A browser that gets no turn draws what was before.
    for (let tries = 10; ; tries--) {
      const track = [];
      for (let i = 0; i < 12; i++) {
        track.push((await ask('/api/players')).find((p) => p.name === name));
        await page.waitForTimeout(250);
      }
      const at = await drawn();
      const off = strayed(at, track);
      if (off <= 1) break;
      assert.ok(tries > 0, `${name} is drawn at ${at.x}, ${at.z}, ${off} m from its way ${JSON.stringify(track.map((p) => [p.x, p.z]))}`);
    }
  }
  await button('Следить').click();
  await until('the map follows', async () => {
    const [x, z] = (await page.locator('.map').getAttribute('data-view')).split(' ').map(Number);
    const [px, , pz] = (await page.locator('.coordinates').textContent()).split(', ').map(Number);
    return Math.hypot(x - px, z - pz) <= walking;
  });
  await shot('map-follow');
  // What is clicked is chosen: whom the map follows stands in its middle.
  const name = await page.locator('.details h2').textContent();
  const box = await page.locator('.map').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await until('the pointer says who that is', async () => {
    await page.mouse.move(x + Math.random(), y);
    const cursor = await page.locator('.map').evaluate((m) => m.style.cursor);
    return cursor === 'pointer' && (await page.locator('.tip strong').textContent()) === name;
  });
  assert.match(await page.locator('.spot').textContent(), /^x -?\d+ · z -?\d+$/);
  await page.mouse.click(x, y);
  assert.equal(await page.locator('.details h2').textContent(), name);
  await reload(name);
  await page.locator('.details > header button').click();
  await page.locator('.map').focus();
  const view = await page.locator('.map').getAttribute('data-view');
  await page.keyboard.press('ArrowRight');
  await until('the arrow keys move the map', async () => (await page.locator('.map').getAttribute('data-view')) !== view);
}

/** What the map shows is in its address: a reload brings it back, and so does whoever is sent it. */
async function reload(name) {
  await until('the address names whom the map follows', () => /^#\/map\/hyperion\/-?\d+,-?\d+\/3\?follow=\d+$/.test(new URL(page.url()).hash));
  await page.reload();
  await page.locator('.details h2', { hasText: name }).waitFor();
  assert.equal(Number((await page.locator('.map').getAttribute('data-view')).split(' ')[2]), 3);
  await button('Не следить').click();
  await button('Показать всю часть мира').click();
  await until('the whole area is in the address', () => /^#\/map\/hyperion\/\d+,-?\d+\/-[34](\.\d+)?\?player=\d+$/.test(new URL(page.url()).hash));
  await shot('map-whole');
}

/** Where the server is not heard of, the page says since when, and whoever is thrown out is told why. */
async function loseTheServer() {
  await visit('map');
  await page.route('**/api/events', (r) => r.abort());
  await page.reload();
  await page.locator('.as-of').waitFor();
  await accessible('a map without a link');
  await page.unroute('**/api/events');
  await page.locator('.as-of').waitFor({ state: 'detached' });
  await page.locator('.pulse.live').waitFor();
  await page.route('**/api/players', (r) => r.fulfill({ status: 401, json: {} }));
  await page.goto(`${address}/#/online`);
  await page.locator('.login [role=status]').waitFor();
  await accessible('the login of somebody who was thrown out');
  await shot('thrown-out');
  await page.unroute('**/api/players');
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.pulse.live').waitFor();
}

/** Looks at every page in a language, in colours, and in a size. */
async function lookAround(language, colours, size, name) {
  await page.setViewportSize(size);
  await prefer(language, colours);
  for (const [key, title] of Object.entries(titles)) {
    await visit(key);
    await page.getByRole('heading', { level: 1, name: title[language === 'ru' ? 0 : 1], exact: true }).waitFor({ state: 'attached' });
    await until('all is loaded', async () => (await page.locator('.waiting').count()) === 0);
    await page.waitForTimeout(300);
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= room, `${key} is ${wide} px wide, where there are ${room}`);
    await shot(`${name}-${key}`);
    await accessible(`${key}, ${name}`);
  }
}

/** Opens the form of an action from the table of those who are online. */
async function measure(name, action) {
  await visit('online');
  await page.getByRole('searchbox').fill(name);
  const row = page.locator('tbody tr', { has: page.getByRole('link', { name, exact: true }).first() }).first();
  await row.getByRole('button', { name: `Actions for ${name}` }).click();
  await accessible('what can be done');
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.getByRole('heading', { name: `${action}: ${name}` }).waitFor();
}

const inWorld = async (name) => (await ask('/api/players')).some((p) => p.name === name);

async function takeMeasures([kicked, banned, moved]) {
  await measure(kicked, 'Kick');
  assert.match(await dialog.textContent(), new RegExp(`${kicked} will be disconnected`));
  await accessible('the form that kicks');
  await dialog.getByLabel('Reason').fill('a test');
  await dialog.getByRole('button', { name: 'Kick', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(`${kicked} is gone`, async () => !(await inWorld(kicked)));

  await measure(moved, 'Teleport');
  await dialog.getByRole('radio', { name: 'coordinates' }).check();
  await dialog.getByLabel('Coordinates', { exact: true }).fill('2300 155');
  await dialog.getByRole('button', { name: 'Teleport', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  await accessible('a form with a fault');
  await dialog.getByLabel('Coordinates', { exact: true }).fill('-1000, 405, 2000');
  await dialog.getByRole('button', { name: 'Teleport', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(`${moved} is on Haron`, async () => (await ask('/api/players')).some((p) => p.name === moved && p.area === 'haron'));

  await measure(banned, 'Ban');
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
  await dialog.locator('.confirmation').waitFor();
  assert.ok(await inWorld(banned), 'nobody is banned without a confirmation');
  assert.match(await dialog.locator('.confirmation').textContent(), new RegExp(banned));
  assert.doesNotMatch(await dialog.locator('.confirmation').textContent(), /confirm\b.*field|\[/);
  await accessible('the form that bans');
  await shot('ban');
  await dialog.getByLabel(/^To confirm, type/).fill(banned);
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(`${banned} is gone`, async () => !(await inWorld(banned)));
  await page.goto(`${address}/#/accounts?search=${banned}`);
  await page.locator('tbody .badge.bad').first().waitFor();
  await visit('audit');
  await page.locator('tbody tr', { hasText: `chief banned the account ${banned} for ever` }).first().waitFor();
  await olderEntries(`chief banned the account ${banned} for ever`);
}

/** What is not among the newest entries of the audit trail is asked for. */
async function olderEntries(text) {
  const newest = Array.from({ length: 1000 }, (_, i) => {
    const id = 2_000_000 - i;
    return { id, at: '2026-01-01T00:00:00Z', who: 'crowd', action: 'test', target: '', detail: '', sentence: { ru: 'x', en: 'x' } };
  });
  await page.route('**/api/audit?limit=1000', (asked) => asked.fulfill({ json: newest }));
  await page.reload(); // forgets what has come since
  await page.getByLabel('Who, whom or what').fill('banned the account');
  await page.getByRole('button', { name: 'Older entries' }).click();
  await page.locator('tbody tr', { hasText: text }).first().waitFor();
  await page.unroute('**/api/audit?limit=1000');
}

async function changeSettings() {
  await visit('config');
  await page.getByRole('button', { name: 'Change backups.every', exact: true }).click();
  await dialog.getByLabel('Value').fill('often');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  assert.equal(await dialog.getByLabel('Value').getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change server.name', exact: true }).click();
  await dialog.getByLabel('Value').fill('Проверка');
  await accessible('the form of a setting');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.server', { hasText: 'Проверка' }).waitFor();
  await page.getByRole('button', { name: 'Change world.crowd', exact: true }).click();
  await dialog.getByLabel('Value').fill('77');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.bar-note', { hasText: 'world.crowd' }).waitFor();
  await shot('restart-needed');
}

/** Everything that the command line can do to an account and to a character, in the world or not. */
async function manage() {
  await visit('accounts');
  await button('New account').click();
  await dialog.getByLabel('Login').fill('fresh');
  await dialog.getByLabel('Password').fill('');
  await dialog.getByRole('button', { name: 'New account', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  await dialog.getByLabel('Password').fill('secret');
  await accessible('the form of a new account');
  await dialog.getByRole('button', { name: 'New account', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('fresh');
  const act = async (name, action) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await dialog.getByRole('button', { name: action, exact: true }).click();
  };
  await act('fresh', 'Delete the account');
  await dialog.getByRole('button', { name: 'Delete the account', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  await dialog.getByLabel(/^To confirm, type/).fill('fresh');
  await dialog.getByRole('button', { name: 'Delete the account', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.empty', { hasText: 'Nothing found for “fresh”.' }).waitFor();
  await page.locator('.empty button').click();
  await page.locator('tbody tr').first().waitFor();

  await button('Ban an address').click();
  await dialog.getByLabel('Address').fill('192.0.2.7');
  await dialog.getByRole('button', { name: 'Ban an address', exact: true }).click();
  await page.getByRole('cell', { name: '192.0.2.7' }).waitFor();

  const found = (await ask('/api/characters?limit=1000')).find((c) => c.name !== 'Loner' && c.online === false);
  await page.goto(`${address}/#/characters/${found.id}`);
  await page.getByRole('heading', { level: 1, name: found.name }).waitFor();
  await button('Give').click();
  await dialog.getByRole('combobox').fill('knight');
  await dialog.getByRole('option').first().waitFor();
  await accessible('the choice of a thing');
  await shot('item-picker');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('listbox').waitFor({ state: 'hidden' });
  await dialog.getByRole('button', { name: 'Give', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const sheet = () => ask(`/api/characters/${found.id}`);
  const given = await sheet();
  await button('Money').click();
  await dialog.getByLabel('Amount').fill('77');
  await dialog.getByRole('button', { name: 'Money', exact: true }).click();
  await until('the money is there', async () => (await sheet()).money === given.money + 77);
  await button('Levels').click();
  await dialog.getByLabel('Title, 1 to 60').fill('7');
  await dialog.getByRole('button', { name: 'Levels', exact: true }).click();
  await until('the level is there', async () => (await sheet()).level.title === 7);
  await page.locator('tbody button.risky').first().click();
  await dialog.getByRole('button', { name: 'Take', exact: true }).click();
  await until('a thing is gone', async () => (await sheet()).items.length === given.items.length - 1);
  await button('Teleport').click();
  await dialog.getByRole('radio', { name: 'coordinates' }).check();
  await dialog.getByLabel('Coordinates', { exact: true }).fill('-1000, 405, 2000');
  await dialog.getByRole('button', { name: 'Teleport', exact: true }).click();
  await until('who is away is moved', async () => (await sheet()).position.x === -1000);
  await button('Rename').click();
  await dialog.getByLabel('New name').fill('Renamed');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
  await shot('sheet');
  await button('Delete the character').click();
  await dialog.getByLabel(/^To confirm, type/).fill('Renamed');
  await dialog.getByRole('button', { name: 'Delete the character', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Characters' }).waitFor();
  assert.equal((await ask('/api/characters?search=Renamed')).length, 0);
}

async function speak() {
  await visit('chat');
  await page.getByLabel('Say to all').fill('Проверка связи');
  await button('Say').click();
  await page.locator('.notice', { hasText: 'Проверка связи' }).waitFor();
}

async function copyAndToken() {
  await visit('backups');
  await button('Back up now').click();
  await page.locator('tbody code').first().waitFor();
  await button('Restore').first().click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.locator('.bar-note').waitFor();
  await accessible('a backup that waits');
  await button('Keep the database').click();
  await page.locator('.bar-note').waitFor({ state: 'detached' });
  await visit('tokens');
  await button('New token').click();
  await dialog.getByLabel('Name').fill('figures');
  await dialog.getByRole('button', { name: 'Make', exact: true }).click();
  await dialog.locator('.secret').waitFor();
  await accessible('a token');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete the token figures' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.locator('main .empty').waitFor();
}

async function record() {
  await visit('log');
  await button('Record traffic').click();
  await accessible('the form of a recording');
  await dialog.getByRole('button', { name: 'Record', exact: true }).click();
  await page.locator('.recording').waitFor();
  await until('frames are recorded', async () => (await ask('/api/capture')).frames > 0);
  await page.locator('.recording').click();
  await button('Record traffic').waitFor();
}

async function logOut() {
  await button('Log out').click();
  await page.locator('[name=password]').waitFor();
}

/** Does one part, and says how long it took. */
async function part(name, work) {
  const begin = Date.now();
  await work();
  console.error(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

try {
  await part('first administrator', makeFirst);
  await part('log in', logIn);
  await part('positions', comparePositions);
  await part('drawing', compareDrawing);
  await part('Russian, light', () => lookAround('ru', 'light', desktop, 'ru-light'));
  await part('English, dark', () => lookAround('en', 'dark', desktop, 'en-dark'));
  await part('Russian, dark, phone', () => lookAround('ru', 'dark', phone, 'ru-dark-phone'));
  await part('English, light, phone', () => lookAround('en', 'light', phone, 'en-light-phone'));
  await page.setViewportSize(desktop);
  const bots = (await ask('/api/players')).map((p) => p.name).filter((n) => n !== 'Loner');
  await part('measures', () => takeMeasures(bots));
  await part('accounts and characters', manage);
  await part('settings', changeSettings);
  await part('say', speak);
  await part('backups and tokens', copyAndToken);
  await part('recording', record);
  await part('lost link', loseTheServer);
  await part('log out', logOut);
  assert.deepEqual(complaints, [], 'what the browser complains of');
  console.log(JSON.stringify({ kicked: bots[0], banned: bots[1] }));
} catch (problem) {
  await shot('failure').catch(() => {});
  console.error(problem, complaints);
  process.exitCode = 1;
} finally {
  await browser.close();
}
