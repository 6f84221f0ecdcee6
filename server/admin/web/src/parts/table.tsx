import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../i18n';

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

const atOnce = 200;

/** Rows under titles; a title that can be sorted by is a button. */
export function Table<T>(props: { label: string; columns: Column<T>[]; rows: readonly T[]; id: (row: T) => string | number; first?: Order; empty?: string }) {
  const t = useWords();
  const { columns, rows, id, label } = props;
  const [order, setOrder] = useState<Order>(props.first ?? { key: '', down: false });
  const [most, setMost] = useState(atOnce);
  const shown = sorted(rows, columns, order);
  const className = (c: Column<T>) => [c.figure && 'figure', c.wide && 'wide'].filter(Boolean).join(' ') || undefined;
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((c) => (
              <th
                key={c.key}
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
        <tbody>
          {shown.slice(0, most).map((row) => (
            <tr key={id(row)}>
              {columns.map((c) => (
                <td key={c.key} class={className(c)}>
                  {c.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="empty">{props.empty ?? t('nothing')}</p>}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + atOnce)}>
          {t.count('moreRows', shown.length - most)}
        </button>
      )}
    </div>
  );
}
