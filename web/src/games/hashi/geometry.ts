/** Coordinates on the board, and hand-drawn outlines, which are the same each time. */
import { type Board, type Island, type Line, otherEnd, type Scene, type Spot } from './model'

export const CELL = 100
/** Width of the frame around the sea. */
export const FRAME = 26
export const SHORE = 34
const BLOB_CORNERS = 9
/** Where bridges begin, measured from the middle of an island. */
const LANDING = 31
const PLANK_STEP = 8
/** How far the two bridges of a line lie from its middle. */
export const TWIN_OFFSET = 8.5

export interface Point {
  x: number
  y: number
}

/** A pseudo-random number between -1 and 1 that depends only on its two seeds. */
export function wobble(seed: number, index: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 31 - 1
}

export function centre(island: Island): Point {
  return { x: (island.column + 0.5) * CELL, y: (island.row + 0.5) * CELL }
}

export function isAcross(scene: Scene, line: Line): boolean {
  return scene.islands[line.islands[0]!]!.row === scene.islands[line.islands[1]!]!.row
}

/** The ends of a line's visible part, between two beaches. */
export function lineEnds(scene: Scene, line: Line, inset = SHORE): [Point, Point] {
  const [a, b] = line.islands.map((island) => centre(scene.islands[island]!)) as [Point, Point]
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  const [dx, dy] = [((b.x - a.x) / length) * inset, ((b.y - a.y) / length) * inset]
  return [
    { x: a.x + dx, y: a.y + dy },
    { x: b.x - dx, y: b.y - dy },
  ]
}

export function spotPoint(scene: Scene, spot: Spot): Point {
  if (spot.kind === 'island') return centre(scene.islands[spot.index]!)
  const [a, b] = lineEnds(scene, scene.lines[spot.index]!)
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

const round = (value: number): number => Math.round(value * 10) / 10
const at = (p: Point): string => `${round(p.x)} ${round(p.y)}`

/** A smooth closed curve through points (Catmull-Rom). */
function closedCurve(points: Point[]): string {
  const n = points.length
  const near = (i: number): Point => points[(i + n) % n]!
  const parts = points.map((p, i) => {
    const [before, next, after] = [near(i - 1), near(i + 1), near(i + 2)]
    const first = { x: p.x + (next.x - before.x) / 6, y: p.y + (next.y - before.y) / 6 }
    const second = { x: next.x - (after.x - p.x) / 6, y: next.y - (after.y - p.y) / 6 }
    return `C${at(first)} ${at(second)} ${at(next)}`
  })
  return `M${at(points[0]!)}${parts.join('')}Z`
}

/** The outline of an island. */
export function blob(seed: number, radius: number, roughness = 2, middle: Point = { x: 0, y: 0 }): string {
  const points = Array.from({ length: BLOB_CORNERS }, (_, i) => {
    const angle = ((i + wobble(seed, i + 40) * 0.2) / BLOB_CORNERS) * 2 * Math.PI
    const r = radius + wobble(seed, i) * roughness
    return { x: middle.x + Math.cos(angle) * r, y: middle.y + Math.sin(angle) * r }
  })
  return closedCurve(points)
}

/** A circle drawn in one go by hand: its end runs a little past its beginning. */
export function penCircle(seed: number, radius: number): string {
  const from = -2.2 + wobble(seed, 70) * 0.5
  const steps = 14
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + (i / steps) * (2 * Math.PI + 0.45)
    const r = radius + wobble(seed, 71) * 0.6 + (i / steps - 0.5) * 2.6
    return { x: Math.cos(angle) * r, y: Math.sin(angle) * r * 0.98 }
  })
  return openCurve(points)
}

/** A smooth curve through points. */
function openCurve(points: Point[]): string {
  const parts = points.slice(1).map((next, i) => {
    const p = points[i]!
    const before = points[i - 1] ?? p
    const after = points[i + 2] ?? next
    const first = { x: p.x + (next.x - before.x) / 6, y: p.y + (next.y - before.y) / 6 }
    const second = { x: next.x - (after.x - p.x) / 6, y: next.y - (after.y - p.y) / 6 }
    return `C${at(first)} ${at(second)} ${at(next)}`
  })
  return `M${at(points[0]!)}${parts.join('')}`
}

/** The digits as a felt pen writes them, around (0, 0). */
export const DIGITS: readonly string[] = [
  '',
  'M-6 -9C-3 -11 1 -14 2 -18C1 -6 1 6 1 18',
  'M-9 -9C-8 -21 9 -20 8 -8C7 2 -5 9 -10 17C-4 15 4 16 10 16',
  'M-8 -14C-3 -20 8 -18 7 -9C6 -3 1 -2 -3 -2C3 -2 9 1 9 8C8 18 -5 20 -10 13',
  'M1 -18C-2 -9 -6 -1 -11 6C-4 6 4 6 11 5M5 -7C5 1 4 10 4 19',
  'M9 -17C4 -16 -1 -16 -6 -16C-6 -12 -7 -7 -7 -3C0 -8 10 -4 9 6C8 18 -5 20 -10 13',
  'M6 -18C-4 -13 -10 -3 -9 7C-8 20 9 20 9 7C9 -4 -6 -4 -9 6',
]

/** A slight slant, so that no two numbers look alike. */
export function slant(seed: number): number {
  return round(wobble(seed, 90) * 6)
}

export interface BridgeShape {
  rails: string
  planks: string
  /** Along the middle, to uncover the bridge from one end to the other. */
  spine: string
}

/** A wooden bridge along a line, in the middle of it. */
export function bridgeShape(scene: Scene, line: Line, seed: number, width: number): BridgeShape {
  const [a, b] = lineEnds(scene, line, LANDING)
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length }
  const spot = (way: number, side: number): Point => ({
    x: a.x + along.x * way - along.y * side,
    y: a.y + along.y * way + along.x * side,
  })
  const sag = (way: number): number => Math.sin((way / length) * Math.PI) * wobble(seed, 1) * 1.6
  return {
    rails: [-1, 1].map((side) => rail(side * (width / 2 - 1), length, seed, spot, sag)).join(''),
    planks: planks(length, width, seed, spot, sag),
    spine: `M${at(a)}L${at(b)}`,
  }
}

type SpotAt = (way: number, side: number) => Point

function rail(side: number, length: number, seed: number, spot: SpotAt, sag: (way: number) => number): string {
  const steps = Math.max(2, Math.round(length / 25))
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const way = (i / steps) * length
    return spot(way, side + sag(way) + wobble(seed, i + (side > 0 ? 200 : 300)) * 0.7)
  })
  return openCurve(points)
}

function planks(length: number, width: number, seed: number, spot: SpotAt, sag: (way: number) => number): string {
  const count = Math.max(3, Math.round(length / PLANK_STEP))
  const step = length / count
  const parts = Array.from({ length: count }, (_, i) => {
    const near = i * step + 0.7
    const far = (i + 1) * step - 0.7
    const half = width / 2 + wobble(seed, i + 10) * 0.9
    const tilt = wobble(seed, i + 100) * 0.8
    const shift = sag((near + far) / 2) + wobble(seed, i + 50) * 0.6
    const corners = [
      spot(near + tilt, shift - half),
      spot(far + tilt, shift - half),
      spot(far - tilt, shift + half),
      spot(near - tilt, shift + half),
    ]
    return `M${corners.map(at).join('L')}Z`
  })
  return parts.join('')
}

/** How near a point of the sea is to a line. */
export function distanceToLine(scene: Scene, line: Line, p: Point): number {
  const [a, b] = lineEnds(scene, line)
  const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))
  const x = clamp(p.x, Math.min(a.x, b.x), Math.max(a.x, b.x))
  const y = clamp(p.y, Math.min(a.y, b.y), Math.max(a.y, b.y))
  return Math.hypot(p.x - x, p.y - y)
}

/** The nearest island, if the point is within reach of it. */
export function islandNear(scene: Scene, p: Point, reach: number): number | null {
  const far = scene.islands.map((island) => {
    const c = centre(island)
    return Math.hypot(p.x - c.x, p.y - c.y)
  })
  const best = far.indexOf(Math.min(...far))
  return far[best]! <= reach ? best : null
}

/** The nearest line within reach; lines that `isPreferred` win over nearer ones. */
export function lineNear(scene: Scene, p: Point, reach: number, isPreferred: (line: number) => boolean): number | null {
  const found = scene.lines
    .map((line, index) => ({ index, far: distanceToLine(scene, line, p), isFirst: isPreferred(index) }))
    .filter((line) => line.far <= reach)
    .sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || a.far - b.far)
  return found[0]?.index ?? null
}

/** The line of an island that a drag from there to a point follows. */
export function lineAlong(scene: Scene, island: number, p: Point): number | null {
  const from = centre(scene.islands[island]!)
  const [dx, dy] = [p.x - from.x, p.y - from.y]
  const length = Math.hypot(dx, dy)
  const found = scene.lines.findIndex((line) => {
    if (!line.islands.includes(island)) return false
    const to = centre(scene.islands[otherEnd(line, island)]!)
    const far = Math.hypot(to.x - from.x, to.y - from.y)
    return (dx * (to.x - from.x) + dy * (to.y - from.y)) / (length * far) > 0.87
  })
  return found < 0 ? null : found
}

/** Where the bridges of a line lie across its middle. */
export function bridgeOffsets(count: number): number[] {
  return count === 2 ? [-TWIN_OFFSET, TWIN_OFFSET] : count === 1 ? [0] : []
}

/** Every bridge of a board, each with a key that stays when a second one joins it. */
export function bridgesOf(board: Board): { key: string; line: number; order: number; offset: number }[] {
  return board.bridges.flatMap((count, line) =>
    bridgeOffsets(count).map((offset, order) => ({ key: `${line}.${order}`, line, order, offset })),
  )
}
