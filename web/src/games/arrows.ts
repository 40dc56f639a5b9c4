/** The arrow keys, for moving over a board. */
export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

/** How far each of them goes: to the right, and down. */
export const ARROWS: Record<Arrow, { right: number; down: number }> = {
  ArrowUp: { right: 0, down: -1 },
  ArrowDown: { right: 0, down: 1 },
  ArrowLeft: { right: -1, down: 0 },
  ArrowRight: { right: 1, down: 0 },
}

export const isArrow = (key: string): key is Arrow => key in ARROWS
