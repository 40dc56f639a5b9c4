/** Splits longer texts from the server into paragraphs and lists. */

export interface Block {
  isList: boolean
  /** The entries of a list, or the one text of a paragraph. */
  parts: string[]
}

const DASH = '- '

/** Blank lines separate blocks; list entries begin with a dash and may continue on further lines. */
export function blocksOf(text: string): Block[] {
  const parts = text.split(/\n\s*\n|\n(?=- )/)
  return parts.reduce<Block[]>((blocks, part) => add(blocks, part.trim()), [])
}

function add(blocks: Block[], part: string): Block[] {
  const isList = part.startsWith(DASH)
  const words = (isList ? part.slice(DASH.length) : part).replace(/\s+/g, ' ')
  const last = blocks.at(-1)
  if (isList && last?.isList) last.parts.push(words)
  else if (words) blocks.push({ isList, parts: [words] })
  return blocks
}
