import { firstGame } from './lib/early' // before everything else: the server answers meanwhile

import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { loadGame } from './games'
import { speak } from './lib/i18n.svelte'
import { route } from './lib/router.svelte'
import { settings } from './lib/settings.svelte'
import { screenOf } from './screens'

/** How long a table that is on its way is waited for before anything is drawn: drawing twice takes a phone longer. */
const PATIENCE = 250

async function begin(target: HTMLElement): Promise<void> {
  const board = firstGame?.then(loadGame)
  await Promise.allSettled([speak(settings.language), screenOf(route.now.screen)])
  if (board) await Promise.race([board.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
  mount(App, { target })
}

const target = document.getElementById('app')
if (target) void begin(target)

// The shell stays on the device, so that the page opens without a network and can say so. Keeping it can wait until the
// page is there.
const KEEP_AFTER = 3_000
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const keep = (): void => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined)
  addEventListener('load', () => setTimeout(keep, KEEP_AFTER))
}
