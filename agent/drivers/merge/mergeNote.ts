import { readdir, rm, stat } from 'node:fs/promises'
import { absent, ensureDirectory, notes, places, read, replace } from '../../kit/host.ts'
import type { Entry } from '../files/tree.ts'
import type { Swap } from './swaps.ts'

/** A merge of files, or with `back` its revert. Three actions share it: prepare, swap, keep. */
export interface Which {
  merge: number
  back?: boolean | undefined
}
export interface MergeNote {
  by: number
  swaps: Swap[]
  /** The swaps may have begun: the folder beside the website may contain the former files. */
  begun: boolean
  /** For a revert: the action whose trash entries it brought. */
  from?: number
}
/** Listings of a merge, which are too long for a note. */
export interface Listings {
  /** The live website as people saw it. */
  seen: Entry[]
  /** The prepared files. */
  coming: Entry[]
  /** The live website right before the swap. */
  swapped?: Entry[]
  /** The live website right after the swap, for a revert. Replaces the others once the merge is complete. */
  merged?: Entry[]
}

const KIND = 'merged-files'
const nameOf = ({ merge, back }: Which) => `${merge}${back ? '-back' : ''}`
const folder = `${places.state}/copies`
const listingsOf = (which: Which) => `${folder}/merge-${nameOf(which)}.json`

/**
 * Name of the folder beside the website in which a merge prepares its files, and which contains the former files after
 * the swap.
 */
export const asideOf = (path: string, which: Which): string => `${path}.merging-${nameOf(which)}`

/** Label of the trash entry for what a swap replaced. */
export const labelOf = ({ back }: Which, i: number): string => `${back ? 'merged' : 'before-merge'}-${i}`

export const mergeNotes = {
  async find(which: Which): Promise<MergeNote | undefined> {
    const note = await notes.find(KIND, nameOf(which))
    if (!note) return undefined
    const { swaps, begun, from } = note.about // written by `keep`
    return {
      by: note.by,
      swaps: JSON.parse(swaps ?? '[]'),
      begun: begun === 'yes',
      ...(from !== undefined && { from: Number(from) }),
    }
  },
  keep: (which: Which, { by, swaps, begun, from }: MergeNote) =>
    notes.keep(KIND, nameOf(which), by, {
      swaps: JSON.stringify(swaps),
      begun: begun ? 'yes' : 'no',
      ...(from !== undefined && { from: `${from}` }),
    }),
  drop: (which: Which) => notes.drop(KIND, nameOf(which)),
}

export const listings = {
  async find(which: Which): Promise<Listings | undefined> {
    const text = await read(listingsOf(which)).catch(absent)
    return text === undefined ? undefined : (JSON.parse(text) as Listings) // written by `keep`
  },
  async keep(which: Which, all: Listings): Promise<void> {
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(listingsOf(which), JSON.stringify(all), { mode: 0o600 })
  },
  drop: (which: Which) => rm(listingsOf(which), { force: true }),
  /** Deletes the listings of merges that can no longer be reverted: the trash keeps their files for `days` days. */
  async clear(days: number): Promise<void> {
    for (const name of (await readdir(folder).catch(absent)) ?? []) {
      if (!/^merge-\d+\.json$/.test(name)) continue
      const there = await stat(`${folder}/${name}`).catch(absent)
      if (there && there.mtimeMs < Date.now() - days * 86_400_000) await rm(`${folder}/${name}`, { force: true })
    }
  },
}
