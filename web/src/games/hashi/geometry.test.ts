import { describe, expect, test } from 'vitest'
import lesson from './lesson/lesson.json'
import {
  blob,
  bridgeOffsets,
  bridgeShape,
  bridgesOf,
  CELL,
  centre,
  distanceToLine,
  isAcross,
  islandNear,
  lineAlong,
  lineEnds,
  lineNear,
  penCircle,
  type Point,
  SHORE,
  slant,
  spotPoint,
  wobble,
} from './geometry'
import type { Board, Scene } from './model'
import { nextSpot } from './navigate'

const scene: Scene = lesson.scenes[0]!
const island = (place: string): number => scene.islands.findIndex((one) => one.place === place)
const line = (place: string): number => scene.lines.findIndex((one) => one.place === place)
const between = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
const middleOf = (place: string): Point => centre(scene.islands[island(place)]!)

describe('islands', () => {
  test('lie in the middle of their cells', () => {
    expect(middleOf('01')).toEqual({ x: 1.5 * CELL, y: 0.5 * CELL })
  })

  test('are hit within reach only, the nearest first', () => {
    const { x, y } = middleOf('03')
    expect(islandNear(scene, { x: x + 40, y }, 46)).toBe(island('03'))
    expect(islandNear(scene, { x: x + 47, y }, 46)).toBeNull()
    expect(islandNear(scene, { x: x + 60, y }, 100)).toBe(island('04'))
  })
})

describe('lines', () => {
  test('run between the beaches of their two islands', () => {
    const [a, b] = lineEnds(scene, scene.lines[line('01-03')]!)
    expect(a).toEqual({ x: 1.5 * CELL + SHORE, y: 0.5 * CELL })
    expect(b).toEqual({ x: 3.5 * CELL - SHORE, y: 0.5 * CELL })
  })

  test('run across or down', () => {
    expect(isAcross(scene, scene.lines[line('01-03')]!)).toBe(true)
    expect(isAcross(scene, scene.lines[line('03-13')]!)).toBe(false)
    for (const one of scene.lines) {
      const [a, b] = lineEnds(scene, one)
      expect(isAcross(scene, one) ? a.y === b.y : a.x === b.x).toBe(true)
    }
  })

  test('are as far away as their nearest point', () => {
    const one = scene.lines[line('01-03')]!
    const middle = spotPoint(scene, { kind: 'line', index: line('01-03') })
    expect(distanceToLine(scene, one, middle)).toBe(0)
    expect(distanceToLine(scene, one, { x: middle.x, y: middle.y + 30 })).toBe(30)
    const [end] = lineEnds(scene, one)
    expect(distanceToLine(scene, one, { x: end.x - 3, y: end.y + 4 })).toBe(5)
  })

  test('that are offered win over nearer ones', () => {
    const wanted = line('03-04')
    const { x, y } = spotPoint(scene, { kind: 'line', index: wanted })
    const isWanted = (index: number): boolean => index === wanted
    expect(lineNear(scene, { x, y }, 42, isWanted)).toBe(wanted)
    const near = lineNear(scene, { x: x - 50, y: y + 45 }, 80, () => false)
    expect(near).not.toBe(wanted)
    expect(lineNear(scene, { x: x - 50, y: y + 45 }, 80, isWanted)).toBe(wanted)
    expect(lineNear(scene, { x: -500, y: -500 }, 42, () => true)).toBeNull()
  })

  test('are followed by a drag in about their direction', () => {
    const { x, y } = middleOf('03')
    expect(lineAlong(scene, island('03'), { x: x + 50, y: y + 10 })).toBe(line('03-04'))
    expect(lineAlong(scene, island('03'), { x: x - 50, y })).toBe(line('01-03'))
    expect(lineAlong(scene, island('03'), { x: x + 50, y: y + 50 })).toBeNull()
    expect(lineAlong(scene, island('03'), { x, y: y - 50 })).toBeNull()
  })
})

describe('arrow keys', () => {
  test('go along the lines, where there are any', () => {
    const from = { kind: 'island', index: island('01') } as const
    const onLine = nextSpot(scene, from, 'ArrowRight', true)
    expect(onLine).toEqual({ kind: 'line', index: line('01-03') })
    expect(nextSpot(scene, onLine, 'ArrowRight', true)).toEqual({ kind: 'island', index: island('03') })
    expect(nextSpot(scene, onLine, 'ArrowLeft', true)).toEqual(from)
  })

  test('go from island to island while there is only writing to do', () => {
    const from = { kind: 'island', index: island('01') } as const
    expect(nextSpot(scene, from, 'ArrowRight', false)).toEqual({ kind: 'island', index: island('03') })
  })

  test('stay at the edge', () => {
    const from = { kind: 'island', index: island('01') } as const
    expect(nextSpot(scene, from, 'ArrowUp', false)).toEqual(from)
  })

  test('reach every island', () => {
    const seen = new Set<number>([0])
    const left = [0]
    while (left.length) {
      const index = left.pop()!
      for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
        const next = nextSpot(scene, { kind: 'island', index }, arrow, false).index
        if (!seen.has(next)) left.push(next)
        seen.add(next)
      }
    }
    expect(seen.size).toBe(scene.islands.length)
  })
})

describe('bridges', () => {
  const board = { bridges: scene.lines.map((_, index) => index % 3) } as Board

  test('lie in the middle, or side by side', () => {
    expect(bridgeOffsets(0)).toEqual([])
    expect(bridgeOffsets(1)).toEqual([0])
    const [left, right] = bridgeOffsets(2)
    expect(left).toBe(-right!)
    expect(right).toBeGreaterThan(0)
  })

  test('keep their keys when a second one joins them', () => {
    const keys = (count: number): string[] => bridgesOf({ ...board, bridges: [count] }).map(({ key }) => key)
    expect(keys(2).slice(0, 1)).toEqual(keys(1))
    expect(bridgesOf(board)).toHaveLength(board.bridges.reduce((sum, count) => sum + count, 0))
  })

  test('end on the beaches, not in the middle of the islands', () => {
    const { spine } = bridgeShape(scene, scene.lines[line('01-03')]!, 1, 13)
    const [x1, y1, x2, y2] = spine.match(/[\d.]+/g)!.map(Number) as [number, number, number, number]
    expect(between({ x: x1, y: y1 }, middleOf('01'))).toBe(31)
    expect(between({ x: x2, y: y2 }, middleOf('03'))).toBe(31)
  })
})

describe('the hand that draws', () => {
  test('draws the same thing the same way every time, and no two alike', () => {
    expect(blob(3, 34)).toBe(blob(3, 34))
    expect(blob(3, 34)).not.toBe(blob(4, 34))
    expect(penCircle(3, 27)).toBe(penCircle(3, 27))
    expect(slant(3)).not.toBe(slant(4))
  })

  test('wavers between -1 and 1, to both sides alike', () => {
    const values = Array.from({ length: 1000 }, (_, index) => wobble(index, 7))
    expect(Math.min(...values)).toBeGreaterThanOrEqual(-1)
    expect(Math.max(...values)).toBeLessThan(1)
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length)).toBeLessThan(0.1)
  })

  test('stays near the outline', () => {
    const numbers = blob(5, 34, 2)
      .match(/-?[\d.]+/g)!
      .map(Number)
    expect(Math.max(...numbers.map(Math.abs))).toBeLessThan(34 + 2 + 2)
  })
})
