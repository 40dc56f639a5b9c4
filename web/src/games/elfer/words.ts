/** Elfer in plain words: positions, actions, fields and tiles, in both languages. */
import type { Language } from '../types'
import { capital, WORDS } from './dictionary'
import { indexOf, readAction, type Field, type Index, type Rack, type Scene, type Tile, type View } from './model'

/** A word of the notation, such as a colour or a symbol; unknown ones stay as they are. */
function named(text: string, language: Language): string {
  const word = (WORDS[language] as Record<string, unknown>)[text]
  return typeof word === 'string' ? word : text
}

export function tileName(tile: Tile, language: Language): string {
  if (tile.kind === 'symbol') return named(tile.text, language)
  return WORDS[language].number(named(tile.colour ?? 'joker', language), tile.number ?? 0)
}

/** The row and number of a field; of a symbol's field those it lies beside. */
function placeName(field: Field, scene: Scene, language: Language): string {
  const number = Math.min(Math.max(field.column, scene.areas[0]!), scene.areas.at(-1)!)
  return WORDS[language].number(named(scene.rows[field.row]!.colour, language), number)
}

const isSymbolField = (field: Field, scene: Scene): boolean => field.tile === scene.rows[field.row]!.symbol

/** A field in words: "red 13", or "star beside blue 20". */
export function fieldName(field: Field, scene: Scene, language: Language): string {
  const place = placeName(field, scene, language)
  return isSymbolField(field, scene) ? WORDS[language].beside(named(field.tile, language), place) : place
}

export function actionLabel(action: string, scene: Scene, _view: View, language: Language): string {
  const words = WORDS[language]
  const index = indexOf(scene)
  const read = readAction(action)
  switch (read.kind) {
    case 'lay': {
      const field = index.fields.get(read.field)
      return field ? layLabel(field, scene, index, language) : action
    }
    case 'hand':
    case 'drawn': {
      const tile = index.tiles.get(read.tile)
      return tile ? words[read.kind](tileName(tile, language)) : action
    }
    case 'start':
      return words.start(read.seat + 1)
    case 'other':
      return action
    default:
      return words[read.kind]
  }
}

function layLabel(field: Field, scene: Scene, index: Index, language: Language): string {
  const words = WORDS[language]
  const tile = index.tiles.get(field.tile)!
  const name = tileName(tile, language)
  const place = placeName(field, scene, language)
  if (tile.kind === 'joker') return words.layJoker(name, place)
  return tile.kind === 'symbol' ? words.laySymbol(name, place) : words.lay(name)
}

/** Numbers with runs drawn together: "4, 9 to 12" as "4, 9–12". */
function runs(numbers: number[]): string {
  const found: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}

/** Tiles in groups: "red 4, 5; joker 13; star". */
function tileList(texts: string[], index: Index, language: Language): string {
  const groups = new Map<string, string[]>()
  for (const text of texts) {
    const tile = index.tiles.get(text)!
    const group = named(tile.kind === 'symbol' ? tile.text : (tile.colour ?? 'joker'), language)
    const numbers = groups.get(group) ?? []
    groups.set(group, [...numbers, ...(tile.number === null ? [''] : [String(tile.number)])])
  }
  return [...groups].map(([group, numbers]) => `${group} ${numbers.filter(Boolean).join(', ')}`.trim()).join('; ')
}

/** The position in lines. */
export function describe(scene: Scene, view: View, seat: number, language: Language, names: string[]): string[] {
  const index = indexOf(scene)
  return [
    ...describeMoment(scene, view, seat, index, language, names),
    ...scene.rows.map((_, row) => describeRow(scene, view, row, language)),
    ...describeSymbols(scene, view, index, language),
    describeBonuses(scene, view, language),
    WORDS[language].bag(view.bag_size),
    ...view.racks.map((rack, owner) => describeRack(rack, owner, view, seat, index, language, names)),
  ]
}

function describeMoment(
  scene: Scene,
  view: View,
  seat: number,
  index: Index,
  language: Language,
  names: string[],
): string[] {
  const words = WORDS[language]
  const lines = scene.rounds > 1 ? [words.round(view.round, scene.rounds)] : []
  if (view.phase === 'over') return [...lines, words.over]
  if (view.turn !== null) lines.push(view.turn === seat ? words.yourTurn : words.turnOf(names[view.turn] ?? ''))
  if (view.laid_count) lines.push(words.laidNow(view.laid_count, scene.max_laid))
  if (view.drawn) lines.push(words.drawnNow(view.drawn, scene.max_drawn))
  if (view.bonus_tile) lines.push(words.bonusIs(tileName(index.tiles.get(view.bonus_tile)!, language)))
  if (view.phase === 'free') lines.push(words.freeNow)
  if (view.phase === 'hand') lines.push(words.handNow)
  return lines
}

function describeRow(scene: Scene, view: View, row: number, language: Language): string {
  const words = WORDS[language]
  const { colour, symbol } = scene.rows[row]!
  const columns = (texts: string[]): number[] => {
    const among = new Set(texts)
    const fields = scene.fields.filter((field) => field.row === row && field.tile !== symbol && among.has(field.text))
    return fields.map(({ column }) => column)
  }
  const laid = runs(columns(view.laid)) || words.emptyRow
  const next = columns(view.inviting).join(', ') || words.nothing
  return words.row(named(colour, language), laid, next)
}

function describeSymbols(scene: Scene, view: View, index: Index, language: Language): string[] {
  const fields = view.laid.map((text) => index.fields.get(text)!)
  const symbols = fields.filter(({ tile }) => index.tiles.get(tile)!.kind === 'symbol')
  if (!symbols.length) return []
  return [WORDS[language].symbolsLie(symbols.map((field) => fieldName(field, scene, language)).join(', '))]
}

function describeBonuses(scene: Scene, view: View, language: Language): string {
  const words = WORDS[language]
  const colour = (row: number): string => named(scene.rows[row]!.colour, language)
  const places = view.bonuses.map((bridge) => {
    const { row, column } = scene.bridges[bridge]!
    return words.bridge(colour(row), colour(row + 1), column)
  })
  return places.length ? words.bonuses(places.join(', ')) : words.noBonuses
}

function describeRack(
  rack: Rack,
  owner: number,
  view: View,
  seat: number,
  index: Index,
  language: Language,
  names: string[],
): string {
  const words = WORDS[language]
  const count = words.tiles(rack.size)
  const tiles = tileList(rack.tiles, index, language)
  const isOwn = owner === seat
  const parts = [isOwn ? words.yourRack(count, tiles || words.nothing) : words.rackOf(names[owner] ?? '', count)]
  if (!isOwn && tiles) parts.push(view.phase === 'over' ? words.openRack(tiles) : words.knownOf(tiles))
  if (rack.minus) parts.push(words.minus(rack.minus))
  return parts.join(' ')
}

/** What can be said of a field: its name, what lies there, what it offers. */
export function fieldLabel(
  field: Field,
  scene: Scene,
  view: View,
  language: Language,
  marks: { isPlayable: boolean; isNew: boolean; isDraft: boolean; hasBonus: boolean },
): string {
  const words = WORDS[language]
  const ifLaid = marks.isDraft ? words.isDraft : marks.isNew ? words.isNew : words.isLaid
  const ifInviting = view.inviting.includes(field.text) ? words.isInviting : words.isEmpty
  const ifEmpty = marks.isPlayable ? words.isPlayable : ifInviting
  const state = view.laid.includes(field.text) ? ifLaid : ifEmpty
  const parts = [capital(fieldName(field, scene, language)), state, marks.hasBonus ? words.isBonus : '']
  return parts.filter(Boolean).join(', ')
}
