/** Do something when there is nothing more urgent to do. */
export function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action, { timeout: 2_000 })
  else setTimeout(action, 300) // Safari
}
