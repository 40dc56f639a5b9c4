import { expect, test, vi } from 'vitest'
import { hasLanguage, loadLanguage, t } from './i18n.svelte'

test('nothing is said before a language is there', async () => {
  vi.resetModules()
  const fresh = await import('./i18n.svelte')
  expect(fresh.hasLanguage()).toBe(false)
  expect(fresh.t('done')).toBe('')
})

test('the page speaks the language that was asked for', async () => {
  await loadLanguage('de')
  expect(hasLanguage()).toBe(true)
  expect(t('done')).toBe('Fertig')
  expect(document.documentElement.lang).toBe('de')
})

test('the language that was asked for last wins, whichever comes first', async () => {
  await Promise.all([loadLanguage('de'), loadLanguage('en')])
  expect(t('done')).toBe('Done')
  expect(document.documentElement.lang).toBe('en')
})

test('a language that does not exist changes nothing', async () => {
  await loadLanguage('en')
  await loadLanguage('xx')
  expect(t('done')).toBe('Done')
})

test('texts have values and forms', async () => {
  await loadLanguage('en')
  expect(t('points', { count: 1 })).toBe('1 point')
  expect(t('points', { count: 3 })).toBe('3 points')
  expect(t('wins', { name: 'Ada' })).toBe('Ada wins')
})
