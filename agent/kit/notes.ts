import { ensureDirectory, read, remove, replace } from './files.ts'
import { places } from './places.ts'

/** `by` is the action that made or took the thing; the rest is what its undo has to know. */
export interface Note {
  by: number
  about: Record<string, string>
}

/**
 * What an action made or took on this machine. Written before it does so: undo of that action takes it back, undo of
 * another one, which found it so, leaves it. `kind` and `name` have passed their callers' allow-lists.
 */
export const notes = {
  async find(kind: string, name: string): Promise<Note | undefined> {
    const text = await read(fileOf(kind, name))
    return text === undefined ? undefined : (JSON.parse(text) as Note) // our own file, written by `keep`
  },
  async keep(kind: string, name: string, by: number, about: Note['about'] = {}): Promise<void> {
    await ensureDirectory(`${places.notes}/${kind}`, { mode: 0o700 })
    await replace(fileOf(kind, name), JSON.stringify({ by, about } satisfies Note), { mode: 0o600 })
  },
  forget: (kind: string, name: string) => remove(fileOf(kind, name)),
}

const fileOf = (kind: string, name: string) => `${places.notes}/${kind}/${name}`
