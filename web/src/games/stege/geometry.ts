/**
 * Where things are drawn. A field is CELL units wide; the sea has a MARGIN around it into which the islands reach. The
 * numbers of rows and columns stand in a BAND beside it, at the left and at the top.
 */
import { middleOf, readField, readPlace, type Field, type Scene } from './model'

export const CELL = 40
export const MARGIN = 16
export const BAND = 24

export interface Point {
  x: number
  y: number
}

/** From the corner of the drawing to that of the first field. */
export const EDGE = MARGIN + BAND

export const boardWidth = (scene: Scene): number => scene.size * CELL

/** The middle of a field. */
export const fieldPoint = ({ row, column }: Field): Point => ({ x: (column - 0.5) * CELL, y: (row - 0.5) * CELL })

/** The field at a point, or the nearest one. */
export function fieldAt({ x, y }: Point, size: number): Field {
  const within = (value: number): number => Math.min(Math.max(Math.floor(value / CELL) + 1, 1), size)
  return { row: within(y), column: within(x) }
}

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** The transformation that moves a jetty, drawn across and around the origin, to its place. */
export function jettyTransform(place: string): string {
  const { isDown, ...field } = readPlace(place)
  const { x, y } = fieldPoint(middleOf({ ...field, isDown }))
  return `translate(${x}px, ${y}px) rotate(${isDown ? 90 : 0}deg)`
}

/** An island as it is drawn: a square that reaches into the margin. `outward` points away from the sea. */
export interface IslandShape {
  middle: Point
  half: number
  outward: Point
}

export function islandShape(scene: Scene, island: number): IslandShape {
  const { row, column } = scene.islands[island] ?? { row: 1, column: 1 }
  const reach = scene.island_size * CELL
  const outward = { x: column === 1 ? -1 : 1, y: row === 1 ? -1 : 1 }
  const half = (reach + MARGIN - 3) / 2
  const inner = { x: (column - 1) * CELL + reach / 2, y: (row - 1) * CELL + reach / 2 }
  const shift = half - reach / 2
  return { middle: { x: inner.x + outward.x * shift, y: inner.y + outward.y * shift }, half, outward }
}

// An island is a square of 3 x 3 slots, counted outwards from the sea. Stones wait on the beach in an L along the sea
// and come home to the meadow behind it; the slot at the corner in the sea is for the flag.
const BEACH: [number, number][] = [
  [2, 0],
  [1, 0],
  [0, 1],
  [0, 2],
]
const MEADOW: [number, number][] = [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
]
const FLAG: [number, number] = [0, 0]

function slotPoint({ middle, half, outward }: IslandShape, [across, down]: [number, number]): Point {
  const slot = (half * 2 - 8) / 3
  return { x: middle.x + outward.x * (across - 1) * slot, y: middle.y + outward.y * (down - 1) * slot }
}

export const waitingPoint = (scene: Scene, island: number, index: number): Point =>
  slotPoint(islandShape(scene, island), BEACH[index] ?? FLAG)

export const homePoint = (scene: Scene, island: number, index: number): Point =>
  slotPoint(islandShape(scene, island), MEADOW[index] ?? FLAG)

export const flagPoint = (scene: Scene, island: number): Point => slotPoint(islandShape(scene, island), FLAG)

/** How large a stone is drawn at a spot. */
export const stoneScale = (spot: string): number => (readField(spot) ? 1 : 0.76)

/** Where a stone is drawn. */
export function spotPoint(scene: Scene, seat: number, index: number, spot: string): Point {
  const field = readField(spot)
  if (field) return fieldPoint(field)
  const { start = 0, target = 0 } = scene.seats[seat] ?? {}
  return spot === 'home' ? homePoint(scene, target, index) : waitingPoint(scene, start, index)
}

/** The points of a walk; it leaves and enters an island straight. */
export function walkPoints(scene: Scene, seat: number, spots: string[]): Point[] {
  return spots.map((spot, index) => {
    if (readField(spot)) return walkPoint(scene, seat, spot)
    const { start = 0, target = 0 } = scene.seats[seat] ?? {}
    const { row, column } = scene.islands[spot === 'home' ? target : start] ?? { row: 1, column: 1 }
    const beside = walkPoint(scene, seat, spots[index ? index - 1 : 1] ?? spot)
    const first = fieldPoint({ row, column })
    const last = fieldPoint({ row: row + scene.island_size - 1, column: column + scene.island_size - 1 })
    return {
      x: Math.min(Math.max(beside.x, first.x), last.x),
      y: Math.min(Math.max(beside.y, first.y), last.y),
    }
  })
}

/** A spot to mark: the middle of its field or island. */
export function walkPoint(scene: Scene, seat: number, spot: string): Point {
  const field = readField(spot)
  if (field) return fieldPoint(field)
  const { start = 0, target = 0 } = scene.seats[seat] ?? {}
  return islandShape(scene, spot === 'home' ? target : start).middle
}
