import { existsSync } from 'node:fs'
import { readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ResetPreview } from '@innkeeper/contract/agent/configs'
import type * as z from 'zod'
import type { Context, Driver } from '../../kit/driver.ts'
import { asideOf, asReset, ensureDirectory, exclusive, noteWrite, remove, replace, syncFolder } from '../../kit/host.ts'
import { type Change, changesOf, isSame, type Standing, standingAt } from './changes.ts'
import { resets } from './secrets.ts'
import { type ConfigSource, sourceOf } from './services.ts'

type Voice = Pick<Context<'configs.reset'>, 'say' | 'fence'>

export const previewReset: Driver<'configs.preview'> = {
  async run({ input }): Promise<z.input<typeof ResetPreview>> {
    const { judged } = await changesOf(input)
    return { files: judged, effect: sourceOf(input.service).effect }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Restores files of a service, or leaves everything as it was. */
export const resetConfigs: Driver<'configs.reset'> = {
  async run(c) {
    const source = sourceOf(c.input.service)
    // `take` and `judge` do not acquire the lock that a web server's own changes hold, so acquire it here
    return exclusive(source.key, async () => {
      await putBackIfCut(c, source)
      const { changes, judged } = await changesOf(c.input)
      const kept = judged.filter(({ act }) => act === 'kept')
      for (const { path, reason } of kept) c.say(`${path} stays: ${reason}`)
      const counts = { changed: changes.length, kept: kept.length, same: judged.length - changes.length - kept.length }
      if (!changes.length) {
        c.say('all files are as in this version already')
        return counts
      }
      await keepBefore(c.actionId, changes, 'begun')
      const better = await source.watch?.()
      try {
        c.fence()
        await write(changes, 'to')
        await source.judge?.()
        c.fence()
        await source.take?.()
        await better?.()
      } catch (error) {
        await putBack(c, source, changes)
        await rm(noteOf(c.actionId), { force: true })
        throw error
      }
      await keepBefore(c.actionId, changes, 'done')
      c.say(`${changes.length} ${changes.length === 1 ? 'file is' : 'files are'} as in the version; ${source.effect}`)
      return counts
    })
  },
  async undo(c) {
    const source = sourceOf(c.input.service)
    return exclusive(source.key, async () => {
      const before = await readBefore(c.actionId)
      if (!before) return c.say('nothing was changed')
      const [now, later] = [[] as Change[], [] as Change[]]
      for (const change of before.changes)
        (isSame(await standingAt(change.path), change.to) || before.state === 'begun' ? now : later).push(change)
      for (const { path } of later) c.say(`${path} was changed since and stays`)
      c.fence()
      await putBack(c, source, now)
      await rm(noteOf(c.actionId), { force: true })
    })
  },
  async inspect({ task, actionId }) {
    const before = await readBefore(actionId)
    if (task === 'undo') return before ? 'no' : 'yes'
    return before?.state === 'done' ? 'yes' : 'no'
  },
}

/** Restores the former files if an earlier attempt was killed halfway, so that this attempt starts from them. */
async function putBackIfCut(c: Context<'configs.reset'>, source: ConfigSource): Promise<void> {
  const before = await readBefore(c.actionId)
  if (before?.state === 'begun') await putBack(c, source, before.changes)
}

async function putBack({ say }: Voice, source: ConfigSource, changes: readonly Change[]): Promise<void> {
  await write(changes, 'from')
  await Promise.resolve(source.take?.()).then(
    () => say('the former files are restored'),
    (error: Error) => say(`the former files are restored; the service does not load them: ${error.message}`),
  )
}

const write = (changes: readonly Change[], side: 'from' | 'to') =>
  asReset(async () => {
    for (const { path, [side]: wanted } of changes) {
      if (!wanted) await remove(path)
      else await put(path, wanted)
    }
  })

async function put(path: string, wanted: Standing): Promise<void> {
  if (!existsSync(dirname(path))) await ensureDirectory(dirname(path))
  const there = await standingAt(path)
  if ('target' in wanted) {
    const aside = asideOf(path)
    await rm(aside, { force: true })
    await symlink(wanted.target, aside)
    noteWrite(path, wanted.target)
    await rename(aside, path)
    return syncFolder(dirname(path))
  }
  if (there && 'target' in there) await remove(path)
  await replace(path, wanted.content, { mode: wanted.mode, owner: { uid: wanted.uid, gid: wanted.gid } })
}

/** The files before a reset, for its undo. Only root can read this note, because the contents may include secrets. */
interface Before {
  /** `begun`: some of the files may have been changed already. */
  state: 'begun' | 'done'
  changes: Change[]
}
const noteOf = (actionId: number) => `${resets}/${actionId}`
type Packed = { target: string } | { base64: string; mode: number; uid: number; gid: number } | null

async function keepBefore(actionId: number, changes: readonly Change[], state: Before['state']): Promise<void> {
  await ensureDirectory(resets, { mode: 0o700 })
  const packed = changes.map(({ path, from, to }) => ({ path, from: pack(from), to: pack(to) }))
  await replace(noteOf(actionId), JSON.stringify({ state, changes: packed }), { mode: 0o600 })
}

async function readBefore(actionId: number): Promise<Before | undefined> {
  if (!existsSync(noteOf(actionId))) return undefined
  // the format of keepBefore
  const note = JSON.parse(await readFile(noteOf(actionId), 'utf8')) as {
    state: Before['state']
    changes: { path: string; from: Packed; to: Packed }[]
  }
  return { ...note, changes: note.changes.map(({ path, from, to }) => ({ path, from: unpack(from), to: unpack(to) })) }
}

function pack(one: Standing | undefined): Packed {
  if (!one || 'target' in one) return one ?? null
  const { content, ...rest } = one
  return { base64: content.toString('base64'), ...rest }
}
function unpack(one: Packed): Standing | undefined {
  if (!one) return undefined
  if ('target' in one) return one
  const { base64, ...rest } = one
  return { content: Buffer.from(base64, 'base64'), ...rest }
}
