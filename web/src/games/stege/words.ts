/** Stege in plain words: the position, the fields and the actions. */
import type { Language } from '../types'
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

const EN = {
  corners: ['top left', 'top right', 'bottom right', 'bottom left'],
  marks: ['red circle', 'blue square', 'golden triangle', 'purple diamond'],
  field: (row: number, column: number) => `row ${row}, column ${column}`,
  across: (row: number, from: number, to: number) => `row ${row}, columns ${from} to ${to}`,
  down: (column: number, from: number, to: number) => `column ${column}, rows ${from} to ${to}`,
  lay: (place: string) => `Lay a jetty in ${place}`,
  take: (place: string) => `Take the jetty in ${place}`,
  move: (stone: string, from: string, to: string) => `Move stone ${stone} ${from} ${to}`,
  from: (field: string) => `from ${field}`,
  fromIsland: 'from its island',
  to: (field: string) => `to ${field}`,
  toHome: 'home',
  keep: 'Leave all jetties',
  again: 'Roll again',
  pass: 'Pass',
  start: (seat: number) => `Player ${seat + 1} starts`,
  roll: (die: number) => `The die shows ${die}`,
  sea: (size: number) => `The sea has ${size} rows of ${size} fields, with an island in each corner.`,
  you: (name: string) => `${name} (you)`,
  seat: (name: string, mark: string, start: string, target: string) =>
    `${name}, ${mark}: from the ${start} island to the ${target} one.`,
  waiting: 'on its island',
  home: 'home',
  at: (field: string) => `at ${field}`,
  stone: (stone: string, where: string) => `${stone} ${where}`,
  stones: (list: string) => `Stones: ${list}.`,
  inHand: (count: number) => `Jetties in hand: ${count}.`,
  jetties: (list: string) => `Jetties lie in: ${list}.`,
  noJetties: 'No jetty lies in the water yet.',
  taken: (place: string) => `The jetty from ${place} is taken up and must be laid somewhere else.`,
  die: (name: string, roll: number, rolls: number, die: number) =>
    `${name} rolled a ${die} (roll ${roll} of at most ${rolls}).`,
  turn: (name: string) => `It is the turn of ${name}.`,
  over: 'The match is over.',
  water: 'water',
  jetty: 'jetty',
  island: (corner: string) => `${corner} island`,
  stoneOf: (stone: string, name: string) => `stone ${stone} of ${name}`,
  startOf: (name: string, count: number) => `start of ${name}, waiting: ${count}`,
  targetOf: (name: string, count: number) => `target of ${name}, home: ${count}`,
  board: 'The sea. Arrow keys move between fields, Enter acts, R turns the jetty, N goes to the next choice.',
  canTake: 'can be taken',
  canMove: 'can move',
  canEnd: 'the chosen stone can end here',
  isChosen: 'chosen',
  isHeld: 'your jetty is here',
  fits: (place: string) => `Jetty in ${place}: fits.`,
  misfit: (place: string) => `Jetty in ${place}: does not fit.`,
  turnJetty: 'Turn',
  turnJettyLong: 'Turn the jetty (R)',
  dragJetty: 'Your jetty: drag it onto the water, or tap a field',
  dieShows: (die: number) => (die ? `Die: ${die}` : 'Die'),
  rollOf: (roll: number, rolls: number) => `Roll ${roll} of ${rolls}`,
  chooseStone: (stone: string, where: string) => `Stone ${stone}, ${where}`,
  yourStones: 'Your stones',
}

type Texts = typeof EN

const DE: Texts = {
  corners: ['oben links', 'oben rechts', 'unten rechts', 'unten links'],
  marks: ['roter Kreis', 'blaues Quadrat', 'goldenes Dreieck', 'violette Raute'],
  field: (row, column) => `Reihe ${row}, Spalte ${column}`,
  across: (row, from, to) => `Reihe ${row}, Spalten ${from} bis ${to}`,
  down: (column, from, to) => `Spalte ${column}, Reihen ${from} bis ${to}`,
  lay: (place) => `Steg legen: ${place}`,
  take: (place) => `Steg nehmen: ${place}`,
  move: (stone, from, to) => `Stein ${stone} ziehen: ${from} ${to}`,
  from: (field) => `von ${field}`,
  fromIsland: 'von seiner Insel',
  to: (field) => `nach ${field}`,
  toHome: 'ins Ziel',
  keep: 'Alle Stege liegen lassen',
  again: 'Noch einmal würfeln',
  pass: 'Passen',
  start: (seat) => `Platz ${seat + 1} beginnt`,
  roll: (die) => `Der Würfel zeigt ${die}`,
  sea: (size) => `Das Meer hat ${size} Reihen mit je ${size} Feldern und eine Insel in jeder Ecke.`,
  you: (name) => `${name} (du)`,
  seat: (name, mark, start, target) => `${name}, ${mark}: von der Insel ${start} zur Insel ${target}.`,
  waiting: 'auf seiner Insel',
  home: 'im Ziel',
  at: (field) => `auf ${field}`,
  stone: (stone, where) => `${stone} ${where}`,
  stones: (list) => `Steine: ${list}.`,
  inHand: (count) => `Stege in der Hand: ${count}.`,
  jetties: (list) => `Stege liegen in: ${list}.`,
  noJetties: 'Noch liegt kein Steg im Wasser.',
  taken: (place) => `Der Steg aus ${place} ist aufgenommen und muss woandershin.`,
  die: (name, roll, rolls, die) => `${name} hat eine ${die} gewürfelt (Wurf ${roll} von höchstens ${rolls}).`,
  turn: (name) => `${name} ist dran.`,
  over: 'Die Partie ist vorbei.',
  water: 'Wasser',
  jetty: 'Steg',
  island: (corner) => `Insel ${corner}`,
  stoneOf: (stone, name) => `Stein ${stone} von ${name}`,
  startOf: (name, count) => `Start von ${name}, wartend: ${count}`,
  targetOf: (name, count) => `Ziel von ${name}, angekommen: ${count}`,
  board: 'Das Meer. Pfeiltasten gehen von Feld zu Feld, Enter handelt, R dreht den Steg, N springt zur nächsten Wahl.',
  canTake: 'kann genommen werden',
  canMove: 'kann ziehen',
  canEnd: 'hier kann der gewählte Stein ankommen',
  isChosen: 'gewählt',
  isHeld: 'hier ist dein Steg',
  fits: (place) => `Steg in ${place}: passt.`,
  misfit: (place) => `Steg in ${place}: passt nicht.`,
  turnJetty: 'Drehen',
  turnJettyLong: 'Den Steg drehen (R)',
  dragJetty: 'Dein Steg: Zieh ihn aufs Wasser oder tippe auf ein Feld',
  dieShows: (die) => (die ? `Würfel: ${die}` : 'Würfel'),
  rollOf: (roll, rolls) => `Wurf ${roll} von ${rolls}`,
  chooseStone: (stone, where) => `Stein ${stone}, ${where}`,
  yourStones: 'Deine Steine',
}

export const TEXTS: Record<Language, Texts> = { en: EN, de: DE }

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const fieldWords = (field: Field, words: Texts): string => words.field(field.row, field.column)

/** Where a jetty lies. */
export function placeWords(text: string, language: Language): string {
  const words = TEXTS[language]
  const { row, column, isDown } = readPlace(text)
  const last = placeFields({ row, column, isDown }).at(-1) ?? { row, column }
  return isDown ? words.down(column, row, last.row) : words.across(row, column, last.column)
}

function spotWords(spot: string, words: Texts): string {
  const field = readField(spot)
  if (field) return words.at(fieldWords(field, words))
  return spot === 'home' ? words.home : words.waiting
}

export function actionLabel(action: string, _scene: Scene, _view: View, language: Language): string {
  const words = TEXTS[language]
  const read = readAction(action)
  switch (read.kind) {
    case 'lay':
      return words.lay(placeWords(read.place, language))
    case 'take':
      return words.take(placeWords(read.place, language))
    case 'move': {
      const begin = readField(read.from)
      const end = readField(read.to)
      const from = begin ? words.from(fieldWords(begin, words)) : words.fromIsland
      return words.move(read.stone, from, end ? words.to(fieldWords(end, words)) : words.toHome)
    }
    case 'start':
      return words.start(read.number)
    case 'roll':
      return words.roll(read.number)
    case 'keep':
      return words.keep
    case 'again':
      return words.again
    case 'pass':
      return words.pass
    default:
      return action
  }
}

export function describe(scene: Scene, view: View, seat: number, language: Language, names: string[]): string[] {
  const words = TEXTS[language]
  const name = (other: number): string => {
    const found = names[other] ?? String(other + 1)
    return other === seat ? words.you(found) : found
  }
  const seats = scene.seats.map((_, other) => seatLine(scene, view, other, name(other), words))
  const lines = [words.sea(scene.size), ...seats]
  const places = view.jetties.map(({ place }) => placeWords(place, language))
  lines.push(places.length ? words.jetties(places.join('; ')) : words.noJetties)
  if (view.taken) lines.push(words.taken(placeWords(view.taken.place, language)))
  if (view.step === 'over') lines.push(words.over)
  else if (view.turn !== null) {
    const who = name(view.turn)
    lines.push(view.die ? words.die(who, view.rolls, scene.max_rolls, view.die) : words.turn(who))
  }
  return lines
}

function seatLine(scene: Scene, view: View, seat: number, name: string, words: Texts): string {
  const { start = 0, target = 0 } = scene.seats[seat] ?? {}
  const where = (island: number): string => words.corners[island] ?? ''
  const spots = view.stones[seat] ?? []
  const stones = scene.stones.map((stone, index) => words.stone(stone, spotWords(spots[index] ?? 'island', words)))
  const whence = words.seat(name, words.marks[seat] ?? '', where(start), where(target))
  const parts = [whence, words.stones(stones.join('; '))]
  const inHand = view.in_hand[seat] ?? 0
  if (inHand) parts.push(words.inHand(inHand))
  return parts.join(' ')
}

/** What is to be seen on a field, and what can be done there. */
export function fieldLabel(
  field: Field,
  scene: Scene,
  view: View,
  language: Language,
  names: string[],
  signs: string[],
): string {
  const words = TEXTS[language]
  return capital([fieldWords(field, words), ...groundWords(field, scene, view, names, words), ...signs].join(', '))
}

function groundWords(field: Field, scene: Scene, view: View, names: string[], words: Texts): string[] {
  const island = islandAt(scene, field)
  if (island !== null) {
    const name = (seat: number): string => names[seat] ?? ''
    const starts = scene.seats.flatMap(({ start }, seat) =>
      start === island ? [words.startOf(name(seat), countAt(view, seat, 'island'))] : [],
    )
    const targets = scene.seats.flatMap(({ target }, seat) =>
      target === island ? [words.targetOf(name(seat), countAt(view, seat, 'home'))] : [],
    )
    return [words.island(words.corners[island] ?? ''), ...starts, ...targets]
  }
  const stone = stoneAt(view, field)
  const ground = jettyAt(view, field) ? words.jetty : words.water
  return stone ? [ground, words.stoneOf(scene.stones[stone.index] ?? '', names[stone.seat] ?? '')] : [ground]
}

/** A stone of the player and where it is. */
export function stoneLabel(stone: string, spot: string, language: Language): string {
  return TEXTS[language].chooseStone(stone, spotWords(spot, TEXTS[language]))
}

