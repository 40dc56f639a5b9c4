/** The state of a table as this tab sees it, and everything that can be derived from it. */
import { hasBoard } from '../games'
import type { Draft } from './draft.svelte'
import { nameOf } from './names'
import { newsFor, type Report, reportsOf } from './news'
import type { Button, Notice, Result, Situation, TableInfo, Update } from './protocol'
import { WATCHER } from './seats'
import { settings } from './settings.svelte'
import type { ConnectionState } from './socket'

/** Why something was refused, or could not be done. */
export interface Refusal {
  code: string
  text: string
}

/** What somebody says, for as long as it is shown. */
export interface Speech {
  seat: number
  text: string
  key: number
}

/** What a strong bot would do, as action texts and as sentences. */
export interface Hint {
  actions: string[]
  sentences: string[]
}

export abstract class TableState {
  abstract readonly draft: Draft

  connectionState = $state<ConnectionState>('connecting')
  info = $state.raw<TableInfo | null>(null)
  scene = $state.raw<unknown>(null)
  ownSeats = $state.raw<number[]>([])
  /** The last update that is shown. */
  update = $state.raw<Update | null>(null)
  /** Everything that has happened, as the seat that is shown may know it. */
  notices = $state.raw<Notice[]>([])
  /** The last move, to animate it. */
  fresh = $state.raw<Notice[]>([])
  /** What chance has done for the next turn: the view contains it already, but it is shown next. */
  notYetShown = $state.raw<string[]>([])
  refusal = $state.raw<Refusal | null>(null)
  speeches = $state.raw<Speech[]>([])
  hint = $state.raw<Hint | null>(null)
  /** A turn was sent and is not answered yet. */
  isBusy = $state(false)
  /** A hint was asked for. */
  isThinking = $state(false)
  /** An earlier moment that is shown instead of the present: the position after so many notices. */
  past = $state.raw<{ noticeCount: number; view: unknown; lines: string[] } | null>(null)
  /** Why there is nothing to show, if so. */
  failure = $state.raw<Refusal | null>(null)
  /** The table where the same people play on. */
  rematch = $state('')
  /** When the clocks of the last update arrived. */
  clocksAt = $state(0)

  /** The seat that was asked for until the first update arrives. */
  protected requestedSeat = WATCHER

  /** The seat whose view is shown. */
  get seat(): number {
    return this.update?.seat ?? this.requestedSeat
  }

  /** Actions that were chosen but are not played yet. */
  get drafted(): string[] {
    return this.draft.actions
  }

  /** The present situation, or the one after the draft. */
  get now(): Situation | null {
    return this.draft.preview?.now ?? this.update?.now ?? null
  }

  /** Whether the table is shown in words: because the visitor prefers it, or because the game has no board. */
  get isInTextMode(): boolean {
    return settings.textMode || (this.info !== null && !hasBoard(this.info.game))
  }

  /** The position in words. */
  get lines(): string[] {
    return this.past?.lines ?? this.now?.lines ?? []
  }

  get result(): Result | null {
    return this.update?.result ?? null
  }

  /** The seats that have resigned, in that order. */
  get resigned(): number[] {
    return this.info?.resigned ?? []
  }

  /** Whether the match was stopped without a result. */
  get isEnded(): boolean {
    return this.info?.is_ended ?? false
  }

  /** The seats of people at other devices. */
  get otherPeople(): number[] {
    const seats = this.info?.seats ?? []
    return [...seats.keys()].filter((seat) => seats[seat]?.kind !== 'bot' && !this.ownSeats.includes(seat))
  }

  get names(): string[] {
    const you = this.ownSeats.length === 1 ? this.ownSeats[0] : WATCHER
    return this.info?.seats.map((seat, index) => nameOf(seat, index, index === you)) ?? []
  }

  /** Whether the seat that is shown has to act. */
  get isToAct(): boolean {
    if (this.past || this.isEnded || this.resigned.includes(this.seat)) return false
    return this.seat !== WATCHER && (this.update?.now.acting.includes(this.seat) ?? false)
  }

  get legal(): string[] {
    return this.isToAct && !this.isBusy ? (this.now?.legal ?? []) : []
  }

  /** The legal actions with their labels, in text mode. */
  get choices(): { action: string; label: string }[] {
    return this.legal.flatMap((action, index) => {
      const label = this.now?.labels[index]
      return label === undefined ? [] : [{ action, label }]
    })
  }

  /** Legal actions that have no place on the board. */
  get buttons(): Button[] {
    return this.legal.length ? (this.now?.buttons ?? []) : []
  }

  /** The only legal action, if it is a button: it is played at once. */
  get onlyChoice(): Button | null {
    const [button] = this.buttons
    return button && !button.is_answer && this.legal.length === 1 && !this.drafted.length ? button : null
  }

  /** The action that ends a turn that the player has to end: Done adds it to the draft. */
  get ending(): Button | null {
    return this.buttons.find((button) => button.is_done) ?? null
  }

  /** Whether the turn can end: the draft is complete, or the player may end it. */
  get mayFinish(): boolean {
    if (this.isBusy || this.draft.isPending) return false
    return this.ending !== null || (this.drafted.length > 0 && (this.draft.preview?.isComplete ?? false))
  }

  /** What others have done since the seat that is shown acted last; at an earlier moment, what had just happened. */
  get news(): Notice[] {
    if (this.past) return this.notices.slice(Math.max(0, this.past.noticeCount - 1), this.past.noticeCount)
    return newsFor(this.notices, this.seat)
  }

  /** The news, grouped by who acted. */
  get reports(): Report[] {
    return this.past ? [] : reportsOf(this.news, this.seat, this.update?.now.acting ?? [])
  }

  get mayUndo(): boolean {
    return !this.isBusy && (this.drafted.length > 0 || (this.update?.may_undo ?? false))
  }

  /** Hints are for those who play against bots alone. */
  get mayHint(): boolean {
    const isAmongBots = this.info?.seats.every((seat, i) => seat.kind === 'bot' || this.ownSeats.includes(i)) ?? false
    return this.isToAct && !this.drafted.length && !this.isThinking && isAmongBots
  }
}
