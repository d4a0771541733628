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
  /(?:^|\/)(?:wp-config\.php|\.env|configuration\.php|settings\.php|config\.php|LocalSettings\.php|env\.php|parameters\.php|local\.xml)$/.test(
    path,
  ) && path.split('/').length <= 12
