import type { Both } from './answers';
import { recall, remember } from './remembered';
import { Store, useStore } from './store';
import type { en } from './words/en';

export type Language = 'ru' | 'en';
export type Word = keyof typeof en;

/**
 * The words of the page by language, as it has learned them. Where a number decides, the forms stand with a | between.
 * The players' page has only its own: its files do not ask for others.
 */
export const words = { ru: {}, en: {} } as Record<Language, Record<Word, string>>;

/** Takes over words in both languages. */
export function learn(more: Record<Language, Partial<Record<Word, string>>>): void {
  Object.assign(words.ru, more.ru);
  Object.assign(words.en, more.en);
}

/** The language for somebody who has chosen none: that of the browser. */
export function browserLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const short = tag.slice(0, 2).toLowerCase();
    if (short === 'ru' || short === 'en') return short;
    if (['uk', 'be', 'kk'].includes(short)) return 'ru';
  }
  return 'en';
}

const saved = recall('language');

/** The language in use. */
export const language = new Store<Language>(saved === 'ru' || saved === 'en' ? saved : browserLanguage(navigator.languages));

language.watch((l) => remember('language', l));

/** Puts values into the {places} of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

const rules = { ru: new Intl.PluralRules('ru'), en: new Intl.PluralRules('en') };
const forms = { ru: ['one', 'few', 'many'], en: ['one', 'other'] };

/** The form of a text that fits a number: "{n} player|{n} players". */
export function plural(l: Language, text: string, n: number): string {
  const found = forms[l].indexOf(rules[l].select(n));
  const all = text.split('|');
  return all[found < 0 ? all.length - 1 : found] ?? text;
}

/** The words of the language in use. */
export interface Speech {
  (word: Word, values?: Record<string, string | number>): string;
  /** Of a number of things. */
  count(word: Word, n: number): string;
  /** Of a word that the server has made up, such as a channel's; the word itself where the page has none for it. */
  named(group: string, name: string): string;
  /** Of what has a name in both. */
  both(name: Both): string;
  /** The author of an act: a login, or the operator of the machine. */
  author(who: string): string;
  language: Language;
}

/** Makes the speech of a language. */
export function speech(l: Language): Speech {
  const table = words[l];
  const t = ((word, values) => (values ? fill(table[word], values) : table[word])) as Speech;
  t.count = (word, n) => fill(plural(l, table[word], n), { n: n.toLocaleString(l) });
  t.named = (group, name) => table[`${group}.${name}` as Word] ?? name;
  t.both = (name) => name[l] || name.en || name.ru;
  t.author = (who) => (l === 'ru' ? who.replace(/^first administrator$/, 'первый администратор').replace(/^operator(?= |$)/, 'оператор') : who);
  t.language = l;
  return t;
}

const speeches = { ru: speech('ru'), en: speech('en') };

/** The words of the language in use, now. */
export const say = (): Speech => speeches[language.value];

/** The words of the language in use; the component is drawn again when it changes. */
export function useWords(): Speech {
  return speeches[useStore(language)];
}
