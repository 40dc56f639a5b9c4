/** What the shell and the games' boards owe each other. */
import type { Component } from 'svelte'

export type Language = 'en' | 'de'

/** The three games, in the order in which they are shown. */
export const GAMES = ['hashi', 'stege', 'elfer'] as const
export type GameCode = (typeof GAMES)[number]

export interface Way {
  seat: number
  do: string
  way: string[]
}

export interface BoardProps<Scene, View> {
  scene: Scene
  /** Of the server's update, or of the preview while steps are drafted. */
  view: View
  /** Whose eyes: 0..3, or -1 for somebody who watches. */
  seat: number
  /** Display names by seat. */
  names: string[]
  /** Legal next actions in text form; empty when there is nothing to do. */
  legal: string[]
  /** Steps chosen but not yet played. */
  draft: string[]
  /** Action texts of the last moves, to mark and animate them. */
  fresh: string[]
  /** The ways that some of them took, by whoever made them (Stege's walks). */
  ways: Way[]
  language: Language
  /** Choose a legal action; to change one's mind, `after` says which steps of the draft stay before it. */
  act: (action: string, after?: string[]) => void
  /** Try something that is not in `legal`: the shell asks the server why not and shows the clause. */
  ask: (action: string, after?: string[]) => void
  /** The spots to light up for a legal action (Stege's walks). */
  show: (action: string, after?: string[]) => Promise<string[]>
}

/** `words.ts` of a game: the position and its actions in plain words. */
export interface Words<Scene, View> {
  /** Lines that describe the position, for the text mode and screen readers. */
  describe: (scene: Scene, view: View, seat: number, language: Language, names: string[]) => string[]
  /** An action in plain words, without the name of who does it: "Write 5 on the island in row 2, column 1". */
  actionLabel: (action: string, scene: Scene, view: View, language: Language) => string
}

export type Plain = Record<Language, string>

/**
 * A lesson as `python web/lessons.py` writes it from `lesson.toml`, on real positions of the real rules:
 * the page compares texts and knows no rule.
 */
export interface Lesson {
  seat: number
  names: string[]
  scene: unknown
  steps: LessonStep[]
}

export interface LessonStep {
  title: Plain
  text: Plain
  /** What is said when the step is done. */
  after: Plain | null
  /** The positions the player goes through; the last one is shown when the step is done. */
  frames: LessonFrame[]
}

export interface LessonFrame {
  view: unknown
  prompt: Plain
  legal: string[]
  /** The action that leads to the next frame; null in the last one. */
  want: string | null
  /** An illegal action that the player is asked to try: its refusal is what the step teaches. */
  attempt: string | null
  /** Illegal actions by the clause that forbids them; `lay *` stands for all of a kind that are not named. */
  refused: Record<string, string[]>
  /** Ways of actions, where a game has them. */
  ways: Record<string, string[]>
  /** Actions that led here from the frame before, chance and others included. */
  fresh: string[]
}

/** Each game knows its own scene and view; the shell only passes them on. */
export type AnyBoard = Component<BoardProps<any, any>>
export type AnyWords = Words<unknown, unknown>
