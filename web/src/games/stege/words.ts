/** Labels for screen readers, and summaries of turns. */
import { capitalize, type Say as AnySay } from '../../lib/format'
import type { ReportedAction } from '../types'
import {
  countAt,
  islandAt,
  jettyAt,
  placeFields,
  readAction,
  readField,
  readPlace,
  stoneAt,
  type Field,
  type Scene,
  type View,
} from './model'
import type en from './words/en.json'

export type Word = keyof typeof en
export type Say = AnySay<Word>

const fieldWords = ({ row, column }: Field, say: Say): string => say('field', { row, column })

/** Where a jetty lies. */
export function placeWords(text: string, say: Say): string {
  const { row, column, isDown } = readPlace(text)
  const last = placeFields({ row, column, isDown }).at(-1) ?? { row, column }
  return isDown
    ? say('down', { column, from: row, to: last.row })
    : say('across', { row, from: column, to: last.column })
}

/** The names of the seats, and the seat of the reader. */
export interface Owners {
  names: string[]
  you: number
}

/** What somebody did in a turn: where a jetty was before, and which way a stone took, shows on the board. */
export function turnSummary(reported: ReportedAction[], name: string, _scene: Scene, say: Say): string {
  const actions = reported.map(({ action_text }) => readAction(action_text))
  const laid = actions.find((action) => action.kind === 'lay')
  const moved = actions.find((action) => action.kind === 'move')
  const hasTaken = actions.some((action) => action.kind === 'take')
  const jetty = laid && say(hasTaken ? 'movedJetty' : 'laidJetty', { name, place: placeWords(laid.place, say) })
  return [jetty, moved && walkWords(moved, name, say)].filter(Boolean).join(' ') || passWords(reported)
}

function walkWords({ stone, to }: { stone: string; to: string }, name: string, say: Say): string {
  const field = readField(to)
  return field ? say('movedStone', { name, stone, field: fieldWords(field, say) }) : say('broughtHome', { name, stone })
}

const passWords = (reported: ReportedAction[]): string =>
  reported.find((action) => action.action_text === 'pass')?.sentence ?? ''

/** What is to be seen on a field, and what can be done there. */
export function fieldLabel(field: Field, scene: Scene, view: View, owners: Owners, signs: string[], say: Say): string {
  return capitalize([fieldWords(field, say), ...groundWords(field, scene, view, owners, say), ...signs].join(', '))
}

function groundWords(field: Field, scene: Scene, view: View, owners: Owners, say: Say): string[] {
  const island = islandAt(scene, field)
  if (island !== null) return islandWords(island, scene, view, owners, say)
  const stone = stoneAt(view, field)
  const ground = say(jettyAt(view, field) ? 'jetty' : 'water')
  if (!stone) return [ground]
  const values = { stone: scene.stones[stone.index] ?? '', name: owners.names[stone.seat] ?? '' }
  return [ground, say(stone.seat === owners.you ? 'yourStone' : 'stoneOf', values)]
}

function islandWords(island: number, scene: Scene, view: View, { names, you }: Owners, say: Say): string[] {
  const whose = (seat: number, own: Word, of: Word, spot: string): string =>
    say(seat === you ? own : of, { name: names[seat] ?? '', stones: countAt(view, seat, spot) })
  const starts = scene.seats.flatMap(({ start }, seat) =>
    start === island ? [whose(seat, 'yourStart', 'startOf', 'island')] : [],
  )
  const targets = scene.seats.flatMap(({ target }, seat) =>
    target === island ? [whose(seat, 'yourTarget', 'targetOf', 'home')] : [],
  )
  return [say('island', { corner: say(`corner.${island}` as Word) }), ...starts, ...targets]
}

/** A stone of the player and where it is. */
export function stoneLabel(stone: string, spot: string, say: Say): string {
  const field = readField(spot)
  const where = field ? say('at', { field: fieldWords(field, say) }) : say(spot === 'home' ? 'home' : 'waiting')
  return say('chooseStone', { stone, where })
}
