import { describe, expect, test } from 'vitest'
import { bestPlan, CELL, nextField, type Plan, pointOf, rowEnds, scaleOf, TILE } from './geometry'
import lesson from './lesson/lesson.json'
import type { Field, Scene } from './model'

const scene: Scene = lesson.scenes[0]!
const WIDE = { width: 1200, height: 500 }
const PHONE = { width: 390, height: 600 }

const wide = bestPlan(scene, WIDE)
const narrow = bestPlan(scene, PHONE)
const plans: [string, Plan][] = [
  ['in one band', wide],
  ['in two bands', narrow],
]

const fieldAt = (row: number, column: number): Field =>
  scene.fields.find((field) => field.row === row && field.column === column)!

describe('the board', () => {
  test('has one band where there is room, and two on a phone', () => {
    expect(wide.bands).toHaveLength(1)
    expect(narrow.bands).toHaveLength(2)
    expect(scaleOf(narrow, PHONE)).toBeGreaterThan(scaleOf(wide, PHONE))
  })

  test('stays in one piece as long as two bands would hardly be larger', () => {
    const widths = Array.from({ length: 150 }, (_, index) => 300 + 10 * index)
    const bands = widths.map((width) => bestPlan(scene, { width, height: 600 }).bands.length)
    expect(bands).toEqual([...bands].sort((a, b) => b - a)) // it changes once
    const first = widths[bands.indexOf(1)]!
    const box = { width: first, height: 600 }
    expect(scaleOf(wide, box)).toBeLessThan(scaleOf(narrow, box))
  })

  test('fits into its box', () => {
    const scale = scaleOf(wide, WIDE)
    expect(wide.width * scale).toBeLessThanOrEqual(WIDE.width)
    expect(wide.height * scale).toBeLessThanOrEqual(WIDE.height)
  })
})

describe.each(plans)('fields %s', (_, plan) => {
  test('lie within the board', () => {
    const outside = scene.fields.filter(({ row, column }) => {
      const { x, y } = pointOf(plan, row, column)
      return Math.min(x, y, plan.width - x, plan.height - y) < TILE / 2
    })
    expect(outside).toEqual([])
  })

  test('do not touch each other', () => {
    const points = scene.fields.map(({ row, column }) => pointOf(plan, row, column))
    const distances = points.flatMap((a, index) => points.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)))
    expect(Math.min(...distances)).toBe(CELL)
  })

  test('of one row and band stand on the same boards', () => {
    for (const band of plan.bands) {
      const [left, right] = rowEnds(plan, band)
      const fields = scene.fields.filter(({ column }) => column >= band.first && column <= band.last)
      const astray = fields.filter(({ row, column }) => {
        const { x, y } = pointOf(plan, row, column)
        return y !== pointOf(plan, row, band.first).y || x < left || x > right
      })
      expect(astray).toEqual([])
    }
  })

  test('are all reached with the arrow keys', () => {
    const seen = new Set([scene.fields[0]!])
    const left = [...seen]
    while (left.length) {
      const field = left.pop()!
      for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
        const next = nextField(scene, plan, field, arrow)
        if (!seen.has(next)) left.push(next)
        seen.add(next)
      }
    }
    expect(seen.size).toBe(scene.fields.length)
  })
})

describe('boards that go on in the other band', () => {
  test('run off the drawing at that side', () => {
    const [upper, lower] = narrow.bands.map((band) => rowEnds(narrow, band))
    expect(upper![0]).toBeGreaterThan(0)
    expect(upper![1]).toBeGreaterThan(narrow.width)
    expect(lower![0]).toBeLessThan(0)
    expect(lower![1]).toBeLessThan(narrow.width)
  })
})

describe('arrow keys', () => {
  test('go to the neighbour', () => {
    expect(nextField(scene, wide, fieldAt(1, 5), 'ArrowRight')).toBe(fieldAt(1, 6))
    expect(nextField(scene, wide, fieldAt(1, 5), 'ArrowUp')).toBe(fieldAt(0, 5))
  })

  test('stay at the edge', () => {
    expect(nextField(scene, wide, fieldAt(0, 1), 'ArrowLeft')).toBe(fieldAt(0, 1))
    expect(nextField(scene, wide, fieldAt(0, 1), 'ArrowUp')).toBe(fieldAt(0, 1))
  })

  test('go from the upper band to the lower one and back', () => {
    const [upper, lower] = narrow.bands
    const bottom = scene.rows.length - 1
    const from = fieldAt(bottom, upper!.first + 2)
    const to = fieldAt(0, lower!.first + 2)
    expect(nextField(scene, narrow, from, 'ArrowDown')).toBe(to)
    expect(nextField(scene, narrow, to, 'ArrowUp')).toBe(from)
  })
})
