/** Where the fields lie. The rows run across in one band or, where that is too narrow for fingers, in two. */
import { ARROWS, type Arrow } from '../arrows'
import type { Field, Scene } from './model'

export const CELL = 40
export const TILE = 36
/** Water between two rows: less where there are two bands, which fill a phone's height. */
const [WIDE_GAP, NARROW_GAP] = [18, 10]
const SIDE = 12
const RIM = 12
export interface Band {
  first: number
  last: number
  top: number
}

export interface Plan {
  bands: Band[]
  /** From one row to the next. */
  pitch: number
  /** From the top of the first row to the bottom of the last. */
  bandHeight: number
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

/** How large a plan can be drawn in a box, in pixels a unit. */
export const scaleOf = (plan: Plan, box: Size): number => Math.min(box.width / plan.width, box.height / plan.height)

/** Two bands are used only if they are larger by this factor, since unbroken rows are easier to read. */
const WORTH_TWO_BANDS = 1.1

/** One band or two: whichever lets the fields be larger. */
export function bestPlan(scene: Scene, box: Size): Plan {
  const [wide, narrow] = [planOf(scene, true), planOf(scene, false)]
  return scaleOf(narrow, box) > scaleOf(wide, box) * WORTH_TWO_BANDS ? narrow : wide
}

function planOf(scene: Scene, isWide: boolean): Plan {
  const columns = scene.fields.map(({ column }) => column)
  const [first, last] = [Math.min(...columns), Math.max(...columns)]
  const middle = Math.ceil((first + last) / 2)
  const parts = isWide
    ? [[first, last]]
    : [
        [first, middle - 1],
        [middle, last],
      ]
  const pitch = CELL + (isWide ? WIDE_GAP : NARROW_GAP)
  const bandHeight = (scene.rows.length - 1) * pitch + CELL
  const bands = parts.map(([from, to], i) => ({ first: from!, last: to!, top: RIM + i * (bandHeight + 2 * RIM) }))
  const across = Math.max(...bands.map((band) => band.last - band.first + 1))
  return { bands, pitch, bandHeight, width: across * CELL + 2 * SIDE, height: bands.at(-1)!.top + bandHeight + RIM }
}

/** The middle of a place. */
export function pointOf(plan: Plan, row: number, column: number): Point {
  const band = plan.bands.find(({ last }) => column <= last) ?? plan.bands[0]!
  return { x: SIDE + (column - band.first + 0.5) * CELL, y: band.top + row * plan.pitch + CELL / 2 }
}

/** The left and right end of a row's boards within a band; where a row continues in the other band they run off the drawing. */
export function rowEnds(plan: Plan, band: Band): [number, number] {
  const isFirst = band === plan.bands[0]
  const isLast = band === plan.bands.at(-1)
  return [isFirst ? SIDE : -CELL, isLast ? SIDE + (band.last - band.first + 1) * CELL : plan.width + CELL]
}

/** The field to go to from another one with an arrow key. Below the upper band comes the lower one. */
export function nextField(scene: Scene, plan: Plan, from: Field, arrow: Arrow): Field {
  const { right, down } = ARROWS[arrow]
  const at = (row: number, column: number): Field | undefined =>
    scene.fields.find((field) => field.row === row && field.column === column)
  const beside = at(from.row + down, from.column + right)
  if (beside || !down) return beside ?? from
  const here = plan.bands.findIndex(({ last }) => from.column <= last)
  const [band, other] = [plan.bands[here]!, plan.bands[here + down]]
  if (!other) return from
  const row = down > 0 ? 0 : scene.rows.length - 1
  return at(row, other.first + from.column - band.first) ?? from
}
