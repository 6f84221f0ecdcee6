import { recall, remember } from './remembered';
import { Store } from './store';

export type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

const saved = recall('theme') as Theme | null;

/** The colours that the user wants. */
export const theme = new Store<Theme>(saved && themes.includes(saved) ? saved : 'system');

const system = matchMedia('(prefers-color-scheme: dark)');

/** Whether the colours in use are dark; what draws on a canvas watches it. */
export const dark = new Store<boolean>(system.matches);

function apply(): void {
  const wanted = theme.value;
  if (wanted === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
  dark.set(wanted === 'system' ? system.matches : wanted === 'dark');
}

theme.watch((t) => {
  remember('theme', t === 'system' ? null : t);
  apply();
});
system.addEventListener('change', apply);
apply();

/** The colour of a custom property, such as "--player", as a canvas takes it. */
export function colour(property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
