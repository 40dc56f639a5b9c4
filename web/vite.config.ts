import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

import { shell } from './plugin/shell.ts'

/** Every file costs a slow phone time, so what is needed together travels together. */
const EARLY = /\/src\/(lib\/(early|address|kept|keys|meta|protocol|random|socket)|games\/types)\.ts$/
const LIBRARY = /node_modules/
const TABLE = /\/src\/(table\/|ui\/(Sheet|SeatMark)|screens\/Table|lib\/(table|pace|sound|fairness|sha256))/

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
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'early', test: EARLY },
            { name: 'svelte', test: LIBRARY },
            { name: 'table', test: TABLE },
          ],
        },
      },
    },
  },
})
