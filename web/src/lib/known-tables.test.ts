import { describe, expect, test } from 'vitest'
import { forbidStorage, visit } from '../../testing/browser'
import {
  forgetTable,
  keyOfTable,
  knownTable,
  knownTables,
  markOver,
  rememberTable,
  seatLink,
  takeKeyFromAddress,
} from './known-tables'

const STORED = 'threespan.tables'

describe('a key', () => {
  test('comes in a link and leaves the address bar', () => {
    visit('/t/abc?x=1#a%2Fb')
    takeKeyFromAddress('abc')
    expect(keyOfTable('abc')).toBe('a/b')
    expect(location.href).toBe('http://localhost:8000/t/abc?x=1')
  })

  test('is in the link that was made for it', () => {
    visit(seatLink('', 'abc', 'a/b#c'))
    takeKeyFromAddress('abc')
    expect(keyOfTable('abc')).toBe('a/b#c')
  })

  test.each(['/t/abc', '/t/abc#', '/t/abc#%'])('is not taken from %s', (path) => {
    rememberTable({ id: 'abc', key: 'known' })
    visit(path)
    takeKeyFromAddress('abc')
    expect(keyOfTable('abc')).toBe('known')
  })

  test('belongs to the tab that has it, so two tabs can play two seats', () => {
    rememberTable({ id: 'abc', key: 'mine' })
    const theirs = JSON.stringify([{ id: 'abc', key: 'theirs' }]) // as another tab leaves it
    localStorage.setItem(STORED, theirs)
    expect(keyOfTable('abc')).toBe('mine')
    sessionStorage.clear()
    expect(keyOfTable('abc')).toBe('theirs')
  })

  test('can be forgotten', () => {
    rememberTable({ id: 'abc', key: 'secret' })
    forgetTable('abc')
    expect(keyOfTable('abc')).toBe('')
    expect(knownTables()).toEqual([])
  })
})

describe('known tables', () => {
  test('are the newest first, each once', () => {
    for (const id of ['a', 'b', 'c', 'a']) rememberTable({ id })
    expect(knownTables().map(({ id }) => id)).toEqual(['a', 'c', 'b'])
  })

  test('keep what is known of them', () => {
    rememberTable({ id: 'a', key: 'secret', game: 'nim' })
    rememberTable({ id: 'a', seats: [1] })
    markOver('a')
    expect(knownTable('a')).toMatchObject({ key: 'secret', game: 'nim', seats: [1], isOver: true })
  })

  test('are no more than thirty', () => {
    for (let index = 0; index < 35; index++) rememberTable({ id: `t${index}` })
    expect(knownTables()).toHaveLength(30)
    expect(knownTable('t4')).toBeNull()
  })

  test.each(['{', 'null', '{"id":"a"}', '[null, 3, "a"]'])('are none where %s is stored', (stored) => {
    localStorage.setItem(STORED, stored)
    expect(knownTables()).toEqual([])
  })

  test('of an earlier release have everything that is needed', () => {
    localStorage.setItem(STORED, '[{"id":"a","key":"secret"}]')
    expect(knownTable('a')).toMatchObject({ key: 'secret', links: [], seats: [], isOver: false })
  })

  test('are none in a browser that keeps nothing', () => {
    forbidStorage()
    rememberTable({ id: 'a', key: 'secret' })
    markOver('a')
    forgetTable('a')
    expect(knownTables()).toEqual([])
    expect(keyOfTable('a')).toBe('')
  })
})
