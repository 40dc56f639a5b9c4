import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forbidStorage } from '../../testing/browser'
import { SETTINGS_KEY, languageOf, readSettings } from './stored-settings'
import { Settings } from './settings.svelte'

const DEFAULTS = { language: null, theme: null, sound: false, textMode: false, pace: 'normal', name: '' }

const store = (value: unknown): void => localStorage.setItem(SETTINGS_KEY, JSON.stringify(value))

describe('settings', () => {
  test('are the same on the next visit', () => {
    const first = new Settings()
    first.pace = 'fast'
    first.name = 'Ada'
    first.theme = 'dark'
    const second = new Settings()
    expect([second.pace, second.name, second.theme]).toEqual(['fast', 'Ada', 'dark'])
  })

  test('change one by one', () => {
    store({ sound: true, name: 'Ada' })
    const settings = new Settings()
    settings.textMode = true
    expect(JSON.parse(localStorage.getItem(SETTINGS_KEY)!)).toEqual({
      ...DEFAULTS,
      sound: true,
      name: 'Ada',
      textMode: true,
    })
  })

  test('follow another tab', () => {
    const settings = new Settings()
    store({ theme: 'dark' })
    dispatchEvent(Object.assign(new Event('storage'), { key: SETTINGS_KEY }))
    expect(settings.theme).toBe('dark')
    store({ theme: 'light' })
    dispatchEvent(Object.assign(new Event('storage'), { key: 'something else' }))
    expect(settings.theme).toBe('dark')
  })

  test('last as long as the tab in a browser that keeps nothing', () => {
    forbidStorage()
    const settings = new Settings()
    settings.pace = 'slow'
    expect(settings.pace).toBe('slow')
  })
})

describe('stored settings', () => {
  test.each([
    ['nothing', null],
    ['a list', [1, 2]],
    ['a text', 'dark'],
    ['values of the wrong kind', { language: 7, theme: 'pink', sound: 'yes', textMode: 1, pace: 'warp', name: null }],
  ])('that are %s leave the defaults', (_, value) => {
    store(value)
    expect(readSettings()).toEqual(DEFAULTS)
  })

  test('that are half written leave the defaults', () => {
    localStorage.setItem(SETTINGS_KEY, '{"theme":"da')
    expect(readSettings()).toEqual(DEFAULTS)
  })

  test('keep what can be used beside what cannot', () => {
    store({ theme: 'dark', pace: 'warp', unknown: true })
    expect(readSettings()).toEqual({ ...DEFAULTS, theme: 'dark' })
  })
})

describe('the language', () => {
  beforeEach(() => vi.stubGlobal('navigator', { languages: ['fr-CA', 'de-AT', 'en'] }))

  test('is what was chosen', () => {
    expect(languageOf({ ...readSettings(), language: 'en' })).toBe('en')
  })

  test('is the first of the browser that the page speaks', () => {
    expect(languageOf(readSettings())).toBe('de')
  })

  test('that is no longer there is forgotten', () => {
    expect(languageOf({ ...readSettings(), language: 'xx' })).toBe('de')
  })

  test('is English if there is no other', () => {
    vi.stubGlobal('navigator', { languages: ['fr'] })
    expect(languageOf(readSettings())).toBe('en')
  })
})
