import { describe, expect, test } from 'vitest'
import {
  boardWidth,
  CELL,
  distance,
  fieldAt,
  fieldPoint,
  flagPoint,
  homePoint,
  islandShape,
  jettyTransform,
  MARGIN,
  type Point,
  spotPoint,
  stoneScale,
  waitingPoint,
  walkPoint,
  walkPoints,
} from './geometry'
import lesson from './lesson/lesson.json'
import { islandAt, JETTY_LENGTH, middleOf, placeAround, placeFields, placeText, readField, readPlace } from './model'
import type { Field, Scene } from './model'

const scene: Scene = lesson.scenes[0]!
const SIZE = scene.size
const CORNERS = [0, 1, 2, 3]

describe('fields', () => {
  test('are found at every point within them', () => {
    for (const field of [
      { row: 1, column: 1 },
      { row: 3, column: 7 },
      { row: SIZE, column: SIZE },
    ]) {
      const { x, y } = fieldPoint(field)
      expect(fieldAt({ x, y }, SIZE)).toEqual(field)
      expect(fieldAt({ x: x - CELL / 2, y: y + CELL / 2 - 0.01 }, SIZE)).toEqual(field)
    }
  })

  test('at the edge are meant by points beside the board', () => {
    expect(fieldAt({ x: -30, y: 99_999 }, SIZE)).toEqual({ row: SIZE, column: 1 })
  })

  test('fill the board', () => {
    expect(boardWidth(scene)).toBe(SIZE * CELL)
  })
})

describe('jetties', () => {
  test('have a text that says where they lie', () => {
    for (const text of ['5,3 across', '3,2 down']) expect(placeText(readPlace(text))).toBe(text)
  })

  test('cover three fields in a row', () => {
    expect(placeFields(readPlace('5,3 across'))).toEqual([
      { row: 5, column: 3 },
      { row: 5, column: 4 },
      { row: 5, column: 5 },
    ])
    expect(placeFields(readPlace('3,2 down')).map(({ row }) => row)).toEqual([3, 4, 5])
  })

  test('are turned around their middle', () => {
    expect(jettyTransform('5,3 across')).toBe(`translate(${3.5 * CELL}px, ${4.5 * CELL}px) rotate(0deg)`)
    expect(jettyTransform('3,2 down')).toBe(`translate(${1.5 * CELL}px, ${3.5 * CELL}px) rotate(90deg)`)
  })

  test('stay inside the board, wherever the pointer is', () => {
    const isInside = ({ row, column }: Field): boolean => Math.min(row, column) >= 1 && Math.max(row, column) <= SIZE
    const numbers = Array.from({ length: SIZE }, (_, index) => index + 1)
    const pointed = numbers.flatMap((row) => numbers.map((column) => ({ row, column })))
    const astray = pointed.filter((field) =>
      [true, false].some((isDown) => {
        const fields = placeFields(placeAround(field, isDown, SIZE))
        const isUnderPointer = fields.some(({ row, column }) => row === field.row && column === field.column)
        return fields.length !== JETTY_LENGTH || !fields.every(isInside) || !isUnderPointer
      }),
    )
    expect(astray).toEqual([])
  })

  test('have the field that was pointed at in the middle, where they can', () => {
    expect(middleOf(placeAround({ row: 6, column: 6 }, true, SIZE))).toEqual({ row: 6, column: 6 })
    expect(placeText(placeAround({ row: 1, column: 6 }, true, SIZE))).toBe('1,6 down')
  })
})

describe('islands', () => {
  test('lie in the corners and reach out of the board, not further into it', () => {
    for (const corner of CORNERS) {
      const { middle, half, outward } = islandShape(scene, corner)
      const { row, column } = scene.islands[corner]!
      const reach = scene.island_size * CELL
      const inner = { x: column === 1 ? reach : SIZE * CELL - reach, y: row === 1 ? reach : SIZE * CELL - reach }
      expect(middle.x - outward.x * half).toBeCloseTo(inner.x)
      expect(middle.y - outward.y * half).toBeCloseTo(inner.y)
      const outer = { x: middle.x + outward.x * half, y: middle.y + outward.y * half }
      for (const value of [outer.x, outer.y]) {
        expect(value).toBeGreaterThan(-MARGIN)
        expect(value).toBeLessThan(SIZE * CELL + MARGIN)
      }
    }
  })

  test('have room for every stone that waits or is home, and for the flag', () => {
    for (const corner of CORNERS) {
      const stones = scene.stones.map((_, index) => index)
      const points: Point[] = [
        ...stones.map((index) => waitingPoint(scene, corner, index)),
        ...stones.map((index) => homePoint(scene, corner, index)),
        flagPoint(scene, corner),
      ]
      const { middle, half } = islandShape(scene, corner)
      const offsets = points.map(({ x, y }) => Math.max(Math.abs(x - middle.x), Math.abs(y - middle.y)))
      const distances = points.flatMap((point, index) => points.slice(index + 1).map((other) => distance(point, other)))
      expect(Math.max(...offsets)).toBeLessThan(half)
      expect(Math.min(...distances)).toBeGreaterThan(20)
    }
  })

  test('are where their fields are', () => {
    expect(islandAt(scene, { row: 1, column: 2 })).toBe(0)
    expect(islandAt(scene, { row: 1, column: 3 })).toBeNull()
    expect(islandAt(scene, { row: SIZE, column: SIZE })).toBe(2)
  })
})

describe('spots', () => {
  test('are fields, the own island, or home', () => {
    expect(readField('4,7')).toEqual({ row: 4, column: 7 })
    expect(readField('island')).toBeNull()
    expect(readField('home')).toBeNull()
    expect(spotPoint(scene, 0, 1, '4,7')).toEqual(fieldPoint({ row: 4, column: 7 }))
    expect(spotPoint(scene, 0, 1, 'island')).toEqual(waitingPoint(scene, 0, 1))
    expect(spotPoint(scene, 0, 1, 'home')).toEqual(homePoint(scene, 2, 1))
    expect(spotPoint(scene, 1, 1, 'home')).toEqual(homePoint(scene, 3, 1))
  })

  test('on islands have smaller stones', () => {
    expect(stoneScale('4,7')).toBe(1)
    expect(stoneScale('home')).toBeLessThan(1)
  })
})

describe('walks', () => {
  test('leave and enter islands straight', () => {
    const [start, first] = walkPoints(scene, 0, ['island', '2,3', '2,4'])
    expect(start).toEqual(fieldPoint({ row: 2, column: 2 }))
    expect(first).toEqual(fieldPoint({ row: 2, column: 3 }))
    const end = walkPoints(scene, 0, ['9,11', 'home']).at(-1)
    expect(end).toEqual(fieldPoint({ row: 10, column: 11 }))
  })

  test('go through the middles of fields', () => {
    const spots = ['4,4', '4,5', '5,5']
    expect(walkPoints(scene, 0, spots)).toEqual(spots.map((spot) => fieldPoint(readField(spot)!)))
  })

  test('end on an island in its middle, to mark it', () => {
    expect(walkPoint(scene, 0, 'home')).toEqual(islandShape(scene, 2).middle)
  })
})
