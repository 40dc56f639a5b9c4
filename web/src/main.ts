import { firstGame } from './lib/early' // first of all, so that the server answers while the rest is loaded

import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { loadGame } from './games'
import { games, loadGames } from './lib/games.svelte'
import { loadLanguage } from './lib/i18n.svelte'
import { route } from './lib/router.svelte'
import { settings } from './lib/settings.svelte'
import { screenOf } from './screens'

/** How long to wait for data before the first drawing; drawing twice takes a phone longer. */
const MAX_WAIT_MS = 250

async function begin(target: HTMLElement): Promise<void> {
  const { language } = settings
  const needed: Promise<unknown> = firstGame?.then((game) => loadGame(game, language)) ?? loadGames(language)
  await Promise.allSettled([loadLanguage(language), screenOf(route.now.screen)])
  if (!games.list || firstGame)
    await Promise.race([needed.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
  mount(App, { target })
}

const target = document.getElementById('app')
if (target) void begin(target)

// The service worker stores the page, so that it opens without a network and can say so. That can wait until the page is shown.
const REGISTER_AFTER_MS = 3_000
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = (): void => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined)
  addEventListener('load', () => setTimeout(register, REGISTER_AFTER_MS))
}
