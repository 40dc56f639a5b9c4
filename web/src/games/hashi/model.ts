/** Hashi's scene and view, and its action texts. */
import type { BoardFault } from '../types'
import type { Board, Card, Island, Line, Scene, View } from './protocol'

export type { Board, Card, Island, Line, Race, Scene, View } from './protocol'

/** The start numbers to choose from. */
export const START_NUMBERS: readonly number[] = [3, 4]

/** Something on the board that can be pointed at. */
export interface Spot {
  kind: 'island' | 'line'
  index: number
}

export type Action =
  | { kind: 'write'; place: string; number: number }
  | { kind: 'bridge'; place: string }
  | { kind: 'erase'; place: string }

/** The parts of an action that has a place on the board. */
export function parseAction(text: string): Action | null {
  const [verb, first = '', second = ''] = text.split(' ')
  if (verb === 'write' && second) return { kind: 'write', place: first, number: Number(second) }
  return (verb === 'bridge' || verb === 'erase') && first ? { kind: verb, place: first } : null
}

export const writeText = (island: Island, number: number): string => `write ${island.place} ${number}`
export const bridgeText = (line: Line): string => `bridge ${line.place}`

/** The action text for joining two islands, whether or not there is a line. */
export function joinText(scene: Scene, from: number, to: number): string {
  const line = lineBetween(scene, from, to)
  if (line !== null) return bridgeText(scene.lines[line]!)
  return `bridge ${scene.islands[from]!.place}-${scene.islands[to]!.place}`
}

/** The other end of a line. */
export function otherEnd(line: Line, island: number): number {
  return line.islands.find((end) => end !== island)!
}

/** The line that joins two islands. */
export function lineBetween(scene: Scene, from: number, to: number): number | null {
  const found = scene.lines.findIndex((line) => line.islands.includes(from) && line.islands.includes(to))
  return found < 0 ? null : found
}

/** How many bridges lead to an island. */
export function bridgesAt(scene: Scene, board: Board, island: number): number {
  return scene.lines.reduce((sum, line, i) => sum + (line.islands.includes(island) ? board.bridges[i]! : 0), 0)
}

export interface StripCard extends Card {
  isOut: boolean
  isCurrent: boolean
}

/** The whole deck; cards that were turned are crossed off, and the one of this round is marked. */
export function infoStrip(scene: Scene, view: View): StripCard[] {
  const left = new Map<string, number>()
  for (const text of view.pile) left.set(text, (left.get(text) ?? 0) + 1)
  const strip = scene.cards
    .toReversed()
    .map((card) => {
      const count = left.get(card.text) ?? 0
      left.set(card.text, count - 1)
      return { ...card, isOut: count > 0, isCurrent: false }
    })
    .toReversed()
  const current = strip.find((card) => !card.isOut && card.text === view.card?.text)
  if (current && view.phase === 'round') current.isCurrent = true
  return strip
}

/** Numbers and bridges, by island and by line; a line with two bridges is there twice. */
export interface Marks {
  islands: number[]
  lines: number[]
}

export const NO_MARKS: Marks = { islands: [], lines: [] }

/** What action texts have added to a board and left there. */
export function marksOf(scene: Scene, actions: string[]): Marks {
  const marks: Marks = { islands: [], lines: [] }
  for (const action of actions.map(parseAction)) {
    const spot = action && spotOfPlace(scene, action.place)
    if (!action || !spot) continue
    const list = spot.kind === 'island' ? marks.islands : marks.lines
    if (action.kind !== 'erase') list.push(spot.index)
    else if (list.includes(spot.index)) list.splice(list.lastIndexOf(spot.index), 1)
  }
  return marks
}

/** The place of one action, whether it draws or erases. */
export function placeOfAction(scene: Scene, text: string | null): Marks {
  const action = parseAction(text ?? '')
  const spot = action && spotOfPlace(scene, action.place)
  return {
    islands: spot?.kind === 'island' ? [spot.index] : [],
    lines: spot?.kind === 'line' ? [spot.index] : [],
  }
}

/** The island `21` or the line `21-25`. */
export function spotOfPlace(scene: Scene, place: string): Spot | null {
  const kind = place.includes('-') ? 'line' : 'island'
  const index = (kind === 'line' ? scene.lines : scene.islands).findIndex((one) => one.place === place)
  return index < 0 ? null : { kind, index }
}

/** What the referee points at, and what erases it. */
export interface FaultMark {
  spot: Spot
  /** Its place in the list of faults, from 1. */
  number: number
  text: string
  action_text: string
}

/** Where the faults of a board lie; a line on which two bridges are wrong has one mark, that of the one to be erased. */
export function faultMarks(scene: Scene, faults: BoardFault[]): FaultMark[] {
  const marks = new Map<string, FaultMark>()
  faults.forEach(({ places: [place = ''], text, action_text }, index) => {
    const spot = spotOfPlace(scene, place)
    if (spot && !marks.get(place)?.action_text) marks.set(place, { spot, number: index + 1, text, action_text })
  })
  return [...marks.values()]
}

/** The clause that an island is struck out for, or null. */
export function struckFor(board: Board, island: number): string | null {
  return board.struck.find((one) => one.island === island)?.rule ?? null
}

/** What a board has been given in this round. */
export function marksOfRound(board: Board): Marks {
  return { islands: board.written === null ? [] : [board.written], lines: board.drawn }
}
