import type { ConfigDiff } from '@innkeeper/contract/recovery/configs/shapes'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { diffOf } from '../../../net/vhosts/diff.ts'
import { configBlobs } from '../tables.ts'
import { readVersion, type State, statesOf, versionBefore } from './read.ts'

/** Maximum number of files whose lines one answer shows; further files are listed without lines. */
const MOST_FILES = 200

/** Differences between two versions of a service, also of two servers. Without `withId`: to the previous version. */
export async function diffVersions(db: Db, id: number, withId: number | undefined): Promise<ConfigDiff> {
  const to = await readVersion(db, id)
  const fromId = withId ?? (await versionBefore(db, to))
  const from = fromId === null ? null : await readVersion(db, fromId)
  if (from && from.service !== to.service)
    throw refused('Only versions of the same service can be compared', { with: `Is a version of ${from.service}` })
  const [before, after] = [from ? await statesOf(db, from) : [], await statesOf(db, to)]
  const earlier = new Map(before.map((state) => [state.path, state]))
  const later = new Map(after.map((state) => [state.path, state]))
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].toSorted()
  const pairs = paths.map((path) => ({ path, was: earlier.get(path), is: later.get(path) }))
  const differing = pairs.filter(
    ({ was, is }) => !was || !is || notesOf(was, is).length || textKey(was) !== textKey(is),
  )
  const texts = await textsOf(
    db,
    differing.slice(0, MOST_FILES).flatMap(({ was, is }) => [was, is]),
  )
  return {
    from: { id: from?.id ?? null, number: from?.number ?? 0, collectedAt: from?.collectedAt ?? null },
    to: { id: to.id, number: to.number, collectedAt: to.collectedAt },
    files: differing.map(({ path, was, is }, n) => {
      const about = (is ?? was) as State // a changed file has at least one of both states
      const text = (state: State | undefined) => (state ? (texts.get(state.hash ?? '') ?? state.target ?? '') : '')
      return {
        path,
        change: is ? (was ? 'changed' : 'added') : 'removed',
        by: is ? is.by : (was?.removedBy ?? 'unknown'),
        package: about.package,
        changedAt: about.changedAt,
        lines: n < MOST_FILES ? diffOf(text(was), text(is)) : [],
        notes: was && is ? notesOf(was, is) : hiddenNote(about),
      }
    }),
  }
}

const textKey = ({ hash, target }: State) => hash ?? target
const octal = (mode: number) => mode.toString(8).padStart(3, '0')
const hidden = { secret: 'a secret: only its checksum is collected', binary: 'a binary file', large: 'a large file' }
const hiddenNote = (state: State) => (state.hidden ? [hidden[state.hidden]] : [])

function notesOf(was: State, is: State): string[] {
  return [
    ...(was.mode !== is.mode ? [`mode ${octal(was.mode)} → ${octal(is.mode)}`] : []),
    ...(was.owner !== is.owner ? [`owner ${was.owner} → ${is.owner}`] : []),
    ...(was.group !== is.group ? [`group ${was.group} → ${is.group}`] : []),
    ...(was.kind !== is.kind ? [is.kind === 'link' ? 'a symlink now' : 'a file now'] : []),
    ...(is.hidden && (was.seal !== is.seal || was.hash !== is.hash)
      ? [`the content differs: ${hidden[is.hidden]}`]
      : []),
    ...(!is.hidden && was.seal !== is.seal && was.hash === is.hash ? ['a secret differs'] : []),
  ]
}

async function textsOf(db: Db, states: readonly (State | undefined)[]): Promise<Map<string, string>> {
  const hashes = [...new Set(states.flatMap((state) => (state?.hash && !state.hidden ? [state.hash] : [])))]
  if (!hashes.length) return new Map()
  const found = await db.select().from(configBlobs).where(inArray(configBlobs.hash, hashes))
  return new Map(found.map(({ hash, content }) => [hash, Buffer.from(content, 'base64').toString()]))
}
