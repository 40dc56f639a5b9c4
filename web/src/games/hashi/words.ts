/** Hashi in plain words: for screen readers, the text mode, the move list and the labels of the board. */
import type { Language } from '../types'
import {
  type Board,
  bridgesAt,
  infoStrip,
  type Island,
  type Line,
  otherEnd,
  parseAction,
  type Scene,
  type View,
} from './model'

interface Dictionary {
  at: (row: number, column: number) => string
  flag: Record<string, string>
  island: (at: string) => string
  noNumber: string
  number: (number: number, bridges: number) => string
  leads: (bridges: number) => string
  finished: string
  line: (way: string) => string
  /** From one end of a line to the other: along a row, or along a column. */
  inRow: (row: number, from: number, to: number) => string
  inColumn: (column: number, from: number, to: number) => string
  linePart: (bridges: number) => string
  closed: string
  thisRound: string
  notFinal: string
  draft: string
  canWrite: (number: number) => string
  canBuild: string
  startFrom: string
  write: (number: number, at: string) => string
  bridge: (way: string) => string
  skip: string
  cardTurned: (number: number, bridges: number) => string
  card: (number: number, bridges: number) => string
  round: (round: number, of: number) => string
  notBegun: string
  over: string
  stillOut: (cards: string) => string
  allOut: string
  ownBoard: string
  boardOf: (name: string) => string
  passesOn: (name: string) => string
  race: Record<string, string>
  racePays: (progress: number, islands: number, pays: number) => string
  raceWon: (points: number, round: number) => string
  raceLimit: (round: number) => string
  fullGone: (points: number) => string
  finishedIslands: (count: number, points: number) => string
  hasFinished: string
  isThinking: string
  bridgesTo: (list: string) => string
  enlarge: string
  close: string
  before: string
  next: string
  others: string
  strip: string
  crossedOff: string
  startNumber: string
  startHelp: (name: string | null) => string
}

const english: Dictionary = {
  at: (row, column) => `row ${row}, column ${column}`,
  flag: { red: 'red flag', blue: 'blue flag' },
  island: (at) => `Island in ${at}`,
  noNumber: 'no number',
  number: (number, bridges) => `number ${number}, ${bridges} of ${number} bridges`,
  leads: (bridges) => (bridges === 1 ? '1 bridge' : `${bridges} bridges`),
  finished: 'finished',
  line: (way) => `Line in ${way}`,
  inRow: (row, from, to) => `row ${row} from column ${from} to ${to}`,
  inColumn: (column, from, to) => `column ${column} from row ${from} to ${to}`,
  linePart: (bridges) => ['no bridge', 'one bridge', 'two bridges'][bridges]!,
  closed: 'closed',
  thisRound: 'of this round',
  notFinal: 'not yet final',
  draft: 'not yet final',
  canWrite: (number) => `you can write ${number} here`,
  canBuild: 'you can build here',
  startFrom: 'chosen as the start of a bridge',
  write: (number, at) => `Write ${number} on the island in ${at}`,
  bridge: (way) => `Build a bridge in ${way}`,
  skip: 'Skip',
  cardTurned: (number, bridges) => `Card: ${number} with ${english.leads(bridges)}`,
  card: (number, bridges) => `${number} with ${english.leads(bridges)}`,
  round: (round, of) => `Round ${round} of ${of}`,
  notBegun: 'Before the first round: everybody writes a start number',
  over: 'The match is over',
  stillOut: (cards) => `Cards that have not come yet: ${cards}`,
  allOut: 'All cards have come',
  ownBoard: 'Your board',
  boardOf: (name) => `Board of ${name}`,
  passesOn: (name) => `this board goes to ${name}`,
  race: { RED_FLAGS: 'Red flags', BLUE_FLAGS: 'Blue flags', SIX_CONNECTED: 'Six connected' },
  racePays: (progress, islands, pays) => `${Math.min(progress, islands)} of ${islands}, pays ${pays}`,
  raceWon: (points, round) => `${points} points, complete in round ${round}`,
  raceLimit: (round) => `until round ${round}`,
  fullGone: (points) => `${points} are gone`,
  finishedIslands: (count, points) =>
    `${count === 1 ? '1 finished island' : `${count} finished islands`}: ${points} points`,
  hasFinished: 'has finished the round',
  isThinking: 'is thinking',
  bridgesTo: (list) => `bridges to ${list}`,
  enlarge: 'Enlarge',
  close: 'Close',
  before: 'Previous board',
  next: 'Next board',
  others: 'The other boards',
  strip: 'Cards',
  crossedOff: 'has come',
  startNumber: 'Start number',
  startHelp: (name) =>
    name === null
      ? 'Choose 3 or 4, then tap an island without a flag.'
      : `Choose 3 or 4, then tap an island without a flag. ${name} will play this board.`,
}

const german: Dictionary = {
  at: (row, column) => `Reihe ${row}, Spalte ${column}`,
  flag: { red: 'rote Fahne', blue: 'blaue Fahne' },
  island: (at) => `Insel in ${at}`,
  noNumber: 'ohne Zahl',
  number: (number, bridges) => `Zahl ${number}, ${bridges} von ${number} Brücken`,
  leads: (bridges) => (bridges === 1 ? '1 Brücke' : `${bridges} Brücken`),
  finished: 'fertig',
  line: (way) => `Linie in ${way}`,
  inRow: (row, from, to) => `Reihe ${row} von Spalte ${from} bis ${to}`,
  inColumn: (column, from, to) => `Spalte ${column} von Reihe ${from} bis ${to}`,
  linePart: (bridges) => ['keine Brücke', 'eine Brücke', 'zwei Brücken'][bridges]!,
  closed: 'geschlossen',
  thisRound: 'aus dieser Runde',
  notFinal: 'noch nicht endgültig',
  draft: 'Entwurf',
  canWrite: (number) => `hier kannst du die ${number} schreiben`,
  canBuild: 'hier kannst du bauen',
  startFrom: 'als Anfang einer Brücke gewählt',
  write: (number, at) => `${number} auf die Insel in ${at} schreiben`,
  bridge: (way) => `Brücke bauen in ${way}`,
  skip: 'Auslassen',
  cardTurned: (number, bridges) => `Karte: ${number} mit ${german.leads(bridges)}`,
  card: (number, bridges) => `${number} mit ${german.leads(bridges)}`,
  round: (round, of) => `Runde ${round} von ${of}`,
  notBegun: 'Vor der ersten Runde: Alle schreiben eine Startzahl',
  over: 'Die Partie ist zu Ende',
  stillOut: (cards) => `Karten, die noch nicht gekommen sind: ${cards}`,
  allOut: 'Alle Karten sind gekommen',
  ownBoard: 'Deine Tafel',
  boardOf: (name) => `Tafel von ${name}`,
  passesOn: (name) => `diese Tafel geht an ${name}`,
  race: { RED_FLAGS: 'Rote Fahnen', BLUE_FLAGS: 'Blaue Fahnen', SIX_CONNECTED: 'Sechs verbunden' },
  racePays: (progress, islands, pays) => `${Math.min(progress, islands)} von ${islands}, zahlt ${pays}`,
  raceWon: (points, round) => `${points} Punkte, vollständig in Runde ${round}`,
  raceLimit: (round) => `bis Runde ${round}`,
  fullGone: (points) => `die ${points} sind weg`,
  finishedIslands: (count, points) =>
    `${count === 1 ? '1 fertige Insel' : `${count} fertige Inseln`}: ${points} Punkte`,
  hasFinished: 'ist mit der Runde fertig',
  isThinking: 'überlegt',
  bridgesTo: (list) => `Brücken nach ${list}`,
  enlarge: 'Vergrößern',
  close: 'Schließen',
  before: 'Vorige Tafel',
  next: 'Nächste Tafel',
  others: 'Die anderen Tafeln',
  strip: 'Karten',
  crossedOff: 'schon gekommen',
  startNumber: 'Startzahl',
  startHelp: (name) =>
    name === null
      ? 'Wähle 3 oder 4, dann tippe auf eine Insel ohne Fahne.'
      : `Wähle 3 oder 4, dann tippe auf eine Insel ohne Fahne. ${name} wird diese Tafel spielen.`,
}

const dictionaries: Record<Language, Dictionary> = { en: english, de: german }

export const words = (language: Language): Dictionary => dictionaries[language]

/** Rows and columns are counted from 1, as at the edge of the drawn board. */
function placeOf(island: Island, language: Language): string {
  return words(language).at(island.row + 1, island.column + 1)
}

function wayOf(scene: Scene, line: Line, language: Language): string {
  const w = words(language)
  const [a, b] = line.islands.map((end) => scene.islands[end]!) as [Island, Island]
  if (a.row === b.row) return w.inRow(a.row + 1, a.column + 1, b.column + 1)
  return w.inColumn(a.column + 1, a.row + 1, b.row + 1)
}

/** An island and what is on it. */
export function islandLabel(scene: Scene, board: Board, index: number, language: Language): string {
  const w = words(language)
  const island = scene.islands[index]!
  const number = board.numbers[index]!
  const bridges = bridgesAt(scene, board, index)
  const parts = [w.island(placeOf(island, language))]
  if (island.flag) parts.push(w.flag[island.flag]!)
  if (number) parts.push(w.number(number, bridges))
  else parts.push(w.noNumber, ...(bridges ? [w.leads(bridges)] : []))
  if (board.finished.includes(index)) parts.push(w.finished)
  return parts.join(', ')
}

/** A line and what is on it. */
export function lineLabel(scene: Scene, board: Board, index: number, language: Language): string {
  const w = words(language)
  const parts = [w.line(wayOf(scene, scene.lines[index]!, language)), w.linePart(board.bridges[index]!)]
  if (board.closed.includes(index)) parts.push(w.closed)
  return parts.join(', ')
}

/** How a race stands on a board. */
export function raceLabel(scene: Scene, board: Board, index: number, language: Language): string {
  const w = words(language)
  const race = scene.races[index]!
  const wonIn = board.won_in[index]!
  const pays = board.pays[index]!
  if (wonIn) return `${w.race[race.rule]!}: ${w.raceWon(pays, wonIn)}`
  const parts = [w.racePays(board.progress[index]!, race.islands, pays)]
  if (pays < race.full) parts.push(w.fullGone(race.full))
  else if (scene.players === 1) parts.push(w.raceLimit(race.solo_limit))
  return `${w.race[race.rule]!}: ${parts.join(', ')}`
}

export function finishedLabel(scene: Scene, board: Board, language: Language): string {
  return words(language).finishedIslands(board.finished.length, board.finished.length * scene.points_per_island)
}

/** An action in plain words. */
export function actionLabel(action: string, scene: Scene, _view: View, language: Language): string {
  const w = words(language)
  const parsed = parseAction(action)
  switch (parsed?.kind) {
    case 'write': {
      const island = scene.islands.find((one) => one.place === parsed.place)
      if (!island) return action
      const flag = island.flag ? ` (${w.flag[island.flag]})` : ''
      return w.write(parsed.number, placeOf(island, language)) + flag
    }
    case 'bridge': {
      const line = scene.lines.find((one) => one.place === parsed.place)
      return line ? w.bridge(wayOf(scene, line, language)) : action
    }
    case 'card': {
      const card = scene.cards.find((one) => one.text === parsed.card)
      return card ? w.cardTurned(card.number, card.bridges) : action
    }
    case 'skip':
      return w.skip
    default:
      return action
  }
}

/** The position, line by line: the round, the own board island by island, the races, then the others. */
export function describe(scene: Scene, view: View, seat: number, language: Language, names: string[]): string[] {
  const order = view.boards.map((_, index) => index)
  if (seat >= 0) order.sort((a, b) => Number(b === seat) - Number(a === seat))
  const boards = order.flatMap((one) => describeBoard(scene, view, one, seat, language, names))
  return [...describeRound(scene, view, language), ...boards]
}

function describeRound(scene: Scene, view: View, language: Language): string[] {
  const w = words(language)
  if (view.phase === 'start') return [`${w.notBegun}.`]
  const lines = view.phase === 'over' ? [`${w.over}.`] : [`${w.round(view.round, scene.rounds)}.`]
  if (view.card && view.phase === 'round') lines.push(`${w.cardTurned(view.card.number, view.card.bridges)}.`)
  const out = infoStrip(scene, view).filter((card) => card.isOut)
  const cards = out.map((card) => w.card(card.number, card.bridges)).join(', ')
  lines.push(out.length ? `${w.stillOut(cards)}.` : `${w.allOut}.`)
  return lines
}

/** A board, line by line; of others' boards only the islands on which there is something. */
export function describeBoard(
  scene: Scene,
  view: View,
  seat: number,
  viewer: number,
  language: Language,
  names: string[],
): string[] {
  const w = words(language)
  const board = view.boards[seat]!
  const isOwn = seat === viewer
  const title = isOwn ? w.ownBoard : w.boardOf(names[seat] ?? String(seat + 1))
  const status = view.phase === 'round' && !isOwn ? ` (${board.step === 'done' ? w.hasFinished : w.isThinking})` : ''
  const lines = [`${title}${status}:`]
  if (board.start) {
    const island = scene.islands[board.start.island]!
    const receiver = w.passesOn(leftOf(scene, seat, names))
    lines.push(`${w.startNumber} ${board.start.number}, ${placeOf(island, language)}, ${receiver}.`)
  }
  scene.islands.forEach((_, index) => {
    if (isOwn || board.numbers[index] || bridgesAt(scene, board, index)) {
      lines.push(`${islandLabel(scene, board, index, language)}${neighbours(scene, board, index, language)}.`)
    }
  })
  scene.races.forEach((_, index) => lines.push(`${raceLabel(scene, board, index, language)}.`))
  lines.push(`${finishedLabel(scene, board, language)}.`)
  return lines
}

function neighbours(scene: Scene, board: Board, island: number, language: Language): string {
  const joined = scene.lines.flatMap((line, index) => {
    const count = board.bridges[index]!
    if (!count || !line.islands.includes(island)) return []
    const other = scene.islands[otherEnd(line, island)]!
    return [placeOf(other, language) + (count === 2 ? ' (2)' : '')]
  })
  return joined.length ? `; ${words(language).bridgesTo(joined.join('; '))}` : ''
}

/** Who sits to the left of a seat and plays the board that it begins. */
export function leftOf(scene: Scene, seat: number, names: string[]): string {
  const left = (seat + 1) % scene.players
  return names[left] ?? String(left + 1)
}
