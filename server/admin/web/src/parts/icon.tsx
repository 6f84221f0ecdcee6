// Lines on a square of 24.
const paths = {
  map: 'M9 4 3 6.5v13.5l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20',
  online: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.3 3.3 0 0 1 0 6.200M17.500 14.400c2.500.7 4 2.600 4 5.600',
  characters: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h4',
  accounts: 'M4 7h16v12H4zM8 7V4h8v3M4 12h16',
  desk: 'M3 9h18M5 9v11M19 9v11M8 9V4h8v5M9 13h6',
  instances: 'M4 21V11a8 8 0 0 1 16 0v10M4 21h16M9 21v-6a3 3 0 0 1 6 0v6',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  health: 'M3 13h4l3-8 4 14 3-6h4',
  log: 'M4 6h16M4 11h16M4 16h10',
  config: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.500v5M8 14.500v5',
  backups: 'M4 6c0-1.700 3.600-3 8-3s8 1.300 8 3-3.600 3-8 3-8-1.300-8-3zM4 6v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3',
  audit: 'M6 3h9l4 4v14H6zM9 12l2 2 4-4M9 18h6',
  tokens: 'M8 15.500a4 4 0 1 1 3.800-5.300L21 10v4h-3v3h-3v-3h-3.200A4 4 0 0 1 8 15.500z',
  home: 'M4 11.500L12 4l8 7.500M6 10v10h12V10M10 20v-6h4v6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M5 5l14 14M19 5 5 19',
  well: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.500l3 3 5-6',
  attention: 'M12 4 2.500 20h19zM12 10v5M12 17.500v.500',
  record: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a word; it says nothing to those who listen. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
