import { describe, expect, test } from 'vitest'
import { notice } from '../../testing/messages'
import { CHANCE } from './seats'
import { entriesOf, undoneNotices } from './move-list'

describe('the list of moves', () => {
  test('has an entry for each notice', () => {
    const entries = entriesOf([notice(0, 'a'), notice(1, 'b')], {})
    expect(entries.map(({ text, after }) => [text, after])).toEqual([
      ['0 does a.', 1],
      ['1 does b.', 2],
    ])
  })

  test('tells several of a group in one sentence', () => {
    const card = notice(CHANCE, 'card', { group: 'deal' })
    const entries = entriesOf([card, card, card, notice(0, 'a'), card], { deal: '{count} cards are dealt.' })
    expect(entries.map(({ text, after }) => [text, after])).toEqual([
      ['3 cards are dealt.', 3],
      ['0 does a.', 4],
      ['1 cards are dealt.', 5],
    ])
  })

  test('tells a group that has no sentence one by one', () => {
    const card = notice(CHANCE, 'card', { group: 'deal' })
    expect(entriesOf([card, card], {})).toHaveLength(2)
  })

  test('marks what was taken back', () => {
    const notices = [notice(0, 'a'), notice(0, 'b'), notice(0, '', { undone: 1 })]
    expect(entriesOf(notices, {}).map(({ isUndone }) => isUndone)).toEqual([false, true, false])
  })
})

describe('what was taken back', () => {
  test('is the last acts of the same seat, and chance stays', () => {
    const notices = [
      notice(0, 'a'),
      notice(0, 'b'),
      notice(CHANCE, 'roll'),
      notice(1, 'c'),
      notice(0, '', { undone: 2 }),
    ]
    expect([...undoneNotices(notices)].sort()).toEqual([0, 1])
  })

  test('is not taken back twice', () => {
    const back = notice(0, '', { undone: 1 })
    expect([...undoneNotices([notice(0, 'a'), notice(0, 'b'), back, back])].sort()).toEqual([0, 1])
    expect([...undoneNotices([notice(0, 'a'), notice(0, 'b'), back, notice(0, 'c'), back])].sort()).toEqual([1, 3])
  })
})
