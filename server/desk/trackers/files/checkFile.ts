import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { MiB } from '@innkeeper/contract/kit/transfer'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readConfig } from './config.ts'
import { filesOf } from './view.ts'

/** A file that somebody wants to attach. */
export interface Candidate {
  name: string
  size: number
  type: string
}

/**
 * File name extensions with a type that the content must have: a file with the extension of a picture must be a
 * picture.
 */
const endings: Record<string, readonly string[]> = {
  png: ['image/png'],
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  pdf: ['application/pdf'],
  zip: ['application/zip'],
  gz: ['application/gzip'],
  mp4: ['video/mp4'],
  webm: ['video/webm'],
}

/** Why a file may not be attached; undefined if it may. */
function problemOf({ name, size, type }: Candidate, config: { maxSizeMb: number; mimeTypes: readonly string[] }) {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const expected = endings[ending]
  if (expected && !expected.includes(type)) return `${name} is ${type}, not ${ending}`
  if (!config.mimeTypes.includes(type)) return `${name} is ${type}, which may not be attached`
  if (size > config.maxSizeMb * MiB) return `${name} is larger than ${config.maxSizeMb} MB`
  return undefined
}

/** Throws 422 beside `field` for a file that may not be attached, or for too many files of one item. */
export async function check(
  db: Db,
  tracker: Tracker,
  itemId: number,
  candidates: readonly Candidate[],
  field: string,
): Promise<void> {
  const config = await readConfig(db, tracker)
  const problem = candidates.map((one) => problemOf(one, config)).find((text) => text !== undefined)
  if (problem) throw refused(problem, { [field]: problem })
  const there = await filesOf(db, itemId)
  if (there.length + candidates.length > config.maxFiles)
    throw refused(`At most ${config.maxFiles} files: ${there.length} are attached`, {
      [field]: `At most ${config.maxFiles} files per item`,
    })
}
