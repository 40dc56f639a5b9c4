import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

import { shell } from './plugin/shell.ts'
import { words } from './plugin/words.ts'

/** Every file costs a slow phone time, so what is needed together travels together; what few ask for travels alone. */
const ON_DEMAND = /\/src\/(table\/(Fairness|KeyList|SharePicture)\.|lib\/(fairness|result-picture)\.)|\/@noble\//
const EARLY =
  /\/src\/lib\/(address|early|fetch-games|known-tables|protocol|random|seats|socket|storage|stored-settings)\.ts$|virtual:languages/
const LIBRARY = /node_modules/
const TABLE_LIB =
  /\/src\/lib\/(draft|move-list|network|news|paced-queue|personal-bests|prose|shared-device|sound|stages|stop-options|stored-drafts|table|table-state)\./
const TABLE = /\/src\/(table\/|ui\/(Prose|SeatMark|Sheet)\.|screens\/Table\.)/
/** What all screens share. */
const SHELL = /\/src\/(lib\/|ui\/|games\/index)|preload-helper/

const group = (name: string, ...tests: RegExp[]): { name: string; test: (id: string) => boolean } => ({
  name,
  test: (id) => !ON_DEMAND.test(id) && tests.some((test) => test.test(id)),
})

// The page is built into the Python package, which serves it and carries it in its wheel.
export default defineConfig({
  plugins: [words(fileURLToPath(new URL('./src', import.meta.url))), svelte(), shell({ firstScreenLimit: 60 * 1024 })],
  // `make dev`: everything that the page asks for comes from a running server.
  server: {
    strictPort: true,
    proxy: { '/api': { target: process.env.THREESPAN_SERVER ?? 'http://127.0.0.1:8000', ws: true } },
  },
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
            group('early', EARLY),
            group('svelte', LIBRARY),
            group('table', TABLE, TABLE_LIB),
            group('shell', SHELL),
          ],
        },
      },
    },
  },
})
