/** Hashi's scene and view as the server tells them, and the texts of its actions. */
import type {
  HashiBoard as Board,
  HashiCard as Card,
  HashiIsland as Island,
  HashiLine as Line,
  HashiScene as Scene,
  HashiView as View,
} from '../../lib/protocol'

export type { Board, Card, Island, Line, Scene, View }
export type { HashiRace as Race } from '../../lib/protocol'

/** What there is to choose from before the first round. */
export const START_NUMBERS: readonly number[] = [3, 4]

/** Something on the board that can be pointed at. */
export interface Spot {
  kind: 'island' | 'line'
  index: number
}

export type Action =
  | { kind: 'write'; place: string; number: number }
  | { kind: 'bridge'; place: string }
  | { kind: 'skip' }
  | { kind: 'card'; card: string }

/** An action's parts, or null if the text is none of Hashi. */
export function parseAction(text: string): Action | null {
  const [verb, first = '', second = ''] = text.split(' ')
  if (verb === 'write' && second) return { kind: 'write', place: first, number: Number(second) }
  if (verb === 'bridge' && first) return { kind: 'bridge', place: first }
  if (verb === 'card' && first) return { kind: 'card', card: first }
  return verb === 'skip' ? { kind: 'skip' } : null
}

export const writeText = (island: Island, number: number): string => `write ${island.place} ${number}`
export const bridgeText = (line: Line): string => `bridge ${line.place}`

/** What to call a try to join two islands, whether or not a line does. */
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

/** The whole deck; cards that have come are crossed off, and the one of this round is marked. */
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

/** What a board has that it did not have before. */
export function newMarks(before: Board, now: Board): Marks {
  return {
    islands: now.numbers.flatMap((number, i) => (number && !before.numbers[i] ? [i] : [])),
    lines: now.bridges.flatMap((count, i) => Array<number>(Math.max(0, count - before.bridges[i]!)).fill(i)),
  }
}

/** What a board has been given in this round. */
export function marksOfRound(board: Board): Marks {
  return { islands: board.written === null ? [] : [board.written], lines: board.drawn }
}
