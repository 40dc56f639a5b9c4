/** Fetches the list of games; used before the rest of the page is loaded. */
import type { GameInfo } from './protocol'

const requests = new Map<string, Promise<GameInfo[]>>()

/** The games in a language; each language is fetched once. */
export function fetchGames(language: string): Promise<GameInfo[]> {
  const answer = requests.get(language) ?? request(language)
  requests.set(language, answer)
  answer.catch(() => requests.delete(language))
  return answer
}

async function request(language: string): Promise<GameInfo[]> {
  const answer = await fetch(`/api/games?language=${language}`)
  if (!answer.ok) throw new Error(answer.statusText)
  return (await answer.json()) as GameInfo[]
}
