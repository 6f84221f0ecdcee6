// A browser without a screen, with an empty profile of its own.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Opens a browser; what its pages complain of is gathered in complaints. */
export async function open(program, locale) {
  const profile = await mkdtemp(join(tmpdir(), 'sphere-admin-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    args: flags,
    locale,
    viewport: desktop,
    colorScheme: 'light',
  });
  context.setDefaultTimeout(120_000);
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints = [];
  /** Checks until nothing is thrown, or two minutes are over: the page is drawn between one question to it and the next. */
  const holds = async (check) => {
    for (const end = Date.now() + 120_000; ; await page.waitForTimeout(50)) {
      try {
        return await check();
      } catch (problem) {
        if (Date.now() > end) throw problem;
      }
    }
  };
  // What was asked of the server and has no answer yet, but for its stream of events, which has no end.
  const asked = new Set();
  page.on('request', (r) => new URL(r.url()).pathname.endsWith('/events') || asked.add(r));
  page.on('requestfinished', (r) => asked.delete(r));
  page.on('requestfailed', (r) => asked.delete(r));
  const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  /** Waits until the page has its answers, and has drawn them. */
  const settled = () =>
    holds(async () => {
      await frames(); // in which it asks
      assert.deepEqual([...asked].map((r) => r.url()), [], 'no answer has come');
      await frames();
    });
  page.on('pageerror', (e) => complaints.push(e.stack ?? e.message));
  page.on('console', (m) => {
    // Requests that the server refuses on purpose are told of, too, and what a test keeps from it.
    const kept = /\/api\/(events|status)$/.test(m.location().url) && m.text().includes('net::ERR_FAILED');
    if (m.type() === 'error' && !kept && !/status of (400|401|403|404|409)/.test(m.text())) complaints.push(m.text());
  });
  page.on('request', (r) => {
    const { protocol, hostname } = new URL(r.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(`a request to ${r.url()}`);
  });
  return {
    page,
    complaints,
    holds,
    settled,
    accessible: (what) => holds(async () => assert.deepEqual(await barriers(page), [], `barriers in ${what}`)),
    /** Waits until something is so. */
    until: (what, so) => holds(async () => assert.ok(await so(), `waited in vain until ${what}`)),
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is, in a line each. */
async function barriers(page) {
  // Not as a script of the page: its policy lets none in.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const { violations } = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return violations.map((v) => `${v.impact}: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
}
