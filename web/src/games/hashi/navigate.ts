/** Moving over the board with the arrow keys. */
import { ARROWS, type Arrow } from '../arrows'
import { centre, isAcross, spotPoint } from './geometry'
import { type Island, otherEnd, type Scene, type Spot } from './model'

/** The spot to go to: along the lines where there are any, else to whatever lies nearest in that direction. */
export function nextSpot(scene: Scene, from: Spot, arrow: Arrow, withLines: boolean): Spot {
  const alongLine = withLines ? followLine(scene, from, arrow) : null
  return alongLine ?? nearestSpot(scene, from, arrow, withLines) ?? from
}

function followLine(scene: Scene, from: Spot, arrow: Arrow): Spot | null {
  const { right: dx, down: dy } = ARROWS[arrow]
  if (from.kind === 'line') {
    const line = scene.lines[from.index]!
    if (isAcross(scene, line) !== (dx !== 0)) return null
    const [a, b] = line.islands as [number, number]
    const along = ({ row, column }: Island): number => row + column
    const isForward = along(scene.islands[b]!) > along(scene.islands[a]!)
    return { kind: 'island', index: isForward === dx + dy > 0 ? b : a }
  }
  const here = centre(scene.islands[from.index]!)
  const found = scene.lines.findIndex((line) => {
    if (!line.islands.includes(from.index)) return false
    const there = centre(scene.islands[otherEnd(line, from.index)]!)
    return Math.sign(there.x - here.x) === dx && Math.sign(there.y - here.y) === dy
  })
  return found < 0 ? null : { kind: 'line', index: found }
}

function nearestSpot(scene: Scene, from: Spot, arrow: Arrow, withLines: boolean): Spot | null {
  const { right: dx, down: dy } = ARROWS[arrow]
  const here = spotPoint(scene, from)
  const islands = scene.islands.map((_, index): Spot => ({ kind: 'island', index }))
  const lines = withLines ? scene.lines.map((_, index): Spot => ({ kind: 'line', index })) : []
  let best: Spot | null = null
  let least = Infinity
  for (const spot of [...islands, ...lines]) {
    const there = spotPoint(scene, spot)
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx)
    const cost = ahead + 2 * aside
    if (ahead > 1 && cost < least) [best, least] = [spot, cost]
  }
  return best
}
