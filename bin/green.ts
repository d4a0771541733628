import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imagesDir } from '../lab/places.ts'
import { isWhole, sliced } from './slice.ts'

/** Folder of this machine for what test runs remember, beside the image of the practice hosts. */
const rememberedIn = join(imagesDir(), 'tests')
const DAY_MS = 86_400_000
/** Packages that hosts install come from Debian's mirrors, which change without a change here. */
const MOST_DAYS = 7

/** When each test file was green with the inputs of the digest, by path. */
type Dates = Record<string, number>

interface Green {
  /**
   * Files that were green on this machine with the same inputs in the last week, except the tenth of the slice. None in a long run.
   */
  among(files: readonly string[]): string[]
  /** Remembers files that passed at once, with no test left out. */
  keep(files: readonly string[]): void
}

/** The green results for one digest of inputs. */
export function openGreen(digest: string, folder = rememberedIn, now = Date.now()): Green {
  const place = join(folder, 'green')
  const file = join(place, `${digest}.json`)
  return {
    among(files) {
      if (isWhole) return []
      const dates = read(file)
      const again = new Set(sliced([...files].sort()))
      return files.filter((path) => !again.has(path) && now - (dates[path] ?? 0) < MOST_DAYS * DAY_MS)
    },
    keep(files) {
      if (!files.length) return
      mkdirSync(place, { recursive: true })
      for (const name of readdirSync(place))
        if (now - statSync(join(place, name)).mtimeMs > MOST_DAYS * DAY_MS) rmSync(join(place, name))
      replace(file, { ...read(file), ...Object.fromEntries(files.map((path) => [path, now])) })
    },
  }
}

/** Milliseconds that each test file took on this machine when it last ran, by path. */
export const durations = {
  read: (folder = rememberedIn): Record<string, number> => read(join(folder, 'durations.json')),
  keep(more: Record<string, number>, folder = rememberedIn): void {
    mkdirSync(folder, { recursive: true })
    replace(join(folder, 'durations.json'), { ...durations.read(folder), ...more })
  },
}

function read(file: string): Dates {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Dates // only `replace` writes the file
  } catch {
    return {} // a full disk left half a file: nothing is known
  }
}

function replace(file: string, content: Dates): void {
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(content))
  renameSync(`${file}.${process.pid}`, file)
}
