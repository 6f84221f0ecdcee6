import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useWords } from '../i18n';
import { Select } from './form';

export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => ComponentChildren;
  /** What rows are sorted by; columns without cannot be sorted by. */
  by?: (row: T) => string | number;
  /** Figures stand to the right. */
  figure?: boolean;
  /** Left out on phones. */
  wide?: boolean;
}

export interface Order {
  key: string;
  down: boolean;
}

/** The rows in an order; those that are equal stay as they were. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], order: Order): T[] {
  const by = columns.find((c) => c.key === order.key)?.by;
  if (!by) return [...rows];
  const sign = order.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    return sign * (typeof x === 'string' && typeof y === 'string' ? x.localeCompare(y) : Number(x > y) - Number(x < y));
  });
}

/** Sorted rows, of which those that were shown before keep their order: nothing changes places under a hand. */
export function kept<T>(rows: readonly T[], id: (row: T) => string | number, before: readonly (string | number)[]): T[] {
  const place = new Map(before.map((one, i) => [one, i]));
  const known = rows.filter((r) => place.has(id(r))).sort((a, b) => place.get(id(a))! - place.get(id(b))!);
  let next = 0;
  return rows.map((r) => (place.has(id(r)) ? known[next++]! : r));
}

const atOnce = 200;

interface NothingProps {
  /** Why there is nothing, where nothing is searched for. */
  empty?: string;
  /** What was searched for, and how to search no more. */
  search?: string;
  clear?: () => void;
}

interface TableProps<T> extends NothingProps {
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  id: (row: T) => string | number;
  first?: Order;
}

/** Rows under titles; a title that can be sorted by is a button. On phones each row is a card. */
export function Table<T>(props: TableProps<T>) {
  const t = useWords();
  const { columns, rows, id, label } = props;
  const [order, setOrder] = useState<Order>(props.first ?? { key: '', down: false });
  const [most, setMost] = useState(atOnce);
  const body = useRef<HTMLTableSectionElement>(null);
  const before = useRef<(string | number)[]>([]);
  const orderBefore = useRef(order);
  // Rows that come anew every few seconds stay where they are while somebody points at one, unless another order is chosen.
  const pointed = body.current?.matches(':hover') || body.current?.querySelector(':focus-visible');
  const held = pointed && orderBefore.current === order;
  orderBefore.current = order;
  const shown = held ? kept(sorted(rows, columns, order), id, before.current) : sorted(rows, columns, order);
  before.current = shown.map(id);
  const className = (c: Column<T>) => [c.figure && 'figure', c.wide && 'wide', c.key === 'actions' && 'acts'].filter(Boolean).join(' ') || undefined;
  const sortable = columns.filter((c) => c.by);
  if (rows.length === 0) {
    return (
      <div class="table" role="region" aria-label={label}>
        <Nothing {...props} />
      </div>
    );
  }
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      {sortable.length > 1 && (
        <div class="sort-by">
          <label>
            {t('sortBy')} <Select value={order.key} change={(key) => setOrder({ key, down: order.down })} options={sortable.map((c) => [c.key, c.title])} />
          </label>
          <button type="button" class="quiet" aria-label={t('otherWay')} title={t('otherWay')} aria-pressed={order.down} onClick={() => setOrder({ ...order, down: !order.down })}>
            {order.down ? '↓' : '↑'}
          </button>
        </div>
      )}
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((c) => (
              <th
                key={c.key}
                role="columnheader"
                scope="col"
                class={className(c)}
                aria-sort={order.key === c.key && c.by ? (order.down ? 'descending' : 'ascending') : undefined}
              >
                {c.by ? (
                  <button type="button" onClick={() => setOrder({ key: c.key, down: order.key === c.key && !order.down })}>
                    {c.title}
                  </button>
                ) : (
                  c.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          {shown.slice(0, most).map((row) => (
            <tr key={id(row)} role="row">
              {columns.map((c) => (
                <td key={c.key} role="cell" class={className(c)} data-title={c.title}>
                  <div>{c.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + atOnce)}>
          {t.count('moreRows', shown.length - most)}
        </button>
      )}
    </div>
  );
}

/** Says why there is nothing to show, and what to do about it. */
export function Nothing({ empty, search, clear }: NothingProps) {
  const t = useWords();
  const wanted = search?.trim();
  return (
    <p class="empty">
      {wanted ? t('nothingFor', { search: wanted }) : (empty ?? t('nothing'))}
      {wanted && clear && (
        <button type="button" class="small" onClick={clear}>
          {t('searchAll')}
        </button>
      )}
    </p>
  );
}
