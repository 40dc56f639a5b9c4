import { describe, expect, test } from 'vitest'
import { visit } from '../../testing/browser'
import { here, parse } from './address'

test.each([
  ['/', '', '', { screen: 'home' }],
  ['', '', '', { screen: 'home' }],
  ['/lobby', '', '', { screen: 'lobby' }],
  ['/play/nim', '', '', { screen: 'play', game: 'nim', mode: 'bots' }],
  ['/play/nim', '', '?with=friends', { screen: 'play', game: 'nim', mode: 'friends' }],
  ['/learn/nim', '', '', { screen: 'learn', game: 'nim' }],
  ['/rules', '', '', { screen: 'rules', game: '', clause: '' }],
  ['/rules/nim', '#ONE_PILE', '', { screen: 'rules', game: 'nim', clause: 'ONE_PILE' }],
  ['/t/abc123', '#secret', '', { screen: 'table', id: 'abc123' }],
  ['/t/abc123/', '', '', { screen: 'table', id: 'abc123' }],
  ['/t/abc123/replay', '', '', { screen: 'replay', id: 'abc123', step: 0 }],
  ['/t/abc123/replay/17', '', '', { screen: 'replay', id: 'abc123', step: 17 }],
  ['/t/abc123/replay/x', '', '', { screen: 'replay', id: 'abc123', step: 0 }],
])('%s %s %s', (path, hash, query, route) => {
  expect(parse(path, hash, query)).toEqual(route)
})

describe('an address that leads nowhere', () => {
  test.each([
    '/nowhere',
    '/play',
    '/learn',
    '/t',
    '/t/',
    '/t/UPPER',
    '/t/a.b',
    `/t/${'a'.repeat(33)}`,
    '/t/abc123/else',
  ])('%s', (path) => {
    expect(parse(path)).toEqual({ screen: 'lost' })
  })

  test.each(['/t/%', '/play/%E0%A4%A', '/%'])('%s, which is no text at all', (path) => {
    expect(parse(path)).toEqual({ screen: 'lost' })
  })

  test('a clause that is no text at all is no clause', () => {
    expect(parse('/rules/nim', '#%')).toEqual({ screen: 'rules', game: 'nim', clause: '' })
  })
})

test('where we are is what the address bar says', () => {
  visit('/play/nim?with=device')
  expect(here()).toEqual({ screen: 'play', game: 'nim', mode: 'device' })
})
