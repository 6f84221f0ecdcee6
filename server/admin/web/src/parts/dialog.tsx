import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../i18n';
import { Icon } from './icon';
import { NoticesOfDialog } from './notices';

/** A dialog above everything else. Escape, its cross and a click beside it close it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const t = useWords();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>('form :is(input, select, textarea, .buttons button)')?.focus();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby="dialog-title"
      onClose={close}
      onMouseDown={(e) => {
        if (e.target === box.current) close();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="quiet" aria-label={t('close')} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
      <NoticesOfDialog />
    </dialog>
  );
}
