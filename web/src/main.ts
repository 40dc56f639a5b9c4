import { mount } from 'svelte'

import App from './App.svelte'
import './app.css'

const target = document.getElementById('app')
if (target) mount(App, { target })

// The shell stays on the device, so that the page opens without a network and can say so. Keeping it can wait until the
// page is there.
const KEEP_AFTER = 3_000
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const keep = (): void => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined)
  addEventListener('load', () => setTimeout(keep, KEEP_AFTER))
}
