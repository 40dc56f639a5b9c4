/** Asking the referee, in matches whose players may draw what is not allowed: about the own board, and about others'. */
import type { Checked, FaultInfo, ServerMessage, Update } from './protocol'
import { CHANCE, WATCHER } from './seats'
import type { Request } from './socket'

/** What the referee needs of a table. */
interface Surroundings {
  ask: (request: Request) => Promise<ServerMessage>
  update: () => Update | null
  seat: () => number
  /** The draft. */
  drafted: () => string[]
  act: (action: string) => void
}

export class Referee {
  /** What was found on the own board, until something changes there. */
  found = $state.raw<Checked | null>(null)
  /** Answers about the boards of others, by seat, until the seat on show acts. */
  answers = $state.raw<Record<number, string>>({})
  /** The last answer, for those who listen instead of looking. */
  said = $state('')

  /** The draft that was asked about. */
  #checked: string[] = []
  #isErasing = false

  constructor(private readonly table: Surroundings) {}

  /** Whether the own board can be checked. */
  get mayCheck(): boolean {
    return this.table.seat() !== WATCHER && (this.table.update()?.may_check ?? false)
  }

  get mayDoubt(): boolean {
    return this.table.update()?.may_doubt ?? false
  }

  async check(): Promise<void> {
    if (!this.mayCheck) return
    const steps = this.table.drafted()
    this.#checked = steps
    this.said = '' // the same answer is said again
    const answer = await this.table.ask({ type: 'check', seat: this.table.seat(), action_texts: steps })
    if (answer.type !== 'checked' || !isSame(steps, this.#checked)) return
    this.found = answer
    this.said = [answer.text, ...answer.faults.map(({ text }) => text)].join(' ')
  }

  /** Take a fault back, and look again. */
  erase({ action_text }: Pick<FaultInfo, 'action_text'>): void {
    this.#isErasing = true
    this.table.act(action_text)
    this.#isErasing = false
    if (this.found) void this.check()
  }

  async doubt(board: number): Promise<void> {
    this.said = ''
    const answer = await this.table.ask({ type: 'doubt', seat: this.table.seat(), board })
    if (answer.type !== 'doubted' && answer.type !== 'refused') return
    this.answers = { ...this.answers, [board]: answer.text }
    this.said = answer.text
  }

  /** Close what was found. */
  dismiss(): void {
    this.found = null
    this.said = ''
  }

  /** The draft has changed: what was found may no longer be true. */
  noteDraft(steps: string[]): void {
    if (!this.#isErasing && !isSame(steps, this.#checked)) this.#forget()
  }

  /** Something has happened: a new round changes the own board, and own actions end the time in which answers hold. */
  noteNews(seats: number[]): void {
    const hasActed = seats.includes(this.table.seat())
    if (hasActed || seats.includes(CHANCE)) this.#forget()
    if (hasActed) this.answers = {}
  }

  /** Another seat looks at the table. */
  begin(): void {
    this.#forget()
    this.answers = {}
  }

  /** Another language: what was said is said again, as far as it can be asked again. */
  hearAgain(): void {
    if (this.found) void this.check()
  }

  #forget(): void {
    this.#checked = []
    if (this.found) this.dismiss()
  }
}

const isSame = (some: string[], others: string[]): boolean => some.join() === others.join()
