import { ensureDirectory, read, remove, replace } from './files.ts'
import { places } from './places.ts'

/** `by` is the action that created or took over the resource; `about` is the data that its undo needs. */
export interface Note {
  by: number
  about: Record<string, string>
}

/**
 * Records which action created or took over a resource of this machine, before the change. Undo of that action reverts
 * the change; undo of any other action leaves the resource. Callers check `kind` and `name` against allow-lists.
 */
export const notes = {
  async find(kind: string, name: string): Promise<Note | undefined> {
    const text = await read(fileOf(kind, name))
    return text === undefined ? undefined : (JSON.parse(text) as Note) // the format of `keep`
  },
  async keep(kind: string, name: string, by: number, about: Note['about'] = {}): Promise<void> {
    await ensureDirectory(`${places.notes}/${kind}`, { mode: 0o700 })
    await replace(fileOf(kind, name), JSON.stringify({ by, about } satisfies Note), { mode: 0o600 })
  },
  drop: (kind: string, name: string) => remove(fileOf(kind, name)),
}

const fileOf = (kind: string, name: string) => `${places.notes}/${kind}/${name}`
