/** HTTP requests to the server. */
import type {
  Lobby,
  NetworkInfo,
  NewTable,
  OpenedTable,
  Problem,
  Replay,
  RulesInfo,
  SeatKey,
  TableInfo,
} from './protocol'
import { settings } from './settings.svelte'

/** Why a request failed, with a text for the visitor; `code` is `offline` when the server cannot be reached. */
export class ApiError extends Error {
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
    throw new ApiError('offline', '')
  })
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => null)) as Problem | null
  throw new ApiError(problem?.code ?? 'internal', problem?.text ?? '')
}

async function json<T>(path: string, body?: unknown): Promise<T> {
  return (await request(path, body)).json() as Promise<T>
}

const answers = new Map<string, Promise<unknown>>()

/** For what does not change while the server runs: it is fetched once. */
function fetchOnce<T>(path: string): Promise<T> {
  let answer = answers.get(path) as Promise<T> | undefined
  if (!answer) {
    answer = json<T>(path)
    answers.set(path, answer)
    answer.catch(() => answers.delete(path))
  }
  return answer
}

export const api = {
  /** The rules of a game; with options, given as `name=value`, those of such a match. */
  rules: (game: string, options: string[] = []) => {
    const query = options.map((option) => `&option=${encodeURIComponent(option)}`).join('')
    return fetchOnce<RulesInfo>(`/games/${encodeURIComponent(game)}/rules?language=${settings.language}${query}`)
  },
  phrases: () => fetchOnce<Record<string, string>>(`/phrases?language=${settings.language}`),
  open: (table: NewTable) => json<OpenedTable>('/tables', table),
  tables: (after: string | null) => json<Lobby>(`/tables${after ? `?after=${encodeURIComponent(after)}` : ''}`),
  table: (id: string) => json<TableInfo>(`/tables/${id}`),
  takeSeat: (id: string) => json<SeatKey>(`/tables/${id}/seats`, {}),
  replay: (id: string, first: number, count: number, textMode: boolean, you: number) =>
    json<Replay>(
      `/tables/${id}/replay?first=${first}&count=${count}&language=${settings.language}&text_mode=${textMode}&you=${you}`,
    ),
  network: () => json<NetworkInfo>('/network'),
  openNetwork: () => json<NetworkInfo>('/network', {}),
  qr: async (text: string) => (await request('/qr', { text })).text(),
}
