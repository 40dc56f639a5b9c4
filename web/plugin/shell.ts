/**
 * Build steps of our own: the list of files for the service worker, the files that addresses need beyond the first screen,
 * and the size of what the first screen needs.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

interface Options {
  /** Bytes of JavaScript and CSS after gzip. */
  firstScreenLimit: number
}

export function shell({ firstScreenLimit }: Options): Plugin {
  return {
    name: 'threespan-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => html.replace('<script', `${earlyScript(bundle ?? {})}<script`),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const names = Object.keys(bundle).filter((name) => !name.endsWith('.map'))
        const first = filesOfFirstScreen(bundle)
        const bytes = first.reduce((sum, name) => sum + gzipped(bundle[name]), 0)
        report(
          first.map((name) => [name, gzipped(bundle[name])]),
          bytes,
          firstScreenLimit,
        )
        if (bytes > firstScreenLimit) this.error(`the first screen needs ${bytes} bytes, more than ${firstScreenLimit}`)
        this.emitFile({
          type: 'asset',
          fileName: 'preload.json',
          source: JSON.stringify(preloads(bundle, new Set(first))),
        })
        const worker = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf-8')
        const files = names.filter((name) => isKept(bundle, name)).map((name) => `/${name}`)
        this.emitFile({
          type: 'asset',
          fileName: 'service-worker.js',
          source: `const SHELL = ${JSON.stringify({ version: hash(names.join(' ')), files })}\n${worker}`,
        })
      },
    },
  }
}

/** What connects to a table runs as soon as it is there, without waiting for the rest of the page. */
function earlyScript(bundle: Record<string, unknown>): string {
  const isEarly = (name: string): boolean => modulesOf(bundle[name]).some((id) => id.endsWith('/lib/early.ts'))
  const name = Object.keys(bundle).find(isEarly)
  if (!name) throw new Error('no early script found in the build')
  return `<script type="module" async crossorigin src="/${name}"></script>\n    `
}

/** Lessons are large and not needed to say that there is no network. */
function isKept(bundle: Record<string, unknown>, name: string): boolean {
  return name.startsWith('assets/') && !modulesOf(bundle[name]).some((id) => id.includes('/lesson/'))
}

const modulesOf = (file: unknown): string[] => (file as { moduleIds?: string[] }).moduleIds ?? []

function filesOfFirstScreen(bundle: Record<string, unknown>): string[] {
  const entry = Object.keys(bundle).find((name) => (bundle[name] as { isEntry?: boolean }).isEntry)
  return [...new Set([...(entry ? filesOf(bundle, entry) : []), largestDictionary(bundle)])]
}

/** A file of JavaScript, all that it imports, and their styles. */
function filesOf(bundle: Record<string, unknown>, first: string): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const chunk = bundle[name] as { imports?: string[]; viteMetadata?: { importedCss: Set<string> } }
    chunk.imports?.forEach(visit)
    chunk.viteMetadata?.importedCss.forEach((css) => found.add(css))
  }
  visit(first)
  return [...found]
}

/** What a table, each game, each language and a game in a language (`game.language`) need: the server announces it with the page. */
const ANNOUNCED =
  /\/src\/(?:screens\/(?<table>Table)\.svelte|games\/(?<board>\w+)\/game\.ts|(?:games\/(?<game>\w+)\/)?words\/(?<language>[\w-]+)\.json)$/

function preloads(bundle: Record<string, unknown>, known: Set<string>): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const name of Object.keys(bundle)) {
    for (const id of modulesOf(bundle[name])) {
      const { table, board, game, language } = ANNOUNCED.exec(id)?.groups ?? {}
      const key = table?.toLowerCase() ?? board ?? (game ? `${game}.${language}` : language)
      if (key) found[key] = filesOf(bundle, name).filter((file) => file === name || !known.has(file))
    }
  }
  return found
}

/** The words of one language are loaded with the first screen. */
function largestDictionary(bundle: Record<string, unknown>): string {
  const isDictionary = (name: string): boolean => modulesOf(bundle[name]).some((id) => id.includes('/src/words/'))
  const sizes = Object.keys(bundle)
    .filter(isDictionary)
    .sort((a, b) => gzipped(bundle[b]) - gzipped(bundle[a]))
  if (!sizes[0]) throw new Error('no dictionary found in the build')
  return sizes[0]
}

function gzipped(file: unknown): number {
  const { code, source } = file as { code?: string; source?: string | Uint8Array }
  return gzipSync(code ?? source ?? '', { level: 9 }).length
}

function report(files: [string, number][], bytes: number, limit: number): void {
  const kilobytes = (n: number): string => (n / 1024).toFixed(1).padStart(6) + ' KB'
  for (const [name, size] of files) console.log(`${kilobytes(size)}  ${name}`)
  console.log(`${kilobytes(bytes)}  first screen after gzip, of at most${kilobytes(limit)}`)
}

function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(36)
}
