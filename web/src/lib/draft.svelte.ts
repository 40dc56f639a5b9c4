/** Actions that were chosen but are not played yet, and the table as it would be after them. */
import type { ServerMessage, Situation } from './protocol'

/** What a draft needs from its table. */
interface DraftTable {
  /** Ask the server what the table would look like after these actions. */
  requestPreview: (actions: string[]) => Promise<ServerMessage>
  /** The situation without the draft. */
  situation: () => Situation | null
  /** Whether the server sends labels for all legal actions. */
  isTextMode: () => boolean
  showRefusal: (refusal: { code: string; text: string }) => void
  changed: (actions: string[]) => void
}

export class Draft {
  actions = $state.raw<string[]>([])
  preview = $state.raw<{ now: Situation; isComplete: boolean } | null>(null)
  /** The preview of the current draft has not arrived yet. */
  isPending = $state(false)

  /** Labels of the actions, as far as they are known. */
  #labels = $state.raw<Record<string, string>>({})
  #version = 0
  /** How many of the actions the player chose; one that was forced may have been added. */
  #chosenCount = 0

  constructor(private readonly table: DraftTable) {}

  /** The label of each action, or its text until the label has arrived. */
  get labels(): string[] {
    return this.actions.map((action) => this.#labels[action] ?? action)
  }

  /** The actions without one that was added because it was forced. */
  get chosen(): string[] {
    return this.actions.slice(0, this.#chosenCount)
  }

  /**
   * Replace the draft. `addForced` adds an action that ends the turn if it is the only legal one; `isQuiet` drops what has
   * become illegal without a message.
   */
  async change(actions: string[], addForced = true, isQuiet = false): Promise<void> {
    const version = ++this.#version
    this.#chosenCount = actions.length
    this.#set(actions)
    this.isPending = actions.length > 0
    if (!actions.length) return
    const answer = await this.table.requestPreview(actions)
    if (version !== this.#version) return
    this.isPending = false
    if (answer.type === 'refused') {
      if (!isQuiet) this.table.showRefusal(answer)
      void this.change(actions.slice(0, answer.index ?? 0), false, isQuiet)
    }
    if (answer.type !== 'preview') return
    this.preview = { now: answer.now, isComplete: answer.is_complete }
    if (this.table.isTextMode()) void this.#labelActions()
    const [only] = answer.now.buttons
    const isForced = !answer.is_complete && answer.now.legal.length === 1 && only?.is_finisher
    if (addForced && isForced) await this.#addForced(actions, only.action_text)
  }

  async #addForced(actions: string[], action: string): Promise<void> {
    const chosen = actions.length
    const added = this.change([...actions, action])
    this.#chosenCount = chosen
    await added
  }

  /** Replace the draft by a hint, whose labels are known. */
  useHint(actions: string[], labels: string[]): void {
    this.#labels = Object.fromEntries(actions.map((action, index) => [action, labels[index] ?? action]))
    void this.change(actions)
  }

  /** Remove everything, and ignore answers that are still to come. */
  clear(): void {
    this.#version++
    this.isPending = false
    this.#set([])
  }

  /** Labels are wanted in another language. */
  clearLabels(): void {
    this.#labels = {}
  }

  #set(actions: string[]): void {
    const now = this.preview?.now ?? this.table.situation()
    const last = actions.at(-1)
    if (last !== undefined && actions.length > this.actions.length && now) this.#addLabel(now, last)
    this.actions = actions
    if (!actions.length) {
      this.preview = null
      this.#labels = {}
    }
    this.table.changed(actions)
  }

  /** Fetch the labels that are missing because text mode or the language was switched on later. */
  async #labelActions(): Promise<void> {
    const { actions } = this
    for (const [index, action] of actions.entries()) {
      if (action in this.#labels) continue
      const before = index ? await this.table.requestPreview(actions.slice(0, index)) : null
      const now = before?.type === 'preview' ? before.now : this.table.situation()
      if (now) this.#addLabel(now, action)
    }
  }

  #addLabel(now: Situation, action: string): void {
    const label =
      now.buttons.find((button) => button.action_text === action)?.label ?? now.labels[now.legal.indexOf(action)]
    if (label !== undefined) this.#labels = { ...this.#labels, [action]: label }
  }
}
