/** Loads screens when they are needed; one that is loaded is returned at once, so that it can be drawn without delay. */
import type { Component } from 'svelte'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each screen has properties of its own
type AnyScreen = Component<any>

export interface Screen {
  name: string
  /** Its properties are the parts of the route. */
  Content: AnyScreen
}

const files: Record<string, () => Promise<{ default: AnyScreen }>> = {
  play: () => import('./NewTable.svelte'),
  lobby: () => import('./Lobby.svelte'),
  table: () => import('./Table.svelte'),
  replay: () => import('./Replay.svelte'),
  learn: () => import('./Learn.svelte'),
  rules: () => import('./Rules.svelte'),
}
const loaded = new Map<string, Screen>()

async function load(name: string): Promise<Screen | null> {
  const file = await files[name]?.()
  if (!file) return null
  const screen = { name, Content: file.default }
  loaded.set(name, screen)
  return screen
}

/** A screen if it is loaded, else a promise of it. */
export function screenOf(name: string): Screen | Promise<Screen | null> {
  return loaded.get(name) ?? load(name)
}
