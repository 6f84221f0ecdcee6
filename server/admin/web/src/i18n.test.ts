import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

vi.stubGlobal('navigator', { languages: ['en'] });
await import('./words/all');
const { playersEn } = await import('./words/players.en');
const { playersRu } = await import('./words/players.ru');
const { browserLanguage, fill, plural, speech, words } = await import('./i18n');

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);

describe('both languages', () => {
  const keys = Object.keys(words.en) as (keyof typeof words.en)[];

  test('have the same words', () => {
    expect(Object.keys(words.ru)).toEqual(keys);
    for (const key of keys) for (const l of ['ru', 'en'] as const) expect(words[l][key].trim(), `${l} ${key}`).not.toBe('');
  });

  test('have the same places for values', () => {
    for (const key of keys) {
      const of = (l: 'ru' | 'en') => [...new Set(places(words[l][key]))].sort();
      expect(of('ru'), key).toEqual(of('en'));
    }
  });

  test('have all forms where a number decides', () => {
    for (const key of keys) {
      const forms = words.en[key].split('|').length;
      expect([1, 2], key).toContain(forms);
      expect(words.ru[key].split('|').length, key).toBe(forms === 1 ? 1 : 3);
    }
  });

  test('are what they say they are', () => {
    for (const key of keys) {
      expect(/[а-яё]/i.test(words.en[key]), `en ${key}`).toBe(false);
      const letters = words.ru[key].replace(/\{\w+\}|Authorization: Bearer/g, '');
      if (/[a-z]{3}/i.test(letters)) expect(/[а-яё]/i.test(letters), `ru ${key}`).toBe(true);
    }
  });
});

/** The text of a file of the page, and of all that it loads. */
function sources(file: string, seen = new Map<string, string>()): Map<string, string> {
  const found = [file, `${file}.ts`, `${file}.tsx`].find((f) => /\.tsx?$/.test(f) && existsSync(f));
  if (!found || seen.has(found)) return seen;
  const text = readFileSync(found, 'utf8');
  seen.set(found, text);
  for (const [, from] of text.matchAll(/^import (?!type )[^;]*?'(\.[^']+)';/gms)) sources(join(dirname(found), from!), seen);
  return seen;
}

test("the players' page has the words that its files ask for, and no others", () => {
  const files = sources(join(import.meta.dirname, 'public/main.tsx'));
  expect([...files.keys()].some((f) => f.endsWith(join('words', 'en.ts')))).toBe(false);
  const text = [...files].filter(([f]) => !f.startsWith(join(import.meta.dirname, 'words'))).map(([, its]) => its).join('\n');
  const groups = [...text.matchAll(/`([\w.]+\.)\$\{|\bnamed\('(\w+)'/g)].map(([, start, group]) => start ?? `${group}.`);
  const asked = [...text.matchAll(/\bt(?:\.count)?\(([^`]*?)[,)]/g)].flatMap(([, word]) => [...word!.matchAll(/'([\w.]+)'/g)].map(([, key]) => key!));
  const all = Object.keys(words.en).filter((key) => asked.includes(key) || groups.some((g) => key.startsWith(g)));
  const own = Object.keys(playersEn);
  expect(all.filter((key) => !own.includes(key))).toEqual([]);
  expect(own.filter((key) => !all.includes(key) && !text.includes(`'${key}'`))).toEqual([]);
  expect(Object.keys(playersRu)).toEqual(own);
});

test('the language is the first of the browser that there is', () => {
  expect(browserLanguage(['de-DE', 'ru-RU', 'en'])).toBe('ru');
  expect(browserLanguage(['en-GB', 'ru'])).toBe('en');
  expect(browserLanguage(['kk-KZ'])).toBe('ru');
  expect(browserLanguage([])).toBe('en');
});

test('numbers decide about forms', () => {
  const text = '{n} предмет|{n} предмета|{n} предметов';
  expect([1, 2, 5, 11, 21, 104].map((n) => plural('ru', text, n))).toEqual([0, 1, 2, 2, 0, 1].map((i) => text.split('|')[i]));
  expect(speech('en').count('items', 1)).toBe('1 thing carried');
  expect(speech('en').count('items', 1200)).toBe('1,200 things carried');
});

test('values go into their places, and what has none stays', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}');
});

test('what the page has no word for is shown as the server says it', () => {
  expect(speech('ru').named('channel', 'channel 77')).toBe('channel 77');
  expect(speech('ru').named('channel', 'trade')).toBe('торговля');
  expect(speech('en').both({ ru: 'Шипстоун', en: '' })).toBe('Шипстоун');
});

test('operators of the machine are named in the language of the reader', () => {
  const author = (who: string) => [speech('ru').author(who), speech('en').author(who)];
  expect(author('operator root')).toEqual(['оператор root', 'operator root']);
  expect(author('operator')).toEqual(['оператор', 'operator']);
  expect(author('first administrator')).toEqual(['первый администратор', 'first administrator']);
  expect(author('operators')).toEqual(['operators', 'operators']);
});
