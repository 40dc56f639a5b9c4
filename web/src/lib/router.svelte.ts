/** Navigation between screens without reloading the page. */
import { tick } from 'svelte'
import { here, type Route } from './address'

let current = $state.raw<Route>(here())

export const route = {
  get now(): Route {
    return current
  },
}

/** Go to an address of the page; with `replace`, Back does not return to where we are. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  const before = current.screen
  current = here()
  if (!replace && before !== current.screen) void focusHeading()
}

/** Scroll a new screen to its top, and move the focus to its heading for screen readers. */
async function focusHeading(): Promise<void> {
  scrollTo(0, 0)
  await tick()
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

addEventListener('popstate', () => (current = here()))

/** Links within the page change the screen without reloading. */
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return
  const isOurs = link.origin === location.origin && !link.target && !link.hasAttribute('download')
  if (!isOurs || link.pathname.startsWith('/api/')) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
})
