/** Draws the result of a match as an image to share: the board as it is on the page, and the standings. */
import { SEAT_SHAPES } from '../ui/seats'

export interface Standing {
  seat: number
  name: string
  rank: string
  score: number
}

export interface ResultPicture {
  /** The game's name. */
  game: string
  headline: string
  date: string
  standings: Standing[]
  /** The board on the page, if there is one. */
  board: SVGSVGElement | null
}

const [WIDTH, HEIGHT] = [1200, 630]
const EDGE = 36
const GAP = 36
/** A board with a larger aspect ratio is placed above the standings instead of beside them. */
const WIDE_RATIO = 1.8
/** Device pixels per pixel of the layout, for a sharp image. */
const DENSITY = 2
const CORNER_RADIUS = 22

/** The style properties to copy; each also exists as an SVG attribute. */
const STYLE_PROPERTIES = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'visibility',
  'display',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'letter-spacing',
  'text-anchor',
  'dominant-baseline',
  'stop-color',
  'stop-opacity',
  'paint-order',
  'vector-effect',
  'clip-path',
  'mask',
]

interface Colours {
  paper: string
  card: string
  line: string
  ink: string
  soft: string
  accent: string
  sea: string
  deep: string
  seats: string[]
  font: string
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Draw the picture. */
export async function drawResult(result: ResultPicture): Promise<HTMLCanvasElement> {
  const { colours, drawing } = withLightTheme(() => ({
    colours: readColours(),
    drawing: result.board && standaloneCopy(result.board),
  }))
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH * DENSITY
  canvas.height = HEIGHT * DENSITY
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw.')
  context.scale(DENSITY, DENSITY)
  context.fillStyle = colours.paper
  context.fillRect(0, 0, WIDTH, HEIGHT)
  const { board, words } = placeBoard(drawing)
  if (drawing && board) drawBoard(context, await imageOf(drawing, board), board, colours)
  drawWords(context, words, result, colours)
  return canvas
}

// The board

/** Run something in the light theme and without transitions; it is over before the next frame, so nobody sees it. */
function withLightTheme<Found>(action: () => Found): Found {
  const { dataset } = document.documentElement
  const theme = dataset.theme
  dataset.still = ''
  dataset.theme = 'light'
  try {
    return action()
  } finally {
    dataset.theme = theme
    void getComputedStyle(document.body).color // applies the theme before transitions are on again
    delete dataset.still
  }
}

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    paper: read('paper'),
    card: read('card'),
    line: read('line'),
    ink: read('ink'),
    soft: read('ink-soft'),
    accent: read('accent'),
    sea: read('sea'),
    deep: read('sea-deep'),
    seats: SEAT_SHAPES.map((_, seat) => read(`seat-${seat}`)),
    font: read('font'),
  }
}

/** A copy that looks the same without the page's style sheets. */
function standaloneCopy(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')]
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')]
  originals.forEach((original, index) => inlineStyles(original, copies[index]!))
  return copy
}

function inlineStyles(original: SVGElement, copy: SVGElement): void {
  const style = getComputedStyle(original)
  copy.removeAttribute('class')
  copy.removeAttribute('style')
  for (const property of STYLE_PROPERTIES) copy.setAttribute(property, style.getPropertyValue(property))
  if (style.transform === 'none') copy.removeAttribute('transform')
  else copy.setAttribute('transform', transformOf(style))
}

/** A CSS transformation as an SVG attribute, which has its origin at (0, 0). */
function transformOf({ transform, transformOrigin }: CSSStyleDeclaration): string {
  const [x = 0, y = 0] = transformOrigin.split(' ').map(parseFloat)
  return x || y ? `translate(${x} ${y}) ${transform} translate(${-x} ${-y})` : transform
}

/** The places of the board and of the text. */
function placeBoard(drawing: SVGSVGElement | null): { board: Box | null; words: Box } {
  const room = { x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE }
  if (!drawing) return { board: null, words: room }
  const { width, height } = drawing.viewBox.baseVal
  if (width / height > WIDE_RATIO) {
    const high = (room.width * height) / width
    const words = { ...room, y: room.y + high + GAP / 2, height: room.height - high - GAP / 2 }
    return { board: { ...room, height: high }, words }
  }
  const wide = Math.min((room.height * width) / height, room.width * 0.56)
  const high = (wide * height) / width
  const board = { x: room.x, y: room.y + (room.height - high) / 2, width: wide, height: high }
  return { board, words: { ...room, x: room.x + wide + GAP, width: room.width - wide - GAP } }
}

async function imageOf(drawing: SVGSVGElement, { width, height }: Box): Promise<HTMLImageElement> {
  drawing.setAttribute('width', String(width * DENSITY))
  drawing.setAttribute('height', String(height * DENSITY))
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`
  await image.decode()
  return image
}

function drawBoard(context: CanvasRenderingContext2D, image: HTMLImageElement, box: Box, colours: Colours): void {
  const { x, y, width, height } = box
  context.save()
  context.beginPath()
  context.roundRect(x, y, width, height, CORNER_RADIUS)
  context.clip()
  const water = context.createLinearGradient(x, y, x, y + height)
  water.addColorStop(0, colours.sea)
  water.addColorStop(1, colours.deep)
  context.fillStyle = water
  context.fillRect(x, y, width, height)
  context.drawImage(image, x, y, width, height)
  context.restore()
}

// The words

/** The standings are below the headline, or beside it in a wide and low box. */
function drawWords(context: CanvasRenderingContext2D, box: Box, result: ResultPicture, colours: Colours): void {
  const isLow = box.width > 2.2 * box.height
  const head = isLow ? { ...box, width: box.width * 0.36 } : box
  const end = drawHead(context, head, result, colours)
  const list = isLow
    ? { x: head.x + head.width + GAP, y: box.y, width: box.width - head.width - GAP, height: box.height }
    : { x: box.x, y: end + 26, width: box.width, height: box.y + box.height - end - 26 - 44 }
  drawStandings(context, list, result.standings, colours)
  context.font = `500 20px ${colours.font}`
  context.fillStyle = colours.soft
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  context.fillText(truncated(context, `Threespan · ${result.date}`, head.width), box.x, box.y + box.height - 4)
}

/** The game and the headline; returns the lower edge. */
function drawHead(
  context: CanvasRenderingContext2D,
  box: Box,
  { game, headline }: ResultPicture,
  colours: Colours,
): number {
  context.textBaseline = 'top'
  context.textAlign = 'left'
  context.fillStyle = colours.accent
  context.font = `700 26px ${colours.font}`
  context.fillText(truncated(context, game, box.width), box.x, box.y + 4)
  context.fillStyle = colours.ink
  let size = 50
  do context.font = `800 ${size}px ${colours.font}`
  while (context.measureText(headline).width > box.width && --size > 30)
  context.fillText(truncated(context, headline, box.width), box.x, box.y + 42)
  return box.y + 42 + size
}

function drawStandings(context: CanvasRenderingContext2D, box: Box, standings: Standing[], colours: Colours): void {
  const gap = 10
  const high = Math.min(84, (box.height - gap * (standings.length - 1)) / standings.length)
  standings.forEach((standing, index) => {
    drawStanding(context, { ...box, y: box.y + index * (high + gap), height: high }, standing, colours)
  })
}

function drawStanding(context: CanvasRenderingContext2D, box: Box, standing: Standing, colours: Colours): void {
  const middle = box.y + box.height / 2
  const size = Math.min(30, box.height * 0.44)
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, 16)
  context.fillStyle = colours.card
  context.fill()
  context.strokeStyle = colours.line
  context.lineWidth = 1.5
  context.stroke()

  context.save()
  context.translate(box.x + 18, middle - size / 2)
  context.scale(size / 20, size / 20)
  context.fillStyle = colours.seats[standing.seat] ?? colours.ink
  context.fill(new Path2D(SEAT_SHAPES[standing.seat]))
  context.restore()

  context.textBaseline = 'middle'
  context.textAlign = 'right'
  context.fillStyle = colours.ink
  context.font = `800 ${size * 1.2}px ${colours.font}`
  const score = String(standing.score)
  const right = box.x + box.width - 20
  context.fillText(score, right, middle + 1)
  const left = right - context.measureText(score).width - 18
  context.fillStyle = colours.soft
  context.font = `500 ${size * 0.72}px ${colours.font}`
  context.fillText(standing.rank, left, middle + 1)
  const end = left - context.measureText(standing.rank).width - 14

  context.textAlign = 'left'
  context.fillStyle = colours.ink
  context.font = `650 ${size}px ${colours.font}`
  const start = box.x + 18 + size + 14
  context.fillText(truncated(context, standing.name, end - start), start, middle + 1)
}

/** A text, shortened to a width. */
function truncated(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = text.length
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--
  return `${text.slice(0, end)}…`
}
