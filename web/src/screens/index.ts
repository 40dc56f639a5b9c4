/** Loads screens when they are needed; one that is there is given at once, so that it can be drawn in one go. */
import type { Component } from 'svelte'

export interface Screen {
  name: string
  /** It takes the parts of its address as properties. */
  Content: Component<any>
}

const files: Record<string, () => Promise<{ default: Component<any> }>> = {
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

/** A screen if it is there already, else a promise of it. */
export function screenOf(name: string): Screen | Promise<Screen | null> {
  return loaded.get(name) ?? load(name)
}
