/** Stege's scene and view, and its action texts. Nothing here knows the rules. */
import type { Jetty, Scene, View } from './protocol'

export type { Jetty, Scene, View } from './protocol'

/** Rows and columns are counted from 1, from the top left. */
export interface Field {
  row: number
  column: number
}

export interface Place extends Field {
  isDown: boolean
}

export const JETTY_LENGTH = 3

export const fieldText = ({ row, column }: Field): string => `${row},${column}`

export const placeText = (place: Place): string => `${fieldText(place)} ${place.isDown ? 'down' : 'across'}`

/** The field of a spot's text; null for an island or home. */
export function readField(text: string): Field | null {
  const [row, column] = text.split(',').map(Number)
  return row && column ? { row, column } : null
}

export function readPlace(text: string): Place {
  const [field = '', direction] = text.split(' ')
  const { row, column } = readField(field) ?? { row: 1, column: 1 }
  return { row, column, isDown: direction === 'down' }
}

export function placeFields({ row, column, isDown }: Place): Field[] {
  const steps = Array.from({ length: JETTY_LENGTH }, (_, index) => index)
  return steps.map((step) => (isDown ? { row: row + step, column } : { row, column: column + step }))
}

/** The place of a jetty whose middle is nearest to a field, kept inside the board. */
export function placeAround(middle: Field, isDown: boolean, size: number): Place {
  const within = (start: number): number => Math.min(Math.max(start, 1), size - JETTY_LENGTH + 1)
  return isDown
    ? { row: within(middle.row - 1), column: middle.column, isDown }
    : { row: middle.row, column: within(middle.column - 1), isDown }
}

export function middleOf({ row, column, isDown }: Place): Field {
  return isDown ? { row: row + 1, column } : { row, column: column + 1 }
}

export function islandAt(scene: Scene, { row, column }: Field): number | null {
  const isWithin = (value: number, first: number): boolean => value >= first && value < first + scene.island_size
  const found = scene.islands.findIndex((island) => isWithin(row, island.row) && isWithin(column, island.column))
  return found < 0 ? null : found
}

export function jettyAt(view: View, { row, column }: Field): Jetty | null {
  return view.jetties.find(({ fields }) => fields.some(([r, c]) => r === row && c === column)) ?? null
}

export interface StoneAt {
  seat: number
  index: number
}

/** The stone that stands on a field of a jetty. */
export function stoneAt(view: View, field: Field): StoneAt | null {
  const text = fieldText(field)
  for (const [seat, spots] of view.stones.entries()) {
    const index = spots.indexOf(text)
    if (index >= 0) return { seat, index }
  }
  return null
}

/** How many stones of a seat are at a spot. */
export const countAt = (view: View, seat: number, spot: string): number =>
  view.stones[seat]?.filter((found) => found === spot).length ?? 0

export type Action =
  | { kind: 'lay'; place: string }
  | { kind: 'take'; place: string }
  | { kind: 'move'; stone: string; from: string; to: string }
  | { kind: 'roll'; number: number }
  | { kind: 'keep' | 'other' }

export function readAction(text: string): Action {
  const [verb = '', ...rest] = text.split(' ')
  if (verb === 'lay' || verb === 'take') return { kind: verb, place: rest.join(' ') }
  if (verb === 'move') {
    const [stone = '', way = ''] = rest
    const [from = '', to = ''] = way.split('>')
    return { kind: 'move', stone, from, to }
  }
  if (verb === 'roll' && text !== 'roll again') return { kind: 'roll', number: Number(rest[0]) }
  return { kind: verb === 'keep' ? 'keep' : 'other' }
}

/** The legal actions, sorted by what on the board they belong to. */
export interface Offer {
  lays: Set<string>
  takes: Set<string>
  /** By stone, then by the spot where its walk ends: the action. */
  moves: Map<string, Map<string, string>>
  canKeep: boolean
}

export function readOffer(legal: string[]): Offer {
  const offer: Offer = { lays: new Set(), takes: new Set(), moves: new Map(), canKeep: false }
  for (const text of legal) {
    const action = readAction(text)
    if (action.kind === 'lay') offer.lays.add(action.place)
    else if (action.kind === 'take') offer.takes.add(action.place)
    else if (action.kind === 'keep') offer.canKeep = true
    else if (action.kind === 'move') {
      const ends = offer.moves.get(action.stone) ?? new Map<string, string>()
      offer.moves.set(action.stone, ends.set(action.to, text))
    }
  }
  return offer
}
