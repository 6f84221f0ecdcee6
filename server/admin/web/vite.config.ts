/// <reference types="vitest/config" />
import { env } from 'node:process';
import { defineConfig } from 'vite';

// The server that the page of "npm run dev" talks to.
const server = env.SPHERE_ADMIN ?? 'http://127.0.0.1:8860';

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The server's Content-Security-Policy lets in files of its own only: nothing may be put into the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The administrators' page and the players'; the manifest tells the server which files are the latter's.
    rolldownOptions: { input: ['index.html', 'public.html'] },
    manifest: true,
    // What others have written and is built in, with their terms.
    license: { fileName: 'licenses.md' },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: server, changeOrigin: true } },
  },
  test: { include: ['src/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 }, // a busy machine is no failure
});
