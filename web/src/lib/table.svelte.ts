/** A table as this tab sees it: what the server has told, what is drafted, and what may be done about it. */
import type { Language } from '../games/types'
import { api, Trouble } from './api'
import { keyOf, forget, remember } from './keys'
import { CHANCE, FINISHERS, PLACELESS, SECRETIVE, WATCHER } from './meta'
import { Pace } from './pace'
import type { Notice, Refused, Result, Said, ServerMessage, Situation, TableInfo, Update } from './protocol'
import { randomHex } from './random'
import { settings } from './settings.svelte'
import { Connection, type Line, type Request } from './socket'
import { play as playSound } from './sound'

export interface Refusal {
  code: string
  text: string
}

export interface Speech {
  seat: number
  text: string
  key: number
}

const SPEECH_SECONDS = 5
const draftKey = (id: string, seat: number): string => `threespan.draft.${id}.${seat}`

export class Table {
  line = $state<Line>('connecting')
  info = $state.raw<TableInfo | null>(null)
  scene = $state.raw<unknown>(null)
  ownSeats = $state.raw<number[]>([])
  /** The last update on show. */
  update = $state.raw<Update | null>(null)
  /** What has happened, by whose eyes. */
  notices = $state.raw<Notice[]>([])
  fresh = $state.raw<Notice[]>([])
  /** Steps chosen but not yet played, and the table as it would be after them. */
  steps = $state.raw<string[]>([])
  preview = $state.raw<{ now: Situation; isComplete: boolean } | null>(null)
  refusal = $state.raw<Refusal | null>(null)
  speeches = $state.raw<Speech[]>([])
  hint = $state.raw<string[] | null>(null)
  /** Something was sent and is not yet answered. */
  isBusy = $state(false)
  /** A draft was sent whose preview has not come yet. */
  isDrafting = $state(false)
  isThinking = $state(false)
  /** A look back: what was seen after so many notices. */
  past = $state.raw<{ at: number; view: unknown } | null>(null)
  /** The own seat for which the device has to be passed on before its secrets are shown. */
  covered = $state<number | null>(null)
  /** Why there is nothing to see, if so. */
  failure = $state.raw<Refusal | null>(null)
  /** The table where the same people go on. */
  rematch = $state('')
  /** When the clocks of the last update were told. */
  clocksAt = $state(0)

  #seat = WATCHER
  #known = new Map<number, Notice[]>()
  #connection: Connection
  #pace: Pace<Update>
  #draftNumber = 0
  /** Who has said to have the device now. */
  #holder = WATCHER

  constructor(readonly id: string) {
    this.#pace = new Pace((update) => this.#show(update))
    this.#connection = this.#connect()
    this.#connection.start()
  }

  #connect(): Connection {
    const hello = (): { key: string; language: Language; seat: number; have: number } => ({
      key: keyOf(this.id),
      language: settings.language,
      seat: this.#seat,
      have: this.#known.get(this.#seat)?.length ?? 0,
    })
    return new Connection(
      this.id,
      hello,
      (message) => this.#hear(message),
      (line) => this.#setLine(line),
    )
  }

  close(): void {
    this.#pace.clear()
    this.#connection.close()
  }

  // What is on show

  get seat(): number {
    return this.update?.seat ?? this.#seat
  }

  get now(): Situation | null {
    return this.preview?.now ?? this.update?.now ?? null
  }

  get result(): Result | null {
    return this.update?.result ?? null
  }

  get names(): string[] {
    return this.info?.seats.map((seat) => seat.name) ?? []
  }

  /** Whether the seat on show is asked to do something. */
  get isToAct(): boolean {
    return !this.past && this.seat !== WATCHER && (this.update?.now.acting.includes(this.seat) ?? false)
  }

  get legal(): string[] {
    return this.isToAct && !this.isBusy ? (this.now?.legal ?? []) : []
  }

  /** Legal actions that have no place on the board. */
  get buttons(): string[] {
    return this.legal.filter((action) => PLACELESS.has(action))
  }

  /** The only thing that can be done, if it needs no place: it is played at once. */
  get onlyChoice(): string | null {
    const only = this.legal.length === 1 && !this.steps.length ? this.legal[0] : undefined
    return only !== undefined && PLACELESS.has(only) ? only : null
  }

  /** What Done would add to the draft. */
  get finisher(): string | null {
    if (!this.steps.length || !this.preview || this.preview.isComplete) return null
    return this.legal.find((action) => FINISHERS.has(action)) ?? null
  }

  get mayFinish(): boolean {
    return this.steps.length > 0 && !this.isBusy && ((this.preview?.isComplete ?? false) || this.finisher !== null)
  }

  get mayUndo(): boolean {
    return !this.isBusy && (this.steps.length > 0 || (this.update?.may_undo ?? false))
  }

  // What can be done

  /** Add an action to the draft, or put it in the place of all that comes after the steps `after`. */
  act(action: string, after: string[] = this.steps): void {
    const isNext = after.length === this.steps.length
    if (isNext && !this.legal.includes(action)) {
      this.inquire(action)
      return
    }
    this.hint = null
    playSound('place')
    if (this.onlyChoice === action) void this.#commit([action])
    else void this.#draft([...after, action])
  }

  /** Why is this not allowed? */
  inquire(action: string, after: string[] = this.steps): void {
    if (!this.isToAct) return
    void this.#ask({ type: 'draft', seat: this.seat, steps: [...after, action] })
  }

  async showWay(action: string, after: string[] = this.steps): Promise<string[]> {
    const answer = await this.#connection.ask({ type: 'show', seat: this.seat, steps: after, action })
    return answer.type === 'shown' ? answer.spots : []
  }

  done(): void {
    if (!this.mayFinish) return
    const finisher = this.finisher
    void this.#commit(finisher ? [...this.steps, finisher] : this.steps)
  }

  undo(): void {
    this.hint = null
    if (this.steps.length) void this.#draft(this.steps.slice(0, -1), false)
    else if (this.update?.may_undo) void this.#ask({ type: 'undo', seat: this.seat })
  }

  offerUndo(): void {
    void this.#ask({ type: 'offer', seat: this.seat })
  }

  answerOffer(accepts: boolean): void {
    void this.#ask({ type: 'answer', seat: this.seat, accepts })
  }

  async askHint(): Promise<void> {
    this.isThinking = true
    const answer = await this.#ask({ type: 'hint', seat: this.seat })
    this.isThinking = false
    if (answer.type === 'hinted') this.hint = answer.steps
  }

  /** Take a hint into the draft, as far as it reaches. */
  takeHint(): void {
    const steps = this.hint
    this.hint = null
    if (steps?.length) void this.#draft(steps)
  }

  say(phrase: Said['phrase']): void {
    const seat = this.seat === WATCHER ? this.ownSeats[0] : this.seat
    if (seat !== undefined) this.#connection.tell({ type: 'say', seat, phrase })
  }

  standIn(seat: number, level: string): void {
    void this.#ask({ type: 'stand_in', seat, level })
  }

  join(name: string): Promise<ServerMessage> {
    return this.#ask({ type: 'join', name, share: randomHex(32) })
  }

  /** Ask for a rematch; where it is to be played is told before the answer comes. */
  async playAgain(): Promise<void> {
    await this.#ask({ type: 'rematch' })
  }

  /** Look at the table after so many notices; null goes back to the present. */
  async lookBack(at: number | null): Promise<void> {
    if (at === null || at >= this.notices.length) {
      this.past = null
      return
    }
    const answer = await this.#ask({ type: 'past', at: Math.max(0, at) })
    if (answer.type === 'past') this.past = { at: answer.at, view: answer.view }
  }

  /** See with the eyes of another seat, or in the language that is set now. */
  look(seat: number): void {
    this.#seat = seat
    this.#connection.tell({ type: 'look', seat, language: settings.language, have: this.#known.get(seat)?.length ?? 0 })
  }

  /** The device has been passed on. */
  uncover(): void {
    if (this.covered === null) return
    const seat = this.covered
    this.covered = null
    this.#holder = seat
    this.look(seat)
  }

  dismissRefusal(): void {
    this.refusal = null
  }

  // Hearing

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        this.#welcome(message)
        break
      case 'update':
        this.#pace.add(message, this.#dwell(message))
        break
      case 'seats':
        this.info = message.table
        break
      case 'said':
        this.#hearSpeech(message)
        break
      case 'rematching':
        this.rematch = message.table
        break
      case 'failed':
        this.refusal = message
        break
      case 'bye':
        this.#part(message)
        break
    }
  }

  #welcome(message: Extract<ServerMessage, { type: 'welcome' }>): void {
    this.info = message.table
    this.scene = message.scene
    this.ownSeats = message.own_seats
    this.rematch = message.table.rematch
    this.failure = null
    if (message.own_seats.length) remember({ id: this.id, game: message.table.game })
    if (!message.update) return
    this.#pace.clear()
    this.#show(message.update)
    this.#restoreDraft()
  }

  /** The server ends the connection. With a key that opens nothing one may still watch. */
  #part(message: { code: string; text: string }): void {
    if (message.code === 'wrong_key') {
      forget(this.id)
      this.refusal = message
      this.#connection.close()
      this.#connection = this.#connect()
      this.#connection.start()
    } else if (message.code === 'no_table' || message.code === 'other_version') this.failure = message
  }

  #setLine(line: Line): void {
    this.line = line
    if (line === 'lost' && !this.info) void this.#findOut()
  }

  /** No connection ever came about: perhaps there is no such table. */
  async #findOut(): Promise<void> {
    try {
      await api.table(this.id)
    } catch (error) {
      if (!(error instanceof Trouble) || error.code === 'offline') return
      this.failure = { code: error.code, text: error.message }
      this.close()
    }
  }

  /** How long an update should have been on show before the next one: others' moves need a moment to be seen. */
  #dwell(update: Update): number {
    const isOthers = update.notices.some((notice) => notice.seat !== this.seat && notice.seat !== CHANCE)
    return isOthers ? 900 : 0
  }

  #show(update: Update): void {
    const known = this.#known.get(update.seat) ?? []
    const before = known.slice(0, update.have - update.notices.length)
    const wasToAct = this.isToAct
    const isNews = this.update !== null && update.notices.length > 0 && this.update.seat === update.seat
    this.#known.set(update.seat, [...before, ...update.notices])
    this.#seat = update.seat
    this.notices = this.#known.get(update.seat) ?? []
    this.fresh = (isNews ? update.notices : lastGroup(this.notices)).filter((notice) => !notice.back)
    this.update = update
    this.clocksAt = Date.now()
    if (isNews || update.result) this.hint = null
    const isPlayed = this.isBusy && update.notices.some((notice) => notice.seat === update.seat)
    if (!this.isToAct || isPlayed) this.#dropDraft()
    else if (this.steps.length) void this.#draft(this.steps, false, true)
    this.#passDevice(update)
    if (update.result && isNews) playSound('end')
    else if (this.isToAct && !wasToAct && isNews) playSound('turn')
  }

  /** Several people at one device: show the table to whoever is asked to do something. */
  #passDevice(update: Update): void {
    if (this.ownSeats.length < 2 || update.result) {
      this.covered = null
      return
    }
    const next = this.ownSeats.find((seat) => update.now.acting.includes(seat))
    if (SECRETIVE.has(this.info?.game ?? '')) this.#cover(update, next)
    else if (next !== undefined && !update.now.acting.includes(update.seat)) this.look(next)
  }

  /** What somebody holds is shown only after they have said that they have the device, and until their turn is over. */
  #cover(update: Update, next: number | undefined): void {
    if (next !== undefined && next === this.#holder) return
    this.#holder = WATCHER
    this.covered = next ?? null
    if (update.seat !== WATCHER) this.look(WATCHER)
  }

  #hearSpeech(said: Said): void {
    const key = Math.random()
    this.speeches = [...this.speeches, { seat: said.seat, text: said.text, key }]
    setTimeout(() => (this.speeches = this.speeches.filter((speech) => speech.key !== key)), SPEECH_SECONDS * 1000)
  }

  // Drafting and playing

  /** Draft these steps; `addForced` adds an end that is the only way on, `isQuiet` drops what has become illegal. */
  async #draft(steps: string[], addForced = true, isQuiet = false): Promise<void> {
    const number = ++this.#draftNumber
    this.#setSteps(steps)
    this.isDrafting = steps.length > 0
    if (!steps.length) return
    const answer = await this.#connection.ask({ type: 'draft', seat: this.seat, steps })
    if (number !== this.#draftNumber) return
    this.isDrafting = false
    if (answer.type === 'refused') {
      if (!isQuiet) this.refusal = { code: answer.code, text: answer.text }
      void this.#draft(steps.slice(0, answer.step ?? 0), false, isQuiet)
    }
    if (answer.type !== 'preview') return
    this.preview = { now: answer.now, isComplete: answer.is_complete }
    const [only, ...more] = answer.now.legal
    if (addForced && !answer.is_complete && !more.length && only !== undefined && FINISHERS.has(only))
      void this.#draft([...steps, only])
  }

  async #commit(steps: string[]): Promise<void> {
    const { seat } = this
    this.isBusy = true
    const answer = await this.#connection.ask({ type: 'play', seat, have: this.#known.get(seat)?.length ?? 0, steps })
    if (answer.type === 'refused') {
      this.isBusy = false
      this.#refuse(answer)
      return
    }
    playSound('done')
    this.#pace.hurry()
    this.#dropDraft()
    this.isBusy = false
  }

  #refuse(answer: Refused): void {
    this.refusal = { code: answer.code, text: answer.text }
    playSound('no')
    if (answer.code === 'stale') {
      this.#pace.hurry()
      void this.#draft(this.steps)
    } else void this.#draft(this.steps.slice(0, answer.step ?? this.steps.length), false)
  }

  async #ask(request: Request): Promise<ServerMessage> {
    const answer = await this.#connection.ask(request)
    if (answer.type === 'refused') {
      this.refusal = { code: answer.code, text: answer.text }
      playSound('no')
    }
    return answer
  }

  /** Forget what was drafted, also what the server has not answered yet. */
  #dropDraft(): void {
    this.#draftNumber++
    this.isDrafting = false
    this.#setSteps([])
  }

  #setSteps(steps: string[]): void {
    this.steps = steps
    if (!steps.length) this.preview = null
    try {
      const key = draftKey(this.id, this.seat)
      if (steps.length) sessionStorage.setItem(key, JSON.stringify({ have: this.notices.length, steps }))
      else sessionStorage.removeItem(key)
    } catch {
      // The draft lives as long as the tab shows it.
    }
  }

  /** A draft survives reloading the page, if nothing has happened since. */
  #restoreDraft(): void {
    if (!this.isToAct || this.steps.length) return
    try {
      const kept = JSON.parse(sessionStorage.getItem(draftKey(this.id, this.seat)) ?? 'null') as {
        have: number
        steps: string[]
      } | null
      if (kept && kept.have === this.notices.length) void this.#draft(kept.steps, false)
    } catch {
      // Nothing was kept.
    }
  }
}

/** The last thing that somebody did, with what chance did about it. */
function lastGroup(notices: Notice[]): Notice[] {
  const actor = notices.findLast((notice) => notice.seat !== CHANCE)?.seat
  const start = notices.findLastIndex((notice) => notice.seat !== CHANCE && notice.seat !== actor)
  return notices.slice(start + 1).slice(-12)
}
