/** Requests to the server that need no table. */
import type { GameInfo, Lobby, NewTable, OpenedTable, Problem, Replay, RulesInfo, SeatKey, TableInfo } from './protocol'
import { settings } from './settings.svelte'

/** Why a request failed, in words for people; `code` is `offline` when the server cannot be reached. */
export class Trouble extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text)
  }
}

async function request(path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { 'accept-language': settings.language }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`/api${path}`, init).catch(() => {
    throw new Trouble('offline', '')
  })
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => null)) as Problem | null
  throw new Trouble(problem?.code ?? 'internal', problem?.text ?? '')
}

async function json<T>(path: string, body?: unknown): Promise<T> {
  return (await request(path, body)).json() as Promise<T>
}

const kept = new Map<string, Promise<unknown>>()

/** What does not change while the server runs is asked for once. */
function once<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined
  if (!answer) {
    answer = json<T>(path)
    kept.set(path, answer)
    answer.catch(() => kept.delete(path))
  }
  return answer
}

export const api = {
  games: () => once<GameInfo[]>(`/games?language=${settings.language}`),
  rules: (game: string) => once<RulesInfo>(`/games/${encodeURIComponent(game)}/rules?language=${settings.language}`),
  phrases: () => once<Record<string, string>>(`/phrases?language=${settings.language}`),
  open: (table: NewTable) => json<OpenedTable>('/tables', table),
  tables: (after: string | null) => json<Lobby>(`/tables${after ? `?after=${encodeURIComponent(after)}` : ''}`),
  table: (id: string) => json<TableInfo>(`/tables/${id}`),
  takeSeat: (id: string) => json<SeatKey>(`/tables/${id}/seats`, {}),
  replay: (id: string, first: number, count: number) => json<Replay>(`/tables/${id}/replay?first=${first}&count=${count}`),
  qr: async (text: string) => (await request('/qr', { text })).text(),
}
