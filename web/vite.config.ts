import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { shell } from './plugin/shell.ts'

// The page is built into the Python package, which serves it and carries it in its wheel.
export default defineConfig({
  plugins: [svelte(), shell({ firstScreenLimit: 60 * 1024 })],
  build: {
    outDir: '../src/threespan/server/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content policy allows files of our own only
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
