/** Small texts of an archive, by their path. */
export type Records = ReadonlyMap<string, string>

/** `KEY='value' KEY='value'`: an object a line. A value contains no `'`; panels write `%quote%` instead. */
export function quotedObjects(text: string): Record<string, string>[] {
  return text.split('\n').flatMap((line) => {
    const found: Record<string, string> = {}
    let some = false
    for (const [, key = '', value = ''] of line.matchAll(/\b([A-Z][A-Z0-9_]{0,40})='([^']*)'/g)) {
      found[key] = value
      some = true
    }
    return some ? [found] : []
  })
}

/** `%quote%` of Hestia. */
export const unquoted = (text: string) => text.replaceAll('%quote%', "'")

export const listOf = (text: string | undefined, by: RegExp = /[\s,]+/): string[] =>
  (text ?? '')
    .split(by)
    .map((one) => one.trim())
    .filter(Boolean)

/** The paths of records below a folder, without the folder. */
export const below = (records: Records, folder: string): string[] =>
  [...records.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))

/** The first parts of the paths below a folder, each once. */
export const foldersIn = (records: Records, folder: string): string[] => [
  ...new Set(below(records, folder).flatMap((path) => (path.includes('/') ? (path.split('/')[0] ?? []) : []))),
]

/** Words of a configuration file that may be names of databases. */
export function mentionsIn(text: string): string[] {
  const found = new Set<string>()
  for (const [word] of text.matchAll(/\b[A-Za-z][A-Za-z0-9]{0,30}_[A-Za-z0-9_]{1,40}\b/g)) {
    if (found.size >= 500) break
    found.add(word)
  }
  return [...found]
}

/** Files of applications that name their database. */
export const isAppConfig = (path: string) =>
  /(?:^|\/)(?:wp-config\.php|\.env|configuration\.php|settings\.php|config\.php|dup-wp-config-arc__[\w-]{1,100}\.txt|LocalSettings\.php|env\.php|parameters\.php|local\.xml)$/.test(
    path,
  ) && path.split('/').length <= 12

/** A path without slashes at its end, and with `both` at its beginning. */
export function withoutSlashes(path: string, both = false): string {
  let [from, to] = [0, path.length]
  while (to > 0 && path[to - 1] === '/') to--
  while (both && from < to && path[from] === '/') from++
  return path.slice(from, to)
}

/** When and what of a line of a crontab; undefined for settings, comments and empty lines. */
export function jobIn(line: string): { when: string; command: string } | undefined {
  const words = line.trim().split(/[ \t]+/)
  const fields = words[0]?.startsWith('@') ? 1 : 5
  if (!words[0] || words[0].startsWith('#') || words[0].includes('=') || words[1] === '=' || words.length <= fields)
    return undefined
  return { when: words.slice(0, fields).join(' '), command: words.slice(fields).join(' ') }
}
