import { describe, expect, test } from 'vitest'
import { notice } from '../../testing/messages'
import { newsFor, reportsOf } from './news'
import type { Notice } from './protocol'
import { CHANCE, WATCHER } from './seats'

const actions = (notices: Notice[]): string[] => notices.map((one) => one.action_text)

describe('news', () => {
  test('is what has happened since the seat acted last', () => {
    const notices = [notice(1, 'a'), notice(0, 'b'), notice(CHANCE, 'c'), notice(1, 'd'), notice(2, 'e')]
    expect(actions(newsFor(notices, 0))).toEqual(['c', 'd', 'e'])
    expect(actions(newsFor(notices, 2))).toEqual([])
  })

  test('has nothing that was taken back', () => {
    const notices = [notice(0, 'own'), notice(1, 'wrong'), notice(1, '', { undone: 1 }), notice(1, 'right')]
    expect(actions(newsFor(notices, 0))).toEqual(['right'])
  })

  test('goes back to the turn before, if the own last one was taken back', () => {
    const notices = [notice(0, 'first'), notice(1, 'a'), notice(0, 'second'), notice(0, '', { undone: 1 })]
    expect(actions(newsFor(notices, 0))).toEqual(['a'])
  })

  test('for those who watch is the last turn of everybody', () => {
    const notices = [notice(0, 'old'), notice(1, 'a'), notice(1, 'b'), notice(CHANCE, 'roll'), notice(0, 'c')]
    expect(actions(newsFor(notices, WATCHER))).toEqual(['a', 'b', 'roll', 'c'])
  })
})

describe('reports', () => {
  test('are one for each of the others, with what chance did before', () => {
    const news = [notice(CHANCE, 'roll 1'), notice(1, 'a'), notice(CHANCE, 'roll 2'), notice(2, 'b'), notice(1, 'c')]
    const reports = reportsOf(news, 0, [0])
    expect(reports.map(({ seat, notices }) => [seat, actions(notices)])).toEqual([
      [1, ['roll 1', 'a', 'c']],
      [2, ['roll 2', 'b']],
    ])
  })

  test('give what chance did last to whoever acts next', () => {
    const news = [notice(1, 'a'), notice(CHANCE, 'roll')]
    expect(reportsOf(news, 0, [2]).map(({ seat }) => seat)).toEqual([1, 2])
    expect(reportsOf(news, 0, [0]).map(({ seat }) => seat)).toEqual([1])
    expect(reportsOf(news, 0, [1, 2]).map(({ seat }) => seat)).toEqual([1])
  })

  test('do not tell of a deal card by card', () => {
    const deal = Array.from({ length: 4 }, (_, index) => notice(CHANCE, `card ${index}`))
    expect(reportsOf([...deal, notice(1, 'a')], 0, [])).toEqual([{ seat: 1, notices: [notice(1, 'a')] }])
    expect(reportsOf(deal, 0, [1])).toEqual([])
  })
})
