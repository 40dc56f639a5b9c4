/** The languages of the page: code and native name. `plugin/words.ts` generates it from the files. */
declare module 'virtual:languages' {
  export const LANGUAGES: Readonly<Record<string, string>>
}
