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
import { desktop, open, phone } from './browser.js';
import { crowd, frames } from './walkers.js';

const [link, login, password, folder] = process.argv.slice(2);
const address = new URL(link).origin;
const walking = 6; // metres that a bot walks within a second, and one to spare

const titles = {
  map: ['Карта', 'Map'],
  online: ['Кто в мире', 'Online'],
  characters: ['Персонажи', 'Characters'],
  accounts: ['Учётные записи', 'Accounts'],
  desk: ['Стол мастера', 'Desk'],
  instances: ['Подземелья', 'Instances'],
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
const { page, complaints, accessible, holds, settled, until } = browser;
page.setDefaultTimeout(600_000);

const shot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
const button = (name) => page.getByRole('button', { name, exact: true });
const dialog = page.locator('dialog');

/** What the server answers to the page's user. */
const ask = (path) => page.evaluate(async (p) => (await fetch(p)).json(), path);

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
  await holds(async () => assert.equal(await page.locator('html').getAttribute('lang'), language));
  await holds(async () => assert.equal(await page.locator('html').getAttribute('data-theme'), colours));
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
  await page.locator('[name=login]').waitFor(); // or the next page would cut its request off
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
  await holds(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'ru', 'the language of the browser'));
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
  // Where the server has them within some seconds.
  const tracks = [];
  let over = false;
  const track = async () => {
    for (; !over; await page.waitForTimeout(250)) tracks.push(await ask('/api/players'));
  };
  await Promise.all([track(), compareDots(players, tracks).finally(() => (over = true))]);
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
  await holds(async () => assert.match(await page.locator('.spot').textContent(), /^x -?\d+ · z -?\d+$/));
  await page.mouse.click(x, y);
  await holds(async () => assert.equal(await page.locator('.details h2').textContent(), name));
  await reload();
  await page.locator('.details > header button').click();
  await page.locator('.map').focus();
  const view = await page.locator('.map').getAttribute('data-view');
  await page.keyboard.press('ArrowRight');
  await until('the arrow keys move the map', async () => (await page.locator('.map').getAttribute('data-view')) !== view);
}

/** Players, and one who stands still, are drawn where the server has them. */
async function compareDots(players, tracks) {
  for (const { name } of [{ name: 'Loner' }, ...players]) {
    if (!(await page.locator('.inside').isVisible())) await page.locator('.details > header button').click();
    await page.locator('.inside button', { hasText: new RegExp(`^${name} `) }).click();
    while (Number((await page.locator('.map').getAttribute('data-view')).split(' ')[2]) < 3) await button('Приблизить').click();
    // The map tells of the last two seconds. A browser that gets no turn draws what was before.
    await holds(async () => {
      const track = tracks.slice(-12).map((all) => all.find((p) => p.name === name));
      const at = await drawn();
      const off = strayed(at, track);
      assert.ok(off <= 1, `${name} is drawn at ${at.x}, ${at.z}, ${off} m from its way ${JSON.stringify(track.map((p) => [p.x, p.z]))}`);
    });
  }
}

/** What the map shows is in its address: a reload brings it back, and so does whoever is sent it. */
async function reload() {
  let name = '';
  await until('the address names whom the map follows', async () => {
    const [, character] = /^#\/map\/hyperion\/-?\d+,-?\d+\/3\?follow=(\d+)$/.exec(new URL(page.url()).hash);
    ({ name } = (await ask('/api/players')).find((p) => String(p.character) === character));
    return (await page.locator('.details h2').textContent()) === name;
  });
  await page.reload();
  await page.locator('.details h2', { hasText: name }).waitFor();
  await holds(async () => assert.equal(Number((await page.locator('.map').getAttribute('data-view')).split(' ')[2]), 3));
  await button('Не следить').click();
  await button('Показать всю часть мира').click();
  await until('the whole area is in the address', () => /^#\/map\/hyperion\/\d+,-?\d+\/-[34](\.\d+)?\?player=\d+$/.test(new URL(page.url()).hash));
  await shot('map-whole');
}

/** Where the server is not heard of, the page says since when, and whoever is thrown out is told why. */
async function loseTheServer() {
  await visit('map');
  await page.route('**/api/events', (r) => r.abort());
  await page.clock.install(); // the page asks every ten seconds, which need not go by
  await page.reload();
  await page.locator('.as-of').waitFor();
  await accessible('a map without a link');
  // Without its stream, the page of the server asks how it is; it is told to be so only while there is an answer.
  await visit('health');
  await page.locator('.verdict.good, .verdict.warn').waitFor();
  await page.route('**/api/status', (r) => r.abort());
  await page.clock.fastForward(10_000);
  await page.locator('.verdict.bad', { hasText: 'The server does not answer.' }).waitFor();
  await page.unroute('**/api/status');
  await page.clock.fastForward(10_000);
  await page.locator('.verdict.bad').waitFor({ state: 'detached' });
  await visit('map');
  await page.unroute('**/api/events');
  await page.clock.fastForward(10_000);
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
    await settled();
    await holds(async () => {
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= room, `${key} is ${wide} px wide, where there are ${room}`);
    });
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
  await holds(async () => assert.match(await dialog.textContent(), new RegExp(`${kicked} will be disconnected`)));
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
  await holds(async () => assert.match(await dialog.locator('.confirmation').textContent(), new RegExp(banned)));
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

/** Sends what the page would send. */
const send = (path, body) =>
  page.evaluate(
    async ([to, what]) => {
      const { csrf } = await (await fetch('/api/me')).json();
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf };
      const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(what) });
      return answer.ok ? answer.json() : Promise.reject(new Error(await answer.text()));
    },
    [path, body],
  );

/** Chooses what the map shows at a point, which a close view has in its middle. */
async function chooseAt({ x, z }, title) {
  await visit('online');
  await page.goto(`${address}/#/map/hyperion/${Math.round(x)},${Math.round(z)}/4`);
  const details = page.locator('.details h2', { hasText: title });
  await until(`${title} is chosen`, async () => {
    const chart = page.locator('.map');
    const [cx, cz, zoom] = ((await chart.getAttribute('data-view')) ?? '').split(' ').map(Number);
    const box = await chart.boundingBox();
    if (zoom !== 4 || !box) return false;
    const scale = 2 ** zoom;
    await page.mouse.click(box.x + box.width / 2 + (x - cx) * scale, box.y + box.height / 2 - (z - cz) * scale);
    return details.isVisible();
  });
}

/** The audit trail, newest first, and the sentence that tells what is looked for. */
const written = async (what) => (await ask('/api/audit?limit=50')).map((e) => e.sentence.en).find((s) => what.test(s));

/** Monsters on the map: thousands of them, one that is summoned and removed, and where they come from turned off and on. */
async function monsters() {
  const all = (await ask('/api/monsters?area=hyperion')).monsters;
  assert.ok(all.length > 1000, `${all.length} monsters on Hyperion`);
  for (const [size, name] of [[desktop, 'monsters'], [phone, 'monsters-phone']]) {
    await page.setViewportSize(size);
    await visit('online');
    await page.goto(`${address}/#/map/hyperion/2614,1293/-2`);
    await page.locator('h2', { hasText: /\d monsters here/ }).waitFor({ state: 'attached' });
    await settled();
    await shot(name);
    await accessible(`a map with monsters, ${name}`);
  }
  await page.setViewportSize(desktop);

  // One by itself, so that a click chooses nothing else.
  const alone = all.find(([id, , , , , x, , z]) => all.every(([other, , , , , ox, , oz]) => other === id || Math.hypot(ox - x, oz - z) > 15));
  const at = { x: alone[5] + 8, y: alone[6], z: alone[7], yaw: 0 };
  const summoned = await send('/api/verbs/monster-summon', { monster: 'Wolf', level: 9, named: true, at });
  assert.equal(summoned.level, 9);
  await until('it is in the world', async () => (await ask('/api/monsters?area=hyperion')).monsters.some((m) => m[9] === 1));
  const [, , , , , x, , z] = (await ask('/api/monsters?area=hyperion')).monsters.find((m) => m[9] === 1);
  await chooseAt({ x, z }, 'Wolf');
  await page.locator('.details .badge').nth(1).waitFor();
  await accessible('a monster that is chosen');
  await shot('monster');
  const { key } = (await send('/api/verbs/spawner-list', { at, radius: 100 }))[0];
  await button('No monsters within 100 m').click();
  await dialog.waitFor();
  await accessible('the form that turns spawners off');
  assert.equal((await ask('/api/spawners')).length, 0);
  // A notice that comes while a dialog is open is not below it.
  await page.evaluate(() => (location.hash = '#/map/hyperion?player=999999999'));
  await dialog.locator('.notice.bad').waitFor();
  await holds(async () => assert.equal(await page.locator('.notice').count(), 1));
  const { x: left, y: top, width, height } = await page.locator('.notice').boundingBox();
  assert.ok(await page.evaluate(([px, py]) => document.elementFromPoint(px, py).matches('.notice'), [left + width / 2, top + height / 2]), 'a notice lies below a dialog');
  await dialog.getByRole('button', { name: 'No monsters within 100 m', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await until('they are off', async () => (await ask('/api/spawners')).some((s) => s.key === key));
  await page.locator('.details > header button').click();
  await page.locator('h3', { hasText: 'Where no monsters come from' }).waitFor();
  await accessible('where no monsters come from');
  await shot('spawners-off');
  await chooseAt({ x, z }, 'Wolf');
  await button('Monsters again within 100 m').click();
  await until('they come again', async () => (await ask('/api/spawners')).length === 0);
  await button('Remove').click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await until('it is removed', async () => !(await ask('/api/monsters?area=hyperion')).monsters.some((m) => m[9] === 1));
  for (const what of [/summoned the monster Wolf of level 9: /, /turned spawners off: .* m around, places: \d/, /turned spawners on: /, /removed monsters \(Wolf\), how many: 1, /]) {
    await holds(async () => assert.ok(await written(what), `the audit trail has nothing like ${what}`));
  }
  await visit('audit');
  await page.locator('tbody tr', { hasText: 'chief summoned the monster Wolf of level 9' }).first().waitFor();
  await shot('audit-monsters');
}

/** Shows what of the map is wanted, as the page remembers it, around a point. */
async function showMap(view, sorts, heat) {
  await visit('online');
  await page.locator('.legend').waitFor({ state: 'detached' }); // the map before has gone, and what is remembered counts for the next
  await page.evaluate(([s, h]) => { localStorage.setItem('sphere.map.sorts', s); localStorage.setItem('sphere.map.heat', h); localStorage.setItem('sphere.map.legend', innerWidth > 760 ? 'open' : 'shut'); }, [sorts, heat]);
  await page.goto(`${address}/#/map/${view}`);
  await page.locator('.legend summary').waitFor();
  await page.locator('.leaflet-overlay-pane .scene').waitFor({ state: 'attached' });
}

/** How many different colours lie in the middle of the map. */
const colours = () =>
  page.evaluate(() => {
    const canvas = document.querySelector('.leaflet-overlay-pane .scene');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(width / 4, height / 4, width / 2, height / 2);
    return new Set(new Uint32Array(data.buffer)).size;
  });

/** A heat map that nobody has to walk for: what the server answers is counted by tests of its own. */
const madeUpHeat = (route) => {
  const cells = [];
  for (const [east, north, wide, all] of [[81, 40, 9, 900], [74, 47, 4, 300], [93, 33, 3, 120], [60, 52, 2, 40]]) {
    for (let x = east - wide; x <= east + wide; x++) {
      for (let z = north - wide; z <= north + wide; z++) {
        const amount = Math.round((all * Math.exp(-(((x - east) ** 2 + (z - north) ** 2) / (wide * 2)))) * (0.5 + ((x * 7 + z * 13) % 10) / 10));
        if (amount > 0) cells.push([x, z, amount]);
      }
    }
  }
  const most = Math.max(...cells.map((c) => c[2]));
  return route.fulfill({ json: { since: new Date(Date.now() - 3_600_000).toISOString(), cell: 32, most, cells } });
};

/** The layers of the map: heat, where monsters come from, what is sold, where doors lead, and coordinates to copy. */
async function layers() {
  const around = 'hyperion/2614,1293/-2';
  const heat = await ask('/api/heat?area=hyperion&of=players&hours=1');
  assert.ok(heat.cells.length > 0 && heat.most >= 10, `the heat of bots that play is ${JSON.stringify(heat)}`);
  for (const [colour, size, name] of [['light', desktop, 'light'], ['dark', desktop, 'dark'], ['light', phone, 'light-phone'], ['dark', phone, 'dark-phone']]) {
    await page.setViewportSize(size);
    await prefer('en', colour);
    await showMap(around, 'place', 'none 24');
    await settled();
    const plain = await colours();
    await page.route('**/api/heat?*', madeUpHeat);
    await showMap(around, 'place', 'players 6');
    await page.locator('.scale.heats').waitFor({ state: 'attached' });
    await until('heat is drawn', async () => (await colours()) > plain + 50);
    await shot(`layer-heat-${name}`);
    await accessible(`heat, ${name}`);
    await page.unroute('**/api/heat?*');
    await showMap(around, 'place spawner', 'none 24');
    await until('spawners are drawn', async () => (await colours()) > plain + 50);
    await shot(`layer-spawners-${name}`);
    await accessible(`spawners, ${name}`);
    await showMap('hyperion', 'place spawner', 'none 24');
    await settled();
    await shot(`layer-spawners-far-${name}`);
  }
  await page.setViewportSize(desktop);
  await prefer('en', 'light');

  // The choice of heat is remembered.
  await showMap(around, 'place spawner townsman portal', 'none 24');
  await page.locator('.heat-choice select').first().selectOption('kills');
  await page.locator('.heat-choice select').nth(1).selectOption('6');
  await page.reload();
  await holds(async () => assert.equal(await page.locator('.heat-choice select').first().inputValue(), 'kills'));
  await holds(async () => assert.equal(await page.locator('.heat-choice select').nth(1).inputValue(), '6'));
  await page.locator('.heat-choice select').first().selectOption('');

  // One place where monsters come from is turned off and on.
  const { keys, spawners } = await ask('/api/spawners/all?area=hyperion');
  const { townsfolk, portals, places } = await ask('/api/map');
  const all = [...townsfolk, ...portals, ...places].filter((p) => p.area === 'hyperion');
  const alone = spawners.findIndex(([x, , z], i) => spawners.every(([ox, , oz], j) => i === j || Math.hypot(ox - x, oz - z) > 15) && all.every((p) => Math.hypot(p.x - x, p.z - z) > 15));
  await chooseAt({ x: spawners[alone][0], z: spawners[alone][2] }, 'Spawner of level');
  await shot('layer-spawner');
  await accessible('a spawner that is chosen');
  const off = async () => (await ask('/api/spawners')).some((s) => s.key === keys[alone]);
  await page.locator('.details').getByRole('button', { name: 'Turn off', exact: true }).click();
  await until('it is off', off);
  await page.locator('.details').getByRole('button', { name: 'Turn on', exact: true }).click();
  await until('it is on again', async () => !(await off()));

  // What a trader sells, and where a portal leads.
  const trader = townsfolk.find((n) => n.area === 'hyperion' && n.kind === 'trader' && townsfolk.every((o) => o === n || Math.hypot(o.x - n.x, o.z - n.z) > 8));
  await showMap(around, 'townsman portal', 'none 24');
  await chooseAt(trader, '');
  await page.locator('.wares tbody tr').first().waitFor();
  await holds(async () => assert.equal(await page.locator('.wares tbody tr').count(), Math.min(12, (await ask(`/api/wares?townsman=${trader.key}`)).length)));
  await shot('layer-wares');
  await accessible('a trader with what he sells');
  const door = portals.find((p) => p.area === 'hyperion' && p.to && all.every((o) => o.key === p.key || Math.hypot(o.x - p.x, o.z - p.z) > 8));
  await chooseAt(door, '');
  await button('Show where to').click();
  await until('the map is there', async () => {
    const [x, z] = (await page.locator('.map').getAttribute('data-view')).split(' ').map(Number);
    return Math.hypot(x - door.to.x, z - door.to.z) < 2 && (await page.locator('.map').getAttribute('data-area')) === door.to.area;
  });

  // Coordinates, by a click into nothing, by a finger or the other button on something, and by a key.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address });
  for (const [size, name] of [[desktop, 'spot'], [phone, 'spot-phone']]) {
    await page.setViewportSize(size);
    await showMap(around, 'place', 'none 24');
    const card = page.locator('.spot-card');
    await holds(async () => {
      const box = await page.locator('.map').boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: 'right' });
      assert.ok(await card.isVisible(), 'no card of a spot');
    });
    await holds(async () => assert.match(await card.locator('p').textContent(), /^x 261\d · y ≈ 1\d\d · z 129\d$/));
    await card.getByRole('button', { name: 'Copy as /tp', exact: true }).click();
    await until('it is copied', async () => /^\/tp 261\d 1\d\d 129\d$/.test(await page.evaluate(() => navigator.clipboard.readText())));
    await card.getByRole('button', { name: 'Copy', exact: true }).click();
    await until('that is copied', async () => /^261\d, 1\d\d, 129\d$/.test(await page.evaluate(() => navigator.clipboard.readText())));
    await shot(`layer-${name}`);
    await accessible(`a spot, ${name}`);
    await card.getByRole('button', { name: 'Close', exact: true }).click();
    await card.waitFor({ state: 'detached' });
    await page.locator('.map').focus();
    await page.keyboard.press('Enter');
    await card.waitFor();
  }
  await page.setViewportSize(desktop);
  await page.evaluate(() => { localStorage.removeItem('sphere.map.sorts'); localStorage.removeItem('sphere.map.heat'); });
}

const walkers = 5000;

/** Thousands who walk: one canvas for all, and the time that the page takes for each frame is told. */
async function smooth() {
  const points = (await ask('/api/map')).townsfolk.filter((p) => p.area === 'hyperion');
  const made = await crowd(address, points, walkers);
  const told = [];
  try {
    for (const zoom of [-4, -2, 0, 3]) {
      await page.goto('about:blank');
      await page.goto(`${made.address}/#/map/hyperion/2614,1293/${zoom}`);
      await page.locator('.areas .badge', { hasText: String(walkers) }).waitFor();
      await settled();
      const { drawn, each, half, most } = await frames(page, 50);
      assert.ok(drawn > 0, `nothing moves at zoom ${zoom}`);
      told.push(`zoom ${zoom}: ${each.toFixed(0)} frames a second, ${half.toFixed(1)} ms each, ${most.toFixed(1)} ms at most`);
      await shot(`crowd${zoom}`);
    }
    const elements = await page.evaluate(() => document.querySelectorAll('.map *').length);
    assert.ok(elements < 300, `${elements} elements in a map of ${walkers} players`);
  } finally {
    await page.goto('about:blank'); // whose stream would end in the middle
    made.close();
  }
  console.error(`${walkers} players who walk:\n  ${told.join('\n  ')}`);
  await page.goto(`${address}/#/online`);
  await page.locator('.pulse.live').waitFor();
}

/** Somebody in a dungeon of its own, and its mission: given, shown where it is looked for, finished, and cancelled. */
async function missions(name) {
  const here = (await ask('/api/players')).find((p) => p.name === name);
  const sheet = () => ask(`/api/characters/${here.character}`);
  const rows = page.locator('tbody tr', { hasText: name });
  const act = async (action) => {
    await visit('online');
    await page.goto(`${address}/#/characters/${here.character}`);
    await page.locator('.card.mission').getByRole('button', { name: action, exact: true }).click();
    await accessible(`the form of: ${action}`);
  };
  const confirm = async (action) => {
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  await visit('instances');
  await page.locator('.empty').waitFor();
  await send('/api/verbs/instance-enter', { id: here.character });
  await rows.first().waitFor(); // by itself
  assert.equal((await ask('/api/instances')).find((i) => i.players.includes(name)).dungeon, 'newcomers');
  await until('the sheet says where it is', async () => (await sheet()).instance?.dungeon === 'newcomers');

  await act('Give a mission');
  await dialog.getByLabel('For').selectOption('money');
  await shot('mission-give');
  await confirm('Give a mission');
  await until('there is a mission', async () => (await sheet()).mission?.goal === 'money');
  for (const [language, colours, size, like] of [['ru', 'light', desktop, 'ru-light'], ['en', 'dark', desktop, 'en-dark'], ['ru', 'dark', phone, 'ru-dark-phone'], ['en', 'light', phone, 'en-light-phone']]) {
    await page.setViewportSize(size);
    await visit('instances');
    await prefer(language, colours);
    await rows.first().waitFor();
    await shot(`instances-${like}`);
    await accessible(`instances, ${like}`);
    await page.goto(`${address}/#/characters/${here.character}`);
    await page.locator('.card.mission dl').waitFor();
    await page.locator('.card.mission').scrollIntoViewIfNeeded();
    await shot(`mission-sheet-${like}`);
    await accessible(`a sheet with a mission, ${like}`);
    await visit('online');
    await page.locator('tbody tr', { hasText: name }).first().getByRole('button').last().click();
    await dialog.locator('.mission dl').waitFor();
    await dialog.locator('.mission').scrollIntoViewIfNeeded();
    await holds(async () => {
      const [wide, room] = await dialog.evaluate((d) => [d.scrollWidth, d.clientWidth]);
      assert.ok(wide <= room, `the dialog is ${wide} px wide, where there are ${room}`);
    });
    await shot(`mission-dialog-${like}`);
    await accessible(`what can be done about a mission, ${like}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await page.setViewportSize(desktop);
  await prefer('en', 'light');

  const before = await sheet();
  await act('Finish the mission');
  await confirm('Finish the mission');
  await until('it is finished and paid', async () => !(await sheet()).mission && (await sheet()).money > before.money);
  await act('Give a mission');
  await confirm('Give a mission');
  await until('there is another', async () => Boolean((await sheet()).mission));
  await act('Cancel the mission');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.ok((await sheet()).mission, 'nothing is cancelled before it is confirmed');
  await act('Cancel the mission');
  await shot('mission-cancel');
  await confirm('Cancel the mission');
  await until('it is cancelled', async () => !(await sheet()).mission);
  for (const what of ['gave a mission to', 'finished the mission of', 'cancelled the mission of']) {
    await holds(async () => assert.ok(await written(new RegExp(`^chief ${what} ${name}`)), `the audit trail has nothing like: ${what}`));
  }

  await send('/api/verbs/character-move', { id: here.character, position: { x: here.x, y: here.y, z: here.z, yaw: here.yaw } });
  await visit('instances');
  await page.locator('tbody tr .badge', { hasText: 'empty' }).first().waitFor();
}

/** Whoever plays is healed, and nobody who lives is revived. */
async function heal(name) {
  await measure(name, 'Heal');
  await dialog.getByRole('button', { name: 'Heal', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await holds(async () => assert.ok(await written(new RegExp(`chief healed ${name}`))));
  const { character } = (await ask('/api/players')).find((p) => p.name === name);
  await assert.rejects(send('/api/verbs/character-revive', { id: character }), /refused/);
}

async function changeSettings() {
  await visit('config');
  const drops = page.locator('tr', { hasText: 'drops' });
  await drops.getByRole('button', { name: 'Set', exact: true }).click();
  await accessible('the form of a rate');
  await dialog.getByLabel('Factor').fill('0');
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  await dialog.getByLabel('Factor').fill('1,5');
  await dialog.getByLabel('When it begins').fill('2036-12-04T18:30');
  await dialog.locator('output', { hasText: 'Thursday' }).waitFor();
  await dialog.getByLabel('When it begins').fill('');
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await drops.locator('td', { hasText: 'by chief' }).waitFor();
  await accessible('the settings with a rate');
  await shot('rates');
  await drops.getByRole('button', { name: 'End', exact: true }).click();
  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await drops.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change backups.every', exact: true }).click();
  await dialog.getByLabel('Value').fill('often');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.locator('.field.wrong').waitFor();
  await holds(async () => assert.equal(await dialog.getByLabel('Value').getAttribute('aria-invalid'), 'true'));
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
  await bringBack(found, 'Renamed', { money: given.money + 77, items: given.items.length - 1 });
}

/** A character that was deleted: its name is kept for it, and it comes back with what it had, once. */
async function bringBack({ id, account }, name, had) {
  const other = (await ask('/api/characters?limit=1000')).find((c) => c.name !== 'Loner' && c.online === false);
  await page.goto(`${address}/#/characters/${other.id}`);
  await page.getByRole('heading', { level: 1, name: other.name }).waitFor();
  await button('Rename').click();
  await dialog.getByLabel('New name').fill(name);
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.locator('.field.wrong, .trouble').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`${address}/#/accounts?search=${account}`);
  await page.getByRole('button', { name: `Actions for ${account}`, exact: true }).click();
  const deleted = dialog.getByRole('region', { name: 'Deleted characters' });
  await deleted.getByText(name).waitFor();
  await accessible('an account with a deleted character');
  await deleted.scrollIntoViewIfNeeded();
  await shot('undelete');
  await deleted.getByRole('button', { name: 'Bring back', exact: true }).click();
  await dialog.getByRole('heading', { name: `Bring back: ${name}` }).waitFor();
  assert.equal((await ask(`/api/characters?search=${name}`)).length, 0, 'nobody comes back before it is confirmed');
  await dialog.getByRole('button', { name: 'Bring back', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const { money, items } = await ask(`/api/characters/${id}`);
  assert.deepEqual({ money, items: items.length }, had);
  await assert.rejects(send('/api/verbs/character-undelete', { id }));
  await holds(async () => assert.ok(await written(new RegExp(`^chief .*${name}`))));
}

/** The balance file is edited as a text: what changes is shown before, and nothing is written until then. */
async function editBalance() {
  const balance = async () => (await send('/api/verbs/balance-show', {})).text;
  await visit('config');
  await page.getByRole('link', { name: 'Balance file', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Balance file' });
  await text.waitFor();
  const before = await balance();
  const edit = async (was, line) => {
    await text.evaluate((t, w) => {
      const at = t.value.indexOf(`\n${w}\n`) + 1;
      t.focus();
      t.setSelectionRange(at, at + w.length);
    }, was);
    await page.keyboard.insertText(line);
    await button('Show the changes').click();
  };
  await edit('#hp = 1', 'hp = -5');
  await page.locator('.balance .trouble').waitFor();
  await holds(async () => assert.equal(await text.evaluate((t) => t.value.slice(t.selectionStart, t.selectionEnd)), 'hp = -5'));
  assert.equal(await button('Let it count').count(), 0);
  await accessible('a balance file with a fault');
  await shot('balance-fault');
  await edit('hp = -5', 'hp = 1.5');
  await holds(async () => assert.deepEqual((await page.locator('.changes li').allTextContents()).map((c) => c.trim()), ['strength.hp: 1 → 1.5']));
  assert.equal(await balance(), before, 'nothing is written before its changes were seen');
  await accessible('what an edit of the balance file changes');
  await shot('balance');
  await button('Let it count').click();
  await until('the edit is written', async () => (await balance()).includes('\nhp = 1.5\n'));
  await holds(async () => assert.ok(await written(/^chief changed the balance file: .*strength\.hp/)));
}

/** The message of the day and maintenance, on the page that tells how the server is. */
async function giveOrders() {
  const begin = async (order) => {
    await button(order).click();
    await dialog.waitFor();
  };
  const submit = (order) => dialog.getByRole('button', { name: order, exact: true }).click();
  const confirm = async (order) => {
    await submit(order);
    await dialog.waitFor({ state: 'detached' });
  };
  await visit('health');
  await begin('Set the message');
  await dialog.getByLabel('Text', { exact: true }).fill('я'.repeat(501));
  await submit('Set the message');
  await dialog.locator('.field.wrong').waitFor();
  assert.equal((await ask('/api/motd')).text, '');
  await dialog.getByLabel('Text', { exact: true }).fill('Турнир в 20:00');
  await accessible('the form of the message of the day');
  await confirm('Set the message');
  await page.locator('.settings p', { hasText: 'Турнир в 20:00 (chief, ' }).waitFor();

  await begin('Begin maintenance');
  await dialog.getByLabel('Logins that get in, too').fill('nobody-here');
  await submit('Begin maintenance');
  await dialog.locator('.trouble').waitFor();
  assert.equal((await ask('/api/maintenance')).on, false);
  await accessible('the form of maintenance with a fault');
  await shot('maintenance');
  await dialog.getByLabel('Logins that get in, too').fill('Loner');
  await confirm('Begin maintenance');
  await page.locator('.settings p', { hasText: /operators get in, and Loner \(chief, /i }).waitFor();
  assert.ok(await inWorld('Loner'), 'players who are in stay');
  await accessible('orders that count');
  await page.locator('.settings p').last().scrollIntoViewIfNeeded();
  await shot('orders');
  for (const order of ['End maintenance', 'End the message']) {
    await begin(order);
    await confirm(order);
    await button(order).waitFor({ state: 'detached' });
  }
  assert.deepEqual([(await ask('/api/motd')).text, (await ask('/api/maintenance')).on], ['', false]);
}

/** An address that leads nowhere, figures with all the room of their cards, and what a phone, a keyboard and a pointer do. */
async function manners() {
  await page.goto(`${address}/#/nowhere`);
  await page.getByRole('heading', { level: 1, name: 'No page here' }).waitFor();
  await accessible('an address without a page');
  await page.getByRole('link', { name: 'To the map' }).click();
  await page.locator('.map').waitFor();

  await page.setViewportSize(phone);
  await visit('health');
  await page.locator('.figures dd').first().waitFor();
  const narrow = await page.locator('.figures > div').evaluateAll((all) => all.filter((d) => d.querySelector('dd').clientWidth < d.clientWidth - 30).length);
  assert.equal(narrow, 0, 'figures that have not the room of their card');

  await visit('online');
  await page.locator('tbody tr').nth(1).waitFor();
  const names = () => page.locator('tbody td:first-child a').allTextContents();
  const rising = await names();
  await button('Greatest first').click();
  await holds(async () => assert.deepEqual(await names(), rising.toReversed()));
  const opener = page.locator('.menu-button');
  await opener.click();
  await page.locator('#menu a').first().focus();
  await page.keyboard.press('Escape');
  await page.locator('#menu').waitFor({ state: 'hidden' });
  assert.ok(await opener.evaluate((b) => b === document.activeElement), 'the focus goes back to the button of the menu');
  await page.setViewportSize(desktop);

  // A town by the keys alone.
  const { places } = await ask('/api/map');
  const town = places.find((p) => p.area === 'hyperion' && p.kind === 'city');
  await page.goto(`${address}/#/map/hyperion/${Math.round(town.x)},${Math.round(town.z)}/-4`);
  await until('the town is chosen', async () => {
    await page.locator('.map').focus();
    await page.keyboard.press('Space');
    return page.locator('.details h2').isVisible();
  });
}

/** Pings that change let rows change places, but not under the pointer. */
async function sortUnderPointer() {
  const names = () => page.locator('tbody td:first-child a').allTextContents();
  await page.clock.install(); // the page asks every three seconds, which need not go by
  await visit('online');
  const all = await ask('/api/players');
  let sign = 1;
  let answers = 0;
  await page.route('**/api/players', (r) => {
    answers++;
    return r.fulfill({ json: all.map((p, i) => ({ ...p, pingMs: 100 + sign * i })) });
  });
  await page.getByRole('columnheader', { name: 'Ping' }).getByRole('button').click();
  await until('the rows are sorted', async () => (await names())[0] === all[0].name);
  await page.locator('tbody td').nth(2).hover();
  sign = -1;
  const asked = answers;
  await until('there were two answers more', async () => {
    await page.clock.fastForward(3000);
    return answers > asked + 2;
  });
  assert.equal((await names())[0], all[0].name, 'rows stay under the pointer');
  await page.mouse.move(1, 1);
  await until('the rows are sorted anew', async () => (await names())[0] === all.at(-1).name);
  await page.unroute('**/api/players');
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
  await page.locator('.notice', { hasText: 'The database stays.' }).waitFor();
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
  await page.locator('.notice', { hasText: 'figures is deleted.' }).waitFor();
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
  await page.emulateMedia({ reducedMotion: 'reduce' }); // drawing each step of the bots would take most of the processor
  await part('Russian, light', () => lookAround('ru', 'light', desktop, 'ru-light'));
  await part('English, dark', () => lookAround('en', 'dark', desktop, 'en-dark'));
  await part('Russian, dark, phone', () => lookAround('ru', 'dark', phone, 'ru-dark-phone'));
  await part('English, light, phone', () => lookAround('en', 'light', phone, 'en-light-phone'));
  await page.setViewportSize(desktop);
  const bots = (await ask('/api/players')).map((p) => p.name).filter((n) => n !== 'Loner');
  await part('measures', () => takeMeasures(bots));
  await part('monsters', monsters);
  await part('layers', layers);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await part('thousands', smooth);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await part('instances and missions', () => missions('Loner'));
  await part('healing', () => heal('Loner'));
  await part('accounts and characters', manage);
  await part('balance', editBalance); // before settings that wait for a restart, which a list of changes names as well
  await part('settings', changeSettings);
  await part('orders', giveOrders);
  await part('manners', manners);
  await part('say', speak);
  await part('backups and tokens', copyAndToken);
  await part('recording', record);
  await part('rows under the pointer', sortUnderPointer);
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
