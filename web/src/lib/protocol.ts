// Made by `python -m threespan.server.typescript` from the structs of the server; do not edit.

export const VERSION = 1

/** Who sits on a seat: somebody at the device that opened the table, somebody with a link, anybody, or a bot. */
export interface SeatPlan {
  kind: 'bot' | 'here' | 'link' | 'open'
  level?: string
  name?: string
}

/** A table to open. Options that are left out keep their defaults. */
export interface NewTable {
  game: string
  seats: SeatPlan[]
  options?: Record<string, number | boolean | string>
  is_public?: boolean
  clock?: number
}

/** A secret and the seats it opens. Whoever has it may play there: it belongs into a link or a QR code. */
export interface SeatKey {
  seats: number[]
  key: string
}

/** A new table with all its secrets; they are told once and stored as hashes only. */
export interface OpenedTable {
  id: string
  commitment: string
  keys: SeatKey[]
}

/** A seat as everybody may see it. */
export interface SeatInfo {
  kind: 'bot' | 'here' | 'link' | 'open'
  name: string
  level: string
  is_here: boolean
  is_connected: boolean
}

/** A table as everybody may see it. */
export interface TableInfo {
  id: string
  game: string
  options: Record<string, number | boolean | string>
  status: 'archived' | 'gathering' | 'over' | 'playing'
  is_public: boolean
  clock: number
  seats: SeatInfo[]
  commitment: string
  shares: string[]
  created_at: number
  rematch_of: string
  rematch: string
  bots_load: boolean
}

/** A page of public tables, newest first; `after` asks for the next one. */
export interface Lobby {
  tables: TableInfo[]
  after: string | null
}

/** An action of a finished match and what was seen after it. */
export interface ReplayStep {
  seat: number
  do: string
  view: unknown
  scores: number[]
  way: string[]
}

/** A part of a finished match; the step before the first action is number 0, with an empty `do`. */
export interface Replay {
  total: number
  first: number
  scene: unknown
  steps: ReplayStep[]
}

/** Why a request was refused, in plain words. */
export interface Problem {
  code: string
  text: string
}

/** The first message. With a key one may act for its seats; `have` notices of `seat` are known already. */
export interface Hello {
  type: 'hello'
  version: number
  key?: string
  language?: 'de' | 'en'
  seat?: number | null
  have?: number
}

/** Sit down on the key's seats, with a name and random bytes for the match's chance. */
export interface Join {
  type: 'join'
  id: string
  name?: string
  share: string
}

/** See the table as another of the own seats, or in another language. */
export interface Look {
  type: 'look'
  seat: number
  language?: 'de' | 'en' | null
  have?: number
}

/** Steps that are not yet played: what would the table look like, and what could follow? */
export interface Draft {
  type: 'draft'
  id: string
  seat: number
  steps: string[]
}

/** Play all these steps or none; `have` notices were known when they were chosen. */
export interface PlayMessage {
  type: 'play'
  id: string
  seat: number
  have: number
  steps: string[]
}

/** Ask which way an action takes, after the steps of a draft. */
export interface Show {
  type: 'show'
  id: string
  seat: number
  steps: string[]
  action: string
}

/** Take back what the seat has played since something new was revealed. */
export interface Undo {
  type: 'undo'
  id: string
  seat: number
}

/** Ask the others to let the seat take back its last turn. */
export interface Offer {
  type: 'offer'
  id: string
  seat: number
}

/** Answer such an offer. */
export interface Answer {
  type: 'answer'
  id: string
  seat: number
  accepts: boolean
}

/** Let a bot play for an own seat or an absent person's; without a level the person is back. */
export interface StandIn {
  type: 'stand_in'
  id: string
  seat: number
  level?: string
}

/** Ask what a strong bot would do on the own seat. */
export interface Hint {
  type: 'hint'
  id: string
  seat: number
}

/** Ask what the seat on show saw after its first `at` notices. */
export interface Past {
  type: 'past'
  id: string
  at: number
}

/** Play again with the same people. */
export interface Rematch {
  type: 'rematch'
  id: string
}

/** Say one of the set phrases. */
export interface Say {
  type: 'say'
  seat: number
  phrase: 'again' | 'good_game' | 'good_luck' | 'hello' | 'hurry' | 'nice_move' | 'oops' | 'thanks' | 'thinking'
}

/** Ask for a sign of life. */
export interface Ping {
  type: 'ping'
}

/** Something that happened, as this viewer may know it: an action, or the taking back of the last `back` ones. */
export interface Notice {
  seat: number
  do: string
  back: number
  way: string[]
}

/** What a clause gives a seat. */
export interface ScoreLine {
  rule: string
  points: number
}

/** How things stand for one viewer. */
export interface Situation {
  view: unknown
  acting: number[]
  scores: number[]
  legal: string[]
  prompt: string
}

/** How long a seat has left for its move. */
export interface Clock {
  seat: number
  ms_left: number
}

/** The end of a match, explained line by line. */
export interface Result {
  ranks: number[]
  sheets: ScoreLine[][]
  verdicts: string[]
  secret: string
  salt: string
}

/** The answer to hello: everything that is to be known. */
export interface Welcome {
  type: 'welcome'
  version: number
  table: TableInfo
  own_seats: number[]
  scene: unknown
  update: Update | null
}

/** Something has changed. `have` counts all notices, `notices` are those that are new to this viewer. */
export interface Update {
  type: 'update'
  seat: number
  have: number
  notices: Notice[]
  now: Situation
  clocks: Clock[]
  may_undo: boolean
  may_offer: boolean
  offer: number | null
  result: Result | null
}

/** Somebody has come, gone, or been replaced. */
export interface Seats {
  type: 'seats'
  table: TableInfo
}

/** The table after the steps of a draft. With `is_complete` nothing can be added before it is played. */
export interface Preview {
  type: 'preview'
  id: string
  now: Situation
  is_complete: boolean
}

/** The way that an action takes. */
export interface Shown {
  type: 'shown'
  id: string
  spots: string[]
}

/** What was seen after so many notices. */
export interface PastView {
  type: 'past'
  id: string
  at: number
  view: unknown
}

/** A message was carried out and stored. */
export interface Done {
  type: 'done'
  id: string
}

/** A message was not carried out: the clause (or the server's own reason), in the viewer's language. */
export interface Refused {
  type: 'refused'
  id: string
  code: string
  text: string
  step: number | null
}

/** What a strong bot would do. */
export interface Hinted {
  type: 'hinted'
  id: string
  steps: string[]
}

/** Somebody says a set phrase, here in the viewer's language. */
export interface Said {
  type: 'said'
  seat: number
  phrase: 'again' | 'good_game' | 'good_luck' | 'hello' | 'hurry' | 'nice_move' | 'oops' | 'thanks' | 'thinking'
  text: string
}

/** The same people go on at another table, with the same keys. */
export interface Rematching {
  type: 'rematching'
  table: string
}

/** A sign of life. */
export interface Pong {
  type: 'pong'
}

/** A message could not be understood or something went wrong; the connection may end after it. */
export interface Failed {
  type: 'failed'
  code: string
  text: string
}

/** The server ends the connection; connect again after a moment unless `code` says that it would not help. */
export interface Bye {
  type: 'bye'
  code: string
  text: string
}

/** A clause of the rules. */
export interface ClauseInfo {
  name: string
  kind: string
  title: string
  text: string
  refused: string
}

/** A chapter of the rules. */
export interface SectionInfo {
  title: string
  text: string
  clauses: ClauseInfo[]
}

/** The rules of a game in one language. */
export interface RulesInfo {
  title: string
  text: string
  sections: SectionInfo[]
}

/** A bot of a game: its level, and who it is to the players. */
export interface BotInfo {
  level: string
  level_name: string
  name: string
  line: string
}

/** A game that can be played here: options with the values they take (of a range its ends), and its bots. */
export interface GameInfo {
  code: string
  choices: Record<string, (number | boolean | string)[]>
  defaults: Record<string, number | boolean | string>
  bots: BotInfo[]
}

/** What a QR code shall say. */
export interface QrText {
  text: string
}

/** Whether a worker is well. */
export interface Health {
  ok: boolean
  worker: string
}

/** A row of the board. */
export interface ElferRow {
  colour: string
  symbol: string
}

/** A field of the board. */
export interface ElferField {
  text: string
  row: number
  column: number
  tile: string
}

/** A kind of tile. */
export interface ElferTile {
  text: string
  kind: string
  colour: string | null
  number: number | null
  value: number
}

/** A bridge down from a row to the next one, at the same number. */
export interface ElferBridge {
  row: number
  column: number
  has_bonus: boolean
}

/** What never changes in a match. */
export interface ElferScene {
  players: number
  rounds: number
  has_symbols: boolean
  rows: ElferRow[]
  fields: ElferField[]
  tiles: ElferTile[]
  bridges: ElferBridge[]
  areas: number[]
  max_laid: number
  max_drawn: number
}

/** The rack of a seat, as far as the viewer knows it: the own one, what was handed on, all after the match. */
export interface ElferRack {
  size: number
  tiles: string[]
  minus: number
}

/** What changes. */
export interface ElferView {
  phase: string
  round: number
  starter: number | null
  turn: number | null
  laid_count: number
  drawn: number
  bonus_tile: string | null
  laid: string[]
  fresh: string[]
  inviting: string[]
  bonuses: number[]
  bag_size: number
  racks: ElferRack[]
}

/** An island. */
export interface HashiIsland {
  place: string
  row: number
  column: number
  flag: string | null
}

/** A dotted line. */
export interface HashiLine {
  place: string
  islands: number[]
  crosses: number[]
}

/** A card. */
export interface HashiCard {
  text: string
  number: number
  bridges: number
}

/** One of the three races. */
export interface HashiRace {
  rule: string
  full: number
  late: number
  solo_limit: number
  islands: number
}

/** What never changes in a match. */
export interface HashiScene {
  players: number
  rows: number
  columns: number
  islands: HashiIsland[]
  lines: HashiLine[]
  cards: HashiCard[]
  rounds: number
  races: HashiRace[]
  points_per_island: number
}

/** A start number before the boards are passed on. */
export interface HashiStart {
  island: number
  number: number
}

/** The board of a seat. */
export interface HashiBoard {
  step: string
  start: HashiStart | null
  numbers: number[]
  bridges: number[]
  finished: number[]
  closed: number[]
  written: number | null
  drawn: number[]
  bridges_left: number
  won_in: number[]
  pays: number[]
  progress: number[]
}

/** What changes. */
export interface HashiView {
  phase: string
  round: number
  card: HashiCard | null
  pile: string[]
  boards: HashiBoard[]
}

/** A square island, known by its corner: 0 top left, 1 top right, 2 bottom right, 3 bottom left. */
export interface StegeIsland {
  row: number
  column: number
}

/** Where the stones of a seat come from and where they go. */
export interface StegeSeat {
  start: number
  target: number
}

/** What never changes in a match. */
export interface StegeScene {
  players: number
  size: number
  island_size: number
  islands: StegeIsland[]
  seats: StegeSeat[]
  stones: string[]
  jetties_each: number
  max_rolls: number
  max_turns: number
}

/** A jetty. */
export interface StegeJetty {
  place: string
  fields: [number, number][]
}

/** What changes. */
export interface StegeView {
  step: string
  turn: number | null
  turns: number
  die: number
  rolls: number
  jetties: StegeJetty[]
  taken: StegeJetty | null
  in_hand: number[]
  stones: string[][]
}

export type ClientMessage =
  | Hello
  | Join
  | Look
  | Draft
  | PlayMessage
  | Show
  | Undo
  | Offer
  | Answer
  | StandIn
  | Hint
  | Past
  | Rematch
  | Say
  | Ping

export type ServerMessage =
  | Welcome
  | Update
  | Seats
  | Preview
  | Shown
  | PastView
  | Done
  | Refused
  | Hinted
  | Said
  | Rematching
  | Pong
  | Failed
  | Bye
