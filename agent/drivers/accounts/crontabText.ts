/** The lines of a crontab that move with some folders, and the lines that stay. */
export interface Parted {
  goes: string[]
  stays: string[]
}
const isSetting = (line: string) => /^\s*[A-Za-z_]\w*\s*=/.test(line)
const isJob = (line: string) => line.trim() !== '' && !/^\s*#/.test(line) && !isSetting(line)

/** The home that contains a folder: `/home/web1`. */
const homeOf = (folder: string) => folder.split('/').slice(0, 3).join('/')

/**
 * Finds a folder in a line as people write it: absolute, by `~` or `$HOME`, or relative to the home, in which cron starts
 * jobs. The first group is what stands before the relative part. A longer name with the same beginning does not match.
 */
function naming(folder: string): RegExp {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const home = homeOf(folder)
  const relative = escaped(folder.slice(home.length + 1))
  const before = `${escaped(home)}/|~(?:${escaped(home.slice('/home/'.length))})?/|\\$HOME/|\\$\\{HOME\\}/`
  const bare = `(?<=[\\s"'=<>(;|&])(?:\\./)?(?=${relative}/)|(?<=\\bcd\\s+["']?)(?:\\./)?`
  return new RegExp(`(${before}|${bare})${relative}(?![A-Za-z0-9._-])`, 'g')
}
const names = (line: string, folders: readonly string[]) => folders.some((folder) => naming(folder).test(line))

/** The number of jobs that name none of these folders. */
export const jobsBeside = (text: string, folders: readonly string[]): number =>
  text.split('\n').filter((line) => isJob(line) && !names(line, folders)).length

/**
 * Moves the jobs that name one of the folders, with a copy of the settings: the remaining jobs may need the settings too.
 * Each job keeps the settings above it. `everything` moves the whole crontab.
 */
export function parted(text: string, folders: readonly string[], everything: boolean): Parted {
  const lines = text.split('\n').filter((line, i, all) => line !== '' || i < all.length - 1)
  if (everything) return { goes: lines, stays: [] }
  const goes = lines.filter((line) => isJob(line) && names(line, folders))
  if (!goes.length) return { goes: [], stays: lines }
  return {
    goes: lines.filter((line) => isSetting(line) || goes.includes(line)),
    stays: lines.filter((line) => !goes.includes(line)),
  }
}

export const jobsOf = (lines: readonly string[]): number => lines.filter(isJob).length

/** Lines of a crontab for another folder of another account. */
export function relocated(lines: readonly string[], then: string, path: string): string[] {
  const relative = path.slice(homeOf(path).length + 1)
  return lines.map((line) =>
    line
      .replace(naming(then), (_, before: string) => `${before.replace(/^~.*/, '~/')}${relative}`)
      .replaceAll(`${homeOf(then)}/`, `${homeOf(path)}/`),
  )
}

/**
 * Appends the moved lines to a crontab, with paths of the new home, unless an earlier attempt has appended them. A setting
 * is left out only where it has that value already.
 */
export function joined(text: string, lines: readonly string[], from: string, to: string): string {
  const moved = lines.map((line) => line.replaceAll(`/home/${from}/`, `/home/${to}/`))
  const there = text.split('\n')
  const isFresh = (line: string) => !isSetting(line) && !there.includes(line)
  if (!moved.some(isFresh)) return text
  const settings = new Map(there.filter(isSetting).map((line) => [variableOf(line), line]))
  const fresh = moved.filter((line) => {
    if (!isSetting(line)) return line.trim() === '' || isFresh(line)
    if (settings.get(variableOf(line)) === line) return false
    settings.set(variableOf(line), line)
    return true
  })
  return `${text}${text && !text.endsWith('\n') ? '\n' : ''}${fresh.join('\n')}\n`
}
const variableOf = (setting: string) => setting.slice(0, setting.indexOf('=')).trim()
