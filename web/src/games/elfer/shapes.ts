/** Outlines around (0, 0), about one unit in radius: what tells the rows apart beside their colours. */

const round = (value: number): number => Math.round(value * 1000) / 1000

function star(points: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const radius = i % 2 ? inner : 1.12
    const angle = (i / points) * Math.PI - Math.PI / 2
    return `${round(Math.cos(angle) * radius)} ${round(Math.sin(angle) * radius)}`
  })
  return `M${corners.join('L')}Z`
}

const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`

const SHAPES: Record<string, string> = {
  square: 'M-.82-.82H.82V.82H-.82Z',
  triangle: 'M0-.95L1 .8H-1Z',
  star: star(5, 0.48),
  circle: disc(0, 0, 0.92),
  /** A joker fits into all four rows. */
  joker: [disc(-0.5, -0.5, 0.38), disc(0.5, -0.5, 0.38), disc(-0.5, 0.5, 0.38), disc(0.5, 0.5, 0.38)].join(''),
}

export const shapeOf = (name: string): string => SHAPES[name] ?? SHAPES.circle!
