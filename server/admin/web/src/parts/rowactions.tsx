import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../i18n';
import { Dialog } from './dialog';

/** A button at the end of a row that offers what can be done with what the row is about. */
export function RowActions({ name, children }: { name: string; children: ComponentChildren }) {
  const t = useWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" aria-label={t('actionsFor', { name })} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        ⋯
      </button>
      {open && (
        <Dialog title={name} close={() => setOpen(false)}>
          {/* What is chosen opens a form of its own. */}
          <div class="offers" onClick={(e) => (e.target as Element).closest('button') && setOpen(false)}>
            {children}
          </div>
        </Dialog>
      )}
    </>
  );
}
