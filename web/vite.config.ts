import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const here = fileURLToPath(new URL('.', import.meta.url));

// The server embeds "a.js.br" as the brotli form of "a.js".
function brotli(): Plugin {
  let folder = '';
  return {
    name: 'brotli',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      for (const name of await readdir(folder, { recursive: true })) {
        const file = join(folder, name);
        if ((await stat(file)).isDirectory()) continue;
        const content = await readFile(file);
        const packed = brotliCompressSync(content);
        if (packed.length < content.length * 0.9) await writeFile(`${file}.br`, packed);
      }
    },
  };
}

export default defineConfig({
  root: here,
  plugins: [svelte(), brotli()],
  build: {
    target: 'es2022',
    // Data URLs and inline scripts would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rollupOptions: { input: { index: join(here, 'index.html'), play: join(here, 'play.html') } },
  },
  test: { include: ['test/**/*.test.ts'], environment: 'node', testTimeout: 60_000 },
});
