// Drawings on a square of 16, in lines.
const drawings: Record<string, string> = {
  bank: 'M8 3a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM8 5.500v5M6.300 8h3.400',
  guild: 'M8 2.500l5 1.800v4c0 3-2.200 4.700-5 5.700-2.800-1-5-2.700-5-5.700v-4z',
  'title-quest': 'M4 3h8v10H4zM6.500 6h3M6.500 9h3',
  'degree-quest': 'M2.500 6L8 3.500 13.500 6 8 8.500zM5 7.500V11c1.800 1.300 4.200 1.300 6 0V7.500',
  'karma-quest': 'M8 3v10M3.500 5h9M3.500 5l-1.500 4h3zM12.500 5L11 9h3zM5.500 13h5',
  tournament: 'M5 3h6v4a3 3 0 0 1-6 0zM8 10v3M5.500 13h5M5 4.500H3v1.500l2 1.500M11 4.500h2v1.500l-2 1.500',
  tavern: 'M4 5h6v8H4zM10 7h2.500v4H10M4 5c0-2 6-2 6 0',
  alchemy: 'M6.500 3h3M7 3v4l-3.500 6h9L9 7V3M5 10.500h6',
  armour: 'M5.500 3L3 5l1 3h1v5h6V8h1l1-3-2.500-2c-1 1.500-4 1.500-5 0z',
  jewellery: 'M5 3h6l3 3.500L8 13.500 2 6.500zM2 6.500h12M8 13.500L6 6.500 8 3l2 3.500z',
  magic: 'M4 13L10 7M11.500 2v3M11.500 7v1M8.500 4.500h1.500M13 4.500h1.500',
  travel: 'M5 3h3v6l4.500 1.500c1 .5.5 2.500.5 2.500H5zM5 11h8',
  weapons: 'M13 3L6.500 9.500M13 3h-2.500M13 3v2.500M4.500 8l3.500 3.500M6 10l-3 3',
  castle: 'M3 13V4h2v2h2V4h2v2h2V4h2v9zM6.800 13v-3h2.400v3',
  cemetery: 'M8 3v10M5 6.500h6M4 13h8',
  arena: 'M3.500 3.500l9 9M12.500 3.500l-9 9M3 11l2 2M11 13l2-2',
};

const paths = new Map<string, Path2D>();

/** The lines of a drawing; undefined for what has none. */
export function glyph(name: string): Path2D | undefined {
  const drawing = drawings[name];
  if (!drawing) return undefined;
  let path = paths.get(name);
  if (!path) paths.set(name, (path = new Path2D(drawing)));
  return path;
}
