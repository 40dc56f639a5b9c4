import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../testing/browser'
import { go, route } from './router.svelte'

beforeEach(() => go('/', true))

describe('going somewhere', () => {
  test('changes address and screen', () => {
    go('/t/abc123')
    expect(location.pathname).toBe('/t/abc123')
    expect(route.now).toEqual({ screen: 'table', id: 'abc123' })
  })

  test('can be undone by the browser, unless it replaces where we are', () => {
    const before = history.length
    go('/lobby')
    expect(history.length).toBe(before + 1)
    go('/t/abc123', true)
    expect(history.length).toBe(before + 1)
  })

  test('follows the Back key', () => {
    go('/lobby')
    visit('/play/nim')
    dispatchEvent(new Event('popstate'))
    expect(route.now.screen).toBe('play')
  })

  test('begins a new screen at its top, and not the next step of the same one', () => {
    const scroll = vi.fn()
    vi.stubGlobal('scrollTo', scroll)
    go('/t/abc123/replay/1')
    expect(scroll).toHaveBeenCalledTimes(1)
    go('/t/abc123/replay/2')
    expect(scroll).toHaveBeenCalledTimes(1)
  })
})

interface Link {
  href: string
  target?: string
  download?: boolean
}

/** Press a link; whether the page has taken it. */
function press(link: Link | null, key: { ctrlKey?: boolean; button?: number } = {}): boolean {
  const { origin, pathname, search, hash } = new URL(link?.href ?? '/', location.origin)
  const anchor = {
    origin,
    pathname,
    search,
    hash,
    target: link?.target ?? '',
    hasAttribute: () => link?.download ?? false,
  }
  const target = new Element()
  target.closest = () => (link ? (anchor as unknown as Element) : null)
  const event = Object.assign(new Event('click', { cancelable: true }), { button: 0, ...key })
  Object.defineProperty(event, 'target', { value: target })
  dispatchEvent(event)
  return event.defaultPrevented
}

describe('links', () => {
  test('within the page change the screen', () => {
    expect(press({ href: '/rules/nim#ONE_PILE' })).toBe(true)
    expect(route.now).toEqual({ screen: 'rules', game: 'nim', clause: 'ONE_PILE' })
  })

  test.each([
    ['other pages', { href: 'https://example.org/' }, {}],
    ['another tab', { href: '/lobby', target: '_blank' }, {}],
    ['a file to save', { href: '/lobby', download: true }, {}],
    ['the server', { href: '/api/tables/abc123/record' }, {}],
    ['a new tab, with the Ctrl key', { href: '/lobby' }, { ctrlKey: true }],
    ['a new tab, with the middle button', { href: '/lobby' }, { button: 1 }],
    ['nothing', null, {}],
  ])('to %s are left to the browser', (_, link, key) => {
    expect(press(link, key)).toBe(false)
    expect(route.now.screen).toBe('home')
  })
})
