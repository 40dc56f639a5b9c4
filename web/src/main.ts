import { mount } from 'svelte'

import App from './App.svelte'
import './app.css'

const target = document.getElementById('app')
if (target) mount(App, { target })

// The shell stays on the device, so that the page opens without a network and can say so.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined))
}
