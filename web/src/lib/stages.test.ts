import { describe, expect, test } from 'vitest'
import { notice, update } from '../../testing/messages'
import { CHANCE } from './seats'
import { durationOf, stagesOf } from './stages'

const OWN = [0]

/** Another player has moved, then chance has rolled for us. */
const turnAndRoll = update(0, 12, [notice(1, 'move'), notice(CHANCE, 'roll 3'), notice(CHANCE, 'roll 5')], {
  acting: [0],
  legal: ['a'],
  labels: ['A'],
  prompt: 'Your turn',
})

describe('an update', () => {
  test('is cut between a turn of somebody else and what chance does for the next one', () => {
    const [turn, roll, ...more] = stagesOf(turnAndRoll, OWN, 'normal')
    expect(more).toEqual([])
    expect(turn?.update.notices.map((one) => one.action_text)).toEqual(['move'])
    expect(turn?.update.notice_count).toBe(10)
    expect(turn?.notYetShown).toEqual(['roll 3', 'roll 5'])
    expect(roll?.update.notices.map((one) => one.action_text)).toEqual(['roll 3', 'roll 5'])
    expect(roll?.update.notice_count).toBe(12)
    expect(roll?.notYetShown).toEqual([])
  })

  test('offers nothing while the turn of somebody else is on show', () => {
    const [turn, roll] = stagesOf(turnAndRoll, OWN, 'normal')
    expect(turn?.update.now).toMatchObject({ acting: [1], legal: [], labels: [], buttons: [], prompt: '' })
    expect(roll?.update.now).toEqual(turnAndRoll.now)
  })

  test.each([
    ['the visitor wants everything at once', turnAndRoll, 'off'],
    [
      'the turn was the own one',
      update(0, 2, [notice(0, 'move'), notice(CHANCE, 'roll 3')], { acting: [1] }),
      'normal',
    ],
    ['chance did nothing', update(0, 1, [notice(1, 'move')]), 'normal'],
    ['nobody but chance acted', update(0, 1, [notice(CHANCE, 'roll 3')]), 'normal'],
    ['several are to act', update(0, 2, [notice(1, 'move'), notice(CHANCE, 'card')], { acting: [0, 1] }), 'normal'],
    ['the same player goes on', update(0, 2, [notice(1, 'move'), notice(CHANCE, 'roll')], { acting: [1] }), 'normal'],
    ['the match is over', update(0, 2, [notice(1, 'move'), notice(CHANCE, 'card')], { acting: [] }), 'normal'],
  ] as const)('stays whole when %s', (_, whole, pace) => {
    expect(stagesOf(whole, OWN, pace)).toEqual([{ update: whole, notYetShown: [] }])
  })
})

describe('a stage', () => {
  const walk = { update: update(0, 1, [notice(1, 'move', { path: ['1,1', '1,2', '1,3'] })]), notYetShown: [] }

  test('of others stays as long as a look and their steps take', () => {
    expect(durationOf(walk, OWN, 'normal')).toBe(900 + 3 * 200)
    expect(durationOf(walk, OWN, 'slow')).toBe(2 * 1500)
    expect(durationOf(walk, OWN, 'fast')).toBe(0.4 * 1500)
    expect(durationOf(walk, OWN, 'off')).toBe(0)
  })

  test('of the own seat needs no time, and neither does what chance does for it', () => {
    expect(durationOf({ update: update(0, 1, [notice(0, 'move')]), notYetShown: [] }, OWN, 'normal')).toBe(0)
    expect(
      durationOf({ update: update(0, 1, [notice(CHANCE, 'roll')], { acting: [0] }), notYetShown: [] }, OWN, 'normal'),
    ).toBe(0)
  })

  test('of chance counts for whoever is to act', () => {
    const roll = { update: update(0, 1, [notice(CHANCE, 'roll')], { acting: [1] }), notYetShown: [] }
    expect(durationOf(roll, OWN, 'normal')).toBe(900)
  })
})
