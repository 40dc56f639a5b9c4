/** The keyboard shortcuts of a table, and where the focus goes when a button disappears. */
import type { Table } from '../lib/table.svelte'

/** Run a keyboard shortcut, unless a text field or a dialog is open or the focused element uses the key itself. */
export function handleKey(event: KeyboardEvent, table: Table, openList: () => void): void {
  const target = event.target as Element
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return
  if (target.closest('input:not([type=checkbox]), select, textarea')) return
  const act = commandOf(event, table, target.closest('button, a, [role="button"]') !== null, openList)
  if (!act) return
  event.preventDefault()
  act()
}

function commandOf(event: KeyboardEvent, table: Table, isOnButton: boolean, openList: () => void): (() => void) | null {
  const isCommand = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  if (event.altKey) return null
  if (key === 'enter' && (isCommand || !isOnButton)) return table.mayFinish ? () => table.done() : null
  if (key === 'backspace' || (isCommand ? key === 'z' && !event.shiftKey : key === 'u'))
    return () => table.mayUndo && table.undo()
  if (isCommand) return null
  if (key === 'h') return table.mayHint ? () => void table.askHint() : null
  if (key === 'c') return table.referee.mayCheck ? () => void table.referee.check() : null
  return key === '?' ? openList : null
}

/**
 * Keeps the focus at the board: a button that was pressed may disappear, and the focus with it.
 * Call `restore` whenever the table has changed.
 */
export class FocusKeeper {
  #last: Element | null = null
  #lastOnBoard: HTMLElement | SVGElement | null = null

  constructor(private readonly board: () => HTMLElement | undefined) {}

  /** An element has got the focus. */
  remember(target: Element): void {
    this.#last = target
    if (this.board()?.contains(target)) this.#lastOnBoard = target as HTMLElement
  }

  /** Move the focus back to the board if the element that had it is gone or disabled. */
  restore(): void {
    requestAnimationFrame(() => {
      const isLost = document.activeElement === document.body || document.activeElement === null
      if (!isLost || !this.#last || isPressable(this.#last) || document.querySelector('dialog[open]')) return
      const place = this.#lastOnBoard && isPressable(this.#lastOnBoard) ? this.#lastOnBoard : this.#tabStop()
      place?.focus({ preventScroll: true })
    })
  }

  #tabStop(): HTMLElement | SVGElement | null {
    return this.board()?.querySelector<HTMLElement>('[tabindex="0"], button:enabled') ?? null
  }
}

const isPressable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
