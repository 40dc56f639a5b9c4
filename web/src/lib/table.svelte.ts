/** A table: keeps the state of the page in step with the server, and sends what the visitor does. */
import { api, ApiError } from './api'
import { Draft } from './draft.svelte'
import { t } from './i18n.svelte'
import { forgetTable, keyOfTable, markOver, rememberTable } from './known-tables'
import { PacedQueue } from './paced-queue'
import type { Bye, Hello, Notice, Refused, Said, ServerMessage, TableInfo, Update, Welcome } from './protocol'
import { randomHex } from './random'
import { Referee } from './referee.svelte'
import { CHANCE, WATCHER } from './seats'
import { settings } from './settings.svelte'
import { SharedDevice } from './shared-device.svelte'
import { Connection, type ConnectionState, type Request } from './socket'
import { play as playSound } from './sound'
import { durationOf, type Stage, stagesOf } from './stages'
import { storedActions, storeDraft } from './stored-drafts'
import { TableState } from './table-state.svelte'

const SPEECH_SECONDS = 5
const MAX_ANIMATED = 12

export class Table extends TableState {
  readonly draft = new Draft({
    requestPreview: (actions) => this.#connection.request({ type: 'draft', seat: this.seat, action_texts: actions }),
    situation: () => this.update?.now ?? null,
    isTextMode: () => this.#isTextModeRequested,
    showRefusal: ({ code, text }) => (this.refusal = { code, text }),
    changed: (actions) => {
      storeDraft(this.id, this.seat, { noticesSeen: this.notices.length, actions })
      this.referee.noteDraft(actions)
    },
  })
  readonly referee: Referee = new Referee({
    ask: (request) => this.#connection.request(request),
    update: () => (this.past || this.isEnded ? null : this.update),
    seat: () => this.seat,
    drafted: () => this.drafted,
    act: (action) => this.act(action),
  })
  readonly device = new SharedDevice((seat) => this.viewAs(seat))

  /** What has happened, for each seat that was shown. */
  #noticesBySeat = new Map<number, Notice[]>()
  /** The seat and the number of notices of the last update that was received, whether it is shown yet or not. */
  #lastReceived = { seat: WATCHER, notice_count: 0 }
  #connection: Connection
  #queue: PacedQueue<Stage>
  /** Whether the server was asked for text mode. */
  #isTextModeRequested = settings.textMode

  constructor(readonly id: string) {
    super()
    this.#queue = new PacedQueue((stage) => this.#show(stage))
    this.#connection = this.#connect()
    this.#connection.start()
  }

  #connect(): Connection {
    const hello = (): Omit<Hello, 'type' | 'version'> => {
      this.#isTextModeRequested = this.isInTextMode
      const notices_seen = this.#noticesBySeat.get(this.requestedSeat)?.length ?? 0
      return {
        key: keyOfTable(this.id),
        language: settings.language,
        seat: this.requestedSeat,
        notices_seen,
        text_mode: this.#isTextModeRequested,
      }
    }
    return new Connection(
      this.id,
      hello,
      (message) => this.#receive(message),
      (state) => this.#setConnectionState(state),
    )
  }

  close(): void {
    this.#queue.close()
    this.#connection.close()
  }

  // What the visitor does

  /** Add an action to the draft, or put it in place of everything after the drafted actions `after`. */
  act(action: string, after: string[] = this.drafted): void {
    const isNext = after.length === this.drafted.length
    if (isNext && !this.legal.includes(action)) {
      this.askWhyNot(action)
      return
    }
    this.hint = null
    playSound('place')
    if (this.onlyChoice?.action_text === action) void this.#play([action])
    else void this.draft.change([...after, action])
  }

  /** Ask the server which rule forbids an action. */
  askWhyNot(action: string, after: string[] = this.drafted): void {
    if (!this.isToAct) return
    void this.#request({ type: 'draft', seat: this.seat, action_texts: [...after, action] })
  }

  /** The places that an action would pass through. */
  async pathOf(action: string, after: string[] = this.drafted): Promise<string[]> {
    const answer = await this.#connection.request({
      type: 'path',
      seat: this.seat,
      action_texts: after,
      action_text: action,
    })
    return answer.type === 'path' ? answer.path : []
  }

  done(): void {
    if (this.mayFinish) void this.#play(this.ending ? [...this.drafted, this.ending.action_text] : this.drafted)
  }

  /** Shorten the draft to these actions. */
  goBack(actions: string[]): void {
    this.hint = null
    playSound('place')
    void this.draft.change(actions, false)
  }

  undo(): void {
    this.hint = null
    if (this.drafted.length) void this.draft.change(this.draft.chosen.slice(0, -1), false)
    else if (this.update?.may_undo) void this.#request({ type: 'undo', seat: this.seat })
  }

  requestUndo(): void {
    void this.#request({ type: 'request_undo', seat: this.seat })
  }

  answerUndo(accepts: boolean): void {
    void this.#request({ type: 'answer_undo', seat: this.seat, accepts })
  }

  async askHint(): Promise<void> {
    this.isThinking = true
    const answer = await this.#request({ type: 'hint', seat: this.seat })
    this.isThinking = false
    if (answer.type === 'hinted') this.hint = { actions: answer.action_texts, sentences: answer.sentences }
  }

  /** Replace the draft by the hint. */
  takeHint(): void {
    const { actions = [], sentences = [] } = this.hint ?? {}
    this.hint = null
    if (actions.length) this.draft.useHint(actions, sentences)
  }

  say(phrase: Said['phrase']): void {
    const seat = this.seat === WATCHER ? this.ownSeats[0] : this.seat
    if (seat !== undefined) this.#connection.send({ type: 'say', seat, phrase })
  }

  standIn(seat: number, level: string): void {
    void this.#request({ type: 'stand_in', seat, level })
  }

  async resign(seat: number): Promise<void> {
    await this.#request({ type: 'resign', seat })
    this.#queue.flush()
  }

  /** Stop the match without a result; returns whether that was possible. */
  async end(): Promise<boolean> {
    return (await this.#request({ type: 'end' })).type === 'done'
  }

  join(name: string): Promise<ServerMessage> {
    return this.#request({ type: 'join', name, share: randomHex(32) })
  }

  /** Ask for a rematch; its table arrives before the answer. */
  async playAgain(): Promise<void> {
    await this.#request({ type: 'rematch' })
  }

  /** Show the position after so many notices; null goes back to the present. */
  async lookBack(noticeCount: number | null): Promise<void> {
    if (noticeCount === null || noticeCount >= this.notices.length) {
      this.past = null
      return
    }
    const answer = await this.#request({ type: 'past', notice_count: Math.max(0, noticeCount) })
    if (answer.type === 'past') this.past = { noticeCount: answer.notice_count, view: answer.view, lines: answer.lines }
  }

  /** Show the table as another seat sees it. */
  viewAs(seat: number): void {
    this.requestedSeat = seat
    this.#isTextModeRequested = this.isInTextMode
    const notices_seen = this.#noticesBySeat.get(seat)?.length ?? 0
    this.#connection.send({
      type: 'switch_view',
      seat,
      language: settings.language,
      notices_seen,
      text_mode: this.#isTextModeRequested,
    })
  }

  /** The language or the mode has changed: the server sends everything again. */
  refresh(): void {
    this.#noticesBySeat.clear()
    this.draft.clearLabels()
    this.viewAs(this.seat)
    this.referee.hearAgain()
    if (this.past) void this.lookBack(this.past.noticeCount)
  }

  dismissRefusal(): void {
    this.refusal = null
  }

  // What the server sends

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        this.#receiveWelcome(message)
        break
      case 'update':
        this.#receiveUpdate(message)
        break
      case 'seats':
        this.#receiveSeats(message.table)
        break
      case 'said':
        this.#showSpeech(message.seat, message.text)
        break
      case 'rematching':
        this.rematch = message.table
        break
      case 'failed':
        this.refusal = message
        break
      case 'bye':
        this.#receiveBye(message)
        break
    }
  }

  #receiveWelcome(message: Welcome): void {
    this.info = message.table
    this.scene = message.scene
    this.ownSeats = message.own_seats
    this.rematch = message.table.rematch
    this.failure = null
    if (message.own_seats.length) {
      const isOver = message.table.status === 'over'
      rememberTable({ id: this.id, game: message.table.game, seats: message.own_seats, isOver })
    }
    if (!message.update) return
    this.#queue.clear()
    this.#lastReceived = message.update
    this.#show({ update: message.update, notYetShown: [] })
    this.#restoreDraft()
  }

  /** The server ends the connection. Without a valid key the visitor can still watch. */
  #receiveBye(message: Bye): void {
    if (message.code === 'wrong_key') {
      forgetTable(this.id)
      this.refusal = message
      this.#connection.close()
      this.#connection = this.#connect()
      this.#connection.start()
    } else if (message.code === 'no_table' || message.code === 'other_version') this.failure = message
  }

  #setConnectionState(state: ConnectionState): void {
    this.connectionState = state
    if (state === 'lost' && !this.info) void this.#checkTableExists()
  }

  /** The first connection has failed: perhaps there is no such table. */
  async #checkTableExists(): Promise<void> {
    try {
      await api.table(this.id)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'offline') return
      this.failure = { code: error.code, text: error.message }
      this.close()
    }
  }

  #receiveUpdate(update: Update): void {
    if (update.seat === this.#lastReceived.seat && update.notice_count < this.#lastReceived.notice_count) return // older than what was received already
    const { pace } = settings
    const own = [this.seat, ...this.ownSeats]
    // What is sent again, for example in another language, is shown at once.
    const isNews =
      update.seat === this.seat && update.notice_count - update.notices.length === this.#lastReceived.notice_count
    this.#lastReceived = update
    const stages = isNews ? stagesOf(update, own, pace) : [{ update, notYetShown: [] }]
    for (const stage of stages) this.#queue.add(stage, isNews ? durationOf(stage, own, pace) : 0)
    if (pace === 'off') this.#queue.flush()
  }

  #show({ update, notYetShown }: Stage): void {
    this.notYetShown = notYetShown
    const known = this.#noticesBySeat.get(update.seat) ?? []
    const before = known.slice(0, update.notice_count - update.notices.length)
    const wasToAct = this.isToAct
    const first = this.update?.seat === update.seat ? this.update.notice_count - update.notice_count : 0
    const news = first < 0 ? update.notices.slice(first) : []
    this.#noticesBySeat.set(update.seat, [...before, ...update.notices])
    this.requestedSeat = update.seat
    this.notices = this.#noticesBySeat.get(update.seat) ?? []
    this.fresh = (news.length ? news : lastGroup(this.notices)).filter((notice) => !notice.undone)
    if (this.update && this.update.seat !== update.seat) this.referee.begin()
    this.update = update
    this.referee.noteNews(news.map((notice) => notice.seat))
    this.clocksAt = Date.now()
    if (news.length || update.result) this.hint = null
    const isPlayed = this.isBusy && news.some((notice) => notice.seat === update.seat)
    if (!this.isToAct || isPlayed) this.draft.clear()
    else if (this.drafted.length) void this.draft.change(this.draft.chosen, true, true)
    this.device.passOn({ game: this.info?.game ?? '', ownSeats: this.ownSeats, resigned: this.resigned, update })
    if (this.isInTextMode && !this.#isTextModeRequested) this.viewAs(update.seat)
    if (update.result && news.length) playSound('end')
    else if (this.isToAct && !wasToAct && news.length) playSound('turn')
  }

  #receiveSeats(info: TableInfo): void {
    const before = this.resigned
    this.info = info
    if (this.ownSeats.length && info.status === 'over') markOver(this.id)
    for (const seat of info.resigned) {
      if (!before.includes(seat)) this.#showSpeech(seat, t('hasResigned', { name: this.names[seat] ?? '' }))
    }
  }

  #showSpeech(seat: number, text: string): void {
    const key = Math.random()
    this.speeches = [...this.speeches, { seat, text, key }]
    setTimeout(() => (this.speeches = this.speeches.filter((speech) => speech.key !== key)), SPEECH_SECONDS * 1000)
  }

  // Playing

  async #play(actions: string[]): Promise<void> {
    const { seat } = this
    this.isBusy = true
    const answer = await this.#connection.request({
      type: 'play',
      seat,
      notices_seen: this.#noticesBySeat.get(seat)?.length ?? 0,
      action_texts: actions,
    })
    if (answer.type === 'refused') {
      this.isBusy = false
      this.#receiveRefusal(answer)
      return
    }
    playSound('done')
    this.#queue.flush()
    this.draft.clear()
    this.isBusy = false
  }

  #receiveRefusal(answer: Refused): void {
    this.refusal = { code: answer.code, text: answer.text }
    playSound('no')
    if (answer.code === 'stale') {
      this.#queue.flush()
      void this.draft.change(this.drafted)
    } else void this.draft.change(this.drafted.slice(0, answer.index ?? this.drafted.length), false)
  }

  async #request(request: Request): Promise<ServerMessage> {
    const answer = await this.#connection.request(request)
    if (answer.type === 'refused') {
      this.refusal = { code: answer.code, text: answer.text }
      playSound('no')
    }
    return answer
  }

  #restoreDraft(): void {
    if (!this.isToAct || this.drafted.length) return
    const actions = storedActions(this.id, this.seat, this.notices.length)
    if (actions.length) void this.draft.change(actions, false)
  }
}

/** The last actions of one seat, with what chance did in between. */
function lastGroup(notices: Notice[]): Notice[] {
  const actor = notices.findLast((notice) => notice.seat !== CHANCE)?.seat
  const start = notices.findLastIndex((notice) => notice.seat !== CHANCE && notice.seat !== actor)
  return notices.slice(start + 1).slice(-MAX_ANIMATED)
}
