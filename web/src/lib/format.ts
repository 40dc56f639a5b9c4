/** Texts with `{placeholders}`, and with plural forms that are chosen by `count`. */

export type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Values = Record<string, string | number>

/** Returns a text of one folder of words, in one language. */
export type Say<Key extends string = string> = (key: Key, values?: Values) => string

/** A text with values in place of its `{placeholders}`. */
export function fillIn(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}

export function translator<Key extends string>(texts: Partial<Record<Key, Text>>, language: string): Say<Key> {
  const plural = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const text: Text = texts[key] ?? ''
    const form = typeof text === 'string' ? text : (text[plural.select(Number(values.count))] ?? text.other ?? '')
    return fillIn(form, values)
  }
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
