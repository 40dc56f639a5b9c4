/** Which options of a game to show, and with which values; all of it comes from the server. */
import type { OptionInfo } from './protocol'

export type Value = OptionInfo['default']

export interface Offer {
  name: string
  title: string
  values: { value: Value; title: string }[]
  /** The chosen value, or the default if the choice is no longer possible. */
  chosen: Value
  isHouseRule: boolean
  /** What the chosen value means, in one sentence; only house rules say it. */
  effect: string
}

/** The options to show for this number of players and the other choices; options with one value are left out. */
export function visibleOptions(
  options: OptionInfo[],
  chosen: Record<string, Value>,
  players: number,
  seatName: (seat: number) => string,
): Offer[] {
  const now: Record<string, Value> = { players }
  for (const { name, default: usual } of options) now[name] = chosen[name] ?? usual
  return options
    .filter((option) => matters(option, now))
    .flatMap((option) => {
      const values = valuesOf(option, now, players, seatName)
      const found = [chosen[option.name], option.default].find((wanted) => values.some(({ value }) => value === wanted))
      const picked = found ?? values.at(-1)?.value ?? option.default
      const offer = {
        name: option.name,
        title: option.title,
        values,
        chosen: picked,
        isHouseRule: option.is_house_rule,
        effect: effectOf(option, picked),
      }
      return values.length > 1 ? [offer] : []
    })
}

/** The chosen values that differ from the defaults. */
export function changedOptions(options: OptionInfo[], offers: Offer[]): Record<string, Value> {
  const usual = new Map(options.map((option) => [option.name, option.default]))
  return Object.fromEntries(
    offers.filter(({ name, chosen }) => chosen !== usual.get(name)).map(({ name, chosen }) => [name, chosen]),
  )
}

/** The house rules of a table that are not the usual ones, each in one sentence. */
export function unusualRules(
  options: OptionInfo[],
  chosen: Record<string, Value>,
): { title: string; effect: string }[] {
  return options
    .filter((option) => option.is_house_rule && matters(option, chosen))
    .filter(({ name, default: usual }) => (chosen[name] ?? usual) !== usual)
    .map((option) => ({ title: option.title, effect: effectOf(option, chosen[option.name] ?? option.default) }))
}

/** The options of a table that its rule book depends on, as `name=value`. */
export function ruleSettings(options: OptionInfo[], chosen: Record<string, Value>): string[] {
  const names = options.filter((option) => option.is_house_rule && matters(option, chosen)).map(({ name }) => name)
  const needed = options.filter(({ name }) => names.includes(name)).flatMap(({ only_with }) => Object.keys(only_with))
  return [...new Set(['players', ...needed, ...names])].flatMap((name) =>
    chosen[name] === undefined ? [] : [`${name}=${String(chosen[name])}`],
  )
}

function effectOf(option: OptionInfo, value: Value): string {
  return option.values.find((one) => one.value === value)?.effect ?? ''
}

function matters(option: OptionInfo, now: Record<string, Value>): boolean {
  return Object.entries(option.only_with).every(([other, values]) => values.includes(now[other] ?? ''))
}

function valuesOf(
  option: OptionInfo,
  now: Record<string, Value>,
  players: number,
  seatName: (seat: number) => string,
): Offer['values'] {
  if (option.kind === 'choice') return option.values
  const limits = Object.entries(option.max_with).flatMap(([other, rows]) =>
    rows.flatMap(([value, most]) => (now[other] === value ? [most] : [])),
  )
  const high = Math.min(option.high, ...limits, ...(option.is_seat ? [players - 1] : []))
  const numbers = Array.from({ length: Math.max(0, high - option.low + 1) }, (_, index) => option.low + index)
  const titled = numbers.map((value) => ({ value, title: option.is_seat ? seatName(value) : String(value) }))
  return option.is_seat ? [...option.values, ...titled] : [...titled, ...option.values]
}
