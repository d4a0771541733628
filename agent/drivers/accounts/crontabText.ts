/** The lines of a crontab that move with some folders, and the lines that stay. */
export interface Parted {
  goes: string[]
  stays: string[]
}
const isSetting = (line: string) => /^\s*[A-Za-z_]\w*\s*=/.test(line)
const isJob = (line: string) => line.trim() !== '' && !/^\s*#/.test(line) && !isSetting(line)

/**
 * Moves the jobs that name one of the folders, with a copy of the settings above them: the remaining jobs may need the
 * settings too. `everything` moves the whole crontab.
 */
export function parted(text: string, folders: readonly string[], everything: boolean): Parted {
  const lines = text.split('\n').filter((line, i, all) => line !== '' || i < all.length - 1)
  if (everything) return { goes: lines, stays: [] }
  const names = (line: string) =>
    folders.some((folder) => {
      const at = line.indexOf(folder)
      return at >= 0 && !/[A-Za-z0-9._-]/.test(line[at + folder.length] ?? ' ')
    })
  const goes = lines.filter((line) => isJob(line) && names(line))
  if (!goes.length) return { goes: [], stays: lines }
  return { goes: [...lines.filter(isSetting), ...goes], stays: lines.filter((line) => !goes.includes(line)) }
}

export const jobsOf = (lines: readonly string[]): number => lines.filter(isJob).length

/** Lines of a crontab for another folder of another account. */
export function relocated(lines: readonly string[], then: string, path: string): string[] {
  const home = (folder: string) => folder.split('/').slice(0, 3).join('/')
  const below = (folder: string) => new RegExp(`${folder.replaceAll('.', '\\.')}(?![A-Za-z0-9._-])`, 'g')
  return lines.map((line) => line.replace(below(then), path).replaceAll(`${home(then)}/`, `${home(path)}/`))
}

/** Appends the moved lines to a crontab, with paths of the new home, unless an earlier attempt has appended them. */
export function joined(text: string, lines: readonly string[], from: string, to: string): string {
  const moved = lines.map((line) => line.replaceAll(`/home/${from}/`, `/home/${to}/`))
  const there = new Set(text.split('\n'))
  const fresh = moved.filter((line) => !there.has(line) || line.trim() === '')
  return fresh.length ? `${text}${text && !text.endsWith('\n') ? '\n' : ''}${fresh.join('\n')}\n` : text
}
