import { useId, useState } from 'preact/hooks';
import type { Kind } from '../answers';
import { withQuery } from '../api';
import type { Values } from '../actions/actions';
import { number } from '../format';
import { useWords, type Speech } from '../i18n';
import { Field } from './field';
import { Select } from './form';
import { useLater } from './later';
import { useLoaded } from './loaded';

/** What there is to say of a kind beside its name. */
function about(k: Kind, t: Speech): string {
  const other = t.language === 'ru' ? k.name.en : k.name.ru;
  return [
    other !== t.both(k.name) && other,
    k.title > 0 && t('needsTitle', { n: k.title }),
    k.degree > 0 && t('needsDegree', { n: k.degree }),
    k.stack > 1 && t('upTo', { n: number(k.stack, t.language) }),
    `№ ${k.id}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What a name has after the name of its kind, which is its suffix; the whole name where it does not begin so. */
export function suffixName(whole: string, kind: string): string {
  return whole.startsWith(kind) ? whole.slice(kind.length).trim() || whole : whole;
}

/** A thing of the catalogue, searched for while its name is typed, and its suffix by name. The values are item, kind and suffix. */
export function ItemPicker({ values, error, change }: { values: Values; error: string | undefined; change: (more: Values) => void }) {
  const t = useWords();
  const list = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<Kind | null>(null);
  const typed = values.item ?? '';
  const asked = useLater(typed.trim());
  const loading = useLoaded<Kind[]>(asked && !chosen ? withQuery('/api/catalogue', { search: asked, limit: 12 }) : null);
  const found = asked && !chosen ? (loading.value ?? []) : [];
  const shown = open && found.length > 0;
  const marked = Math.min(at, found.length - 1);

  const choose = (k: Kind) => {
    setChosen(k);
    setOpen(false);
    change({ item: t.both(k.name), kind: String(k.id), suffix: k.suffix >= 0 ? String(k.suffix) : '' });
  };
  const type = (text: string) => {
    setChosen(null);
    setOpen(true);
    setAt(0);
    change({ item: text, kind: '', suffix: '' });
  };
  const press = (e: KeyboardEvent) => {
    if (!shown) return;
    if (e.key === 'ArrowDown') setAt(Math.min(marked + 1, found.length - 1));
    else if (e.key === 'ArrowUp') setAt(Math.max(marked - 1, 0));
    else if (e.key === 'Enter') choose(found[marked]!);
    else if (e.key === 'Escape') setOpen(false);
    else return;
    e.preventDefault();
    e.stopPropagation();
  };

  const none = !chosen && asked !== '' && asked === typed.trim() && loading.value?.length === 0;
  const suffixes = chosen?.suffixes ?? [];
  return (
    <>
      <div class="picker">
        <Field label={t('item')} hint={chosen ? about(chosen, t) : none ? t('noSuchItem', { item: asked }) : t('itemHint')} error={error}>
          {(p) => (
            <input
              {...p}
              type="text"
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={shown}
              aria-controls={list}
              aria-activedescendant={shown ? `${list}-${marked}` : undefined}
              autocomplete="off"
              spellcheck={false}
              value={typed}
              onInput={(e) => type(e.currentTarget.value)}
              onKeyDown={press}
              onBlur={() => setOpen(false)}
            />
          )}
        </Field>
        <ul id={list} role="listbox" aria-label={t('item')} hidden={!shown}>
          {found.map((k, i) => (
            <li
              key={`${k.id} ${k.suffix}`}
              id={`${list}-${i}`}
              role="option"
              aria-selected={i === marked}
              // The field is not left before the choice is made.
              onMouseDown={(e) => e.preventDefault()}
              onClick={() => choose(k)}
            >
              {t.both(k.suffixes.find((s) => s.suffix === k.suffix)?.name ?? k.name)}
              <small>{about(k, t)}</small>
            </li>
          ))}
        </ul>
      </div>
      {suffixes.length > 0 && (
        <Field label={t('suffix')}>
          {(p) => (
            <Select
              {...p}
              value={values.suffix ?? ''}
              change={(suffix) => change({ suffix })}
              options={[['', t('noSuffix')], ...suffixes.map((s) => [String(s.suffix), suffixName(t.both(s.name), t.both(chosen!.name))] as const)]}
            />
          )}
        </Field>
      )}
    </>
  );
}
