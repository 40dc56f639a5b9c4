import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

import { words } from './plugin/words.ts'

export default defineConfig({
  plugins: [words(fileURLToPath(new URL('./src', import.meta.url))), svelte()],
  resolve: { conditions: ['browser'] }, // Svelte has another runtime for servers
  test: {
    pool: 'threads',
    isolate: false,
    include: ['{src,plugin}/**/*.test.ts'],
    setupFiles: ['./testing/browser.ts'],
    restoreMocks: true,
    unstubGlobals: true,
  },
})
