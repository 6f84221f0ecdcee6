import { expect, test } from 'vitest';
import { served } from './served';

test('the server is asked below the folder in which a proxy shows the page', () => {
  expect(new URL(served('/api/me'), 'https://example.org/sphere/#/map').href).toBe('https://example.org/sphere/api/me');
  expect(new URL(served('/api/me'), 'http://127.0.0.1:8860/').href).toBe('http://127.0.0.1:8860/api/me');
});

// Each of these takes an address; one that begins with a slash would leave the folder.
test('no part of the page leaves it', () => {
  const sources = import.meta.glob<string>(['./**/*.ts', './**/*.tsx', '!./**/*.test.*'], { query: '?raw', import: 'default', eager: true });
  expect(Object.keys(sources).length).toBeGreaterThan(20);
  for (const [file, text] of Object.entries(sources))
    for (const line of text.split('\n'))
      if (/\bfetch\(|new EventSource\(|\b(?:href|src)=(?:\{`|["'])\//.test(line)) expect(line, file).toContain('served(');
});
