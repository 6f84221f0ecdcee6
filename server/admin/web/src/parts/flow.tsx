import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Lines that keep coming. It stays at the newest, unless the reader has gone up. */
export function Flow({ label, length, empty, children }: { label: string; length: number; empty: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <div
      ref={box}
      class="flow"
      role="log"
      aria-label={label}
      tabIndex={0}
      onScroll={(e) => {
        const b = e.currentTarget;
        atEnd.current = b.scrollHeight - b.scrollTop - b.clientHeight < 40;
      }}
    >
      {length === 0 ? <p class="empty">{empty}</p> : <ol>{children}</ol>}
    </div>
  );
}
