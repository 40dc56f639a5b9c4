/** Labels for screen readers, and summaries of turns. */
import { capitalize, type Say as AnySay } from '../../lib/format'
import type { ReportedAction } from '../types'
import type { FieldState } from './field-states'
import { type Field, indexOf, readAction, type Scene, type Tile } from './model'
import type en from './words/en.json'

export type Word = keyof typeof en
export type Say = AnySay<Word>

/** A colour or a symbol, as the notation calls it. */
const named = (text: string, say: Say): string => say(text as Word)

export function tileName(tile: Tile, say: Say): string {
  if (tile.kind === 'symbol') return named(tile.text, say)
  return say('number', { colour: named(tile.colour ?? 'joker', say), number: tile.number ?? 0 })
}

/** What somebody did in a turn: the tiles are marked on the board. */
export function turnSummary(reported: ReportedAction[], name: string, scene: Scene, say: Say): string {
  const { fields, tiles } = indexOf(scene)
  const actions = reported.map(({ action_text }) => readAction(action_text))
  const laid = actions.flatMap((action) =>
    action.kind === 'lay' ? (tiles.get(fields.get(action.field)?.tile ?? '') ?? []) : [],
  )
  const count = actions.filter(({ kind }) => kind === 'draw').length
  const further = reported
    .filter(({ action_text: text }) => text === 'pass' || readAction(text).kind === 'hand')
    .map(({ sentence }) => sentence)
  const drew = count ? say('drew', { name, count }) : ''
  const lays = laid.length
    ? say('laidAll', {
        name,
        tiles: listed(
          laid.map((tile) => tileName(tile, say)),
          say,
        ),
      })
    : ''
  return [drew, lays, ...further].filter(Boolean).join(' ')
}

/** "a", "a and b", "a, b and c". */
function listed(words: string[], say: Say): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? say('and', { first: words.slice(0, -1).join(', '), last }) : last
}

/** A field: "red 13", or "star beside blue 20". */
export function fieldName(field: Field, scene: Scene, say: Say): string {
  const { colour, symbol } = scene.rows[field.row]!
  const number = Math.min(Math.max(field.column, scene.areas[0]!), scene.areas.at(-1)!) // of a symbol's field the one beside it
  const place = say('number', { colour: named(colour, say), number })
  return field.tile === symbol ? say('beside', { symbol: named(symbol, say), place }) : place
}

/** What screen readers say about a field: its name, what lies there, what can be done. */
export function fieldLabel(state: FieldState, scene: Scene, say: Say): string {
  const ifLaid = state.isDraft ? 'isDraft' : state.isNew ? 'isNew' : 'isLaid'
  const ifEmpty = state.isOffered ? 'isPlayable' : state.isInviting ? 'isInviting' : 'isEmpty'
  const parts = [capitalize(fieldName(state.field, scene, say)), say(state.isLaid ? ifLaid : ifEmpty)]
  return (state.hasBonus ? [...parts, say('isBonus')] : parts).join(', ')
}
