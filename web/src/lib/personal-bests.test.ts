import { describe, expect, test } from 'vitest'
import { forbidStorage } from '../../testing/browser'
import { tableInfo } from '../../testing/messages'
import { categoryOf, recordScore } from './personal-bests'
import type { GameInfo, OptionInfo } from './protocol'

describe('the best score', () => {
  test('is the highest, with the one before', () => {
    expect(recordScore('solo', 't1', 40)).toEqual({ score: 40, table: 't1', before: null })
    expect(recordScore('solo', 't2', 30)).toEqual({ score: 40, table: 't1', before: null })
    expect(recordScore('solo', 't3', 55)).toEqual({ score: 55, table: 't3', before: 40 })
  })

  test('counts once, however often its result is looked at', () => {
    recordScore('solo', 't1', 40)
    recordScore('solo', 't2', 55)
    expect(recordScore('solo', 't2', 55)).toEqual({ score: 55, table: 't2', before: 40 })
  })

  test('is one for each kind of match', () => {
    recordScore('solo', 't1', 40)
    expect(recordScore('two', 't2', 10).score).toBe(10)
  })

  test.each(['{', 'null', '[]', '"x"'])('begins anew where %s is stored', (stored) => {
    localStorage.setItem('threespan.bests', stored)
    expect(recordScore('solo', 't1', 40).before).toBeNull()
  })

  test('is this one in a browser that keeps nothing', () => {
    forbidStorage()
    expect(recordScore('solo', 't1', 40)).toEqual({ score: 40, table: 't1', before: null })
  })
})

test('matches are of one kind if their scores can be compared', () => {
  const option = (name: string, is_seat: boolean): OptionInfo => ({ name, is_seat }) as OptionInfo
  const game = { options: [option('side', false), option('starter', true)] } as GameInfo
  const kind = (options: Record<string, string | number>): string => categoryOf(tableInfo({ options }), game)
  expect(kind({ side: 'A', starter: 0 })).toBe(kind({ starter: 1, side: 'A' }))
  expect(kind({ side: 'A' })).not.toBe(kind({ side: 'B' }))
})
