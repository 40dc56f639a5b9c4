import { describe, expect, test } from 'vitest'
import { visibleOptions, changedOptions, ruleSettings, unusualRules } from './options'
import type { OptionInfo } from './protocol'

function option(name: string, changes: Partial<OptionInfo>): OptionInfo {
  return {
    name,
    title: name,
    kind: 'choice',
    default: '',
    values: [],
    low: 0,
    high: 0,
    only_with: {},
    max_with: {},
    is_seat: false,
    is_house_rule: false,
    ...changes,
  }
}

const choice = (...values: string[]): OptionInfo['values'] =>
  values.map((value) => ({ value, title: value, effect: '' }))

const SIDE = option('side', { values: choice('A', 'B'), default: 'A' })
const ROUNDS = option('rounds', { kind: 'range', low: 1, high: 4, default: 2 })
const STARTER = option('starter', {
  kind: 'range',
  high: 3,
  is_seat: true,
  values: choice('random'),
  default: 'random',
})

const seatName = (seat: number): string => `player ${seat}`
const titles = (options: OptionInfo[], chosen = {}, players = 2): string[][] =>
  visibleOptions(options, chosen, players, seatName).map((offer) => offer.values.map(({ title }) => title))

describe('offers', () => {
  test('list what can be chosen', () => {
    expect(titles([SIDE, ROUNDS])).toEqual([
      ['A', 'B'],
      ['1', '2', '3', '4'],
    ])
  })

  test('name the seats that there are', () => {
    expect(titles([STARTER], {}, 3)).toEqual([['random', 'player 0', 'player 1', 'player 2']])
  })

  test('leave out what has no choice', () => {
    expect(titles([option('only', { values: choice('one') })])).toEqual([])
  })

  test('depend on what else is chosen', () => {
    const dependent = option('bridges', { values: choice('few', 'many'), only_with: { side: ['B'] } })
    expect(titles([SIDE, dependent])).toHaveLength(1)
    expect(titles([SIDE, dependent], { side: 'B' })).toHaveLength(2)
  })

  test('depend on how many play', () => {
    const duel = option('duel', { values: choice('yes', 'no'), only_with: { players: [2] } })
    expect(titles([duel], {}, 2)).toHaveLength(1)
    expect(titles([duel], {}, 3)).toHaveLength(0)
  })

  test('end where another option sets a limit', () => {
    const limited = { ...ROUNDS, max_with: { side: [['B', 2]] as [string, number][] } }
    expect(titles([SIDE, limited], { side: 'B' })[1]).toEqual(['1', '2'])
  })

  test('keep what was chosen as long as it is possible', () => {
    const chosen = (players: number): unknown => visibleOptions([STARTER], { starter: 2 }, players, seatName)[0]?.chosen
    expect(chosen(3)).toBe(2)
    expect(chosen(2)).toBe('random')
  })
})

test('only what differs from the defaults is told to the server', () => {
  const options = [SIDE, ROUNDS, STARTER]
  expect(changedOptions(options, visibleOptions(options, { side: 'A', rounds: 3 }, 2, seatName))).toEqual({ rounds: 3 })
})

describe('house rules', () => {
  const DOOR = option('door', {
    values: [
      { value: 'reach', title: 'Reach', effect: 'One roll from home.' },
      { value: 'beside', title: 'Beside', effect: 'Right beside it.' },
    ],
    default: 'reach',
    is_house_rule: true,
  })
  const BONUS = option('bonus', {
    values: [
      { value: false, title: 'No', effect: 'No bonus.' },
      { value: true, title: 'Yes', effect: 'A bonus.' },
    ],
    default: false,
    only_with: { side: ['B'] },
    is_house_rule: true,
  })
  const options = [SIDE, DOOR, BONUS]

  test('say what the chosen value means', () => {
    const effects = (chosen: Record<string, string>): string[] =>
      visibleOptions(options, chosen, 2, seatName).map(({ effect }) => effect)
    expect(effects({})).toEqual(['', 'One roll from home.'])
    expect(effects({ door: 'beside', side: 'B' })).toEqual(['', 'Right beside it.', 'No bonus.'])
  })

  test('of a table are told if they are not the usual ones', () => {
    expect(unusualRules(options, { players: 2, side: 'A', door: 'reach', bonus: false })).toEqual([])
    expect(unusualRules(options, { players: 2, side: 'B', door: 'beside', bonus: true })).toEqual([
      { title: 'door', effect: 'Right beside it.' },
      { title: 'bonus', effect: 'A bonus.' },
    ])
  })

  test('decide what the rule book of a table says', () => {
    expect(ruleSettings(options, { players: 3, side: 'A', door: 'beside', bonus: false })).toEqual([
      'players=3',
      'door=beside',
    ])
    expect(ruleSettings(options, { players: 3, side: 'B', door: 'reach', bonus: true })).toEqual([
      'players=3',
      'side=B',
      'door=reach',
      'bonus=true',
    ])
  })
})
