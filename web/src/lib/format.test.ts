import { describe, expect, test } from 'vitest'
import { capitalize, fillIn, translator } from './format'

describe('texts', () => {
  test('have values in place of their names', () => {
    expect(fillIn('{name} lays {count} tiles, says {name}', { name: 'Mio', count: 3 })).toBe(
      'Mio lays 3 tiles, says Mio',
    )
  })

  test('keep a name that has no value, so that it is noticed', () => {
    expect(fillIn('{name} wins', {})).toBe('{name} wins')
  })

  test('take a value as it is, whatever it contains', () => {
    expect(fillIn('{name}', { name: '{count} $& <b>' })).toBe('{count} $& <b>')
  })

  test('choose their form by the number, as the language does', () => {
    const tiles = { one: '{count} tile', other: '{count} tiles' }
    const english = translator({ tiles }, 'en')
    expect([0, 1, 2].map((count) => english('tiles', { count }))).toEqual(['0 tiles', '1 tile', '2 tiles'])
    const polish = translator({ tiles: { one: 'kafel', few: 'kafle', many: 'kafli', other: 'kafla' } }, 'pl')
    expect([1, 3, 5, 1.5].map((count) => polish('tiles', { count }))).toEqual(['kafel', 'kafle', 'kafli', 'kafla'])
  })

  test('fall back to the general form', () => {
    expect(translator({ tiles: { other: '{count} tiles' } }, 'en')('tiles', { count: 1 })).toBe('1 tiles')
  })

  test('are empty where a game has no such text', () => {
    expect(translator<string>({}, 'en')('missing')).toBe('')
  })
})

test('a sentence begins with a capital letter', () => {
  expect(capitalize('über dem Wasser')).toBe('Über dem Wasser')
  expect(capitalize('')).toBe('')
})
