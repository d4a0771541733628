import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, replace } from '../../kit/host.ts'
import {
  ask,
  bucketOf,
  listOf,
  local,
  must,
  ownerAccount,
  type Reached,
  type Remote,
  remoteEnv,
  type Said,
  whyOf,
} from './ask.ts'
import { freeLocks } from './locks.ts'
import { leavingNoLock } from './running.ts'
import { s3Args } from './s3.ts'
import { passwords } from './server.ts'

const caches = '/var/cache/innkeeper-backup-copy'
const NO_REPOSITORY = 10
/** Snapshots per run of restic; after each run, the snapshots of the target are listed. */
const BATCH = 100
type Wanted = Remote & { from: string; fromPassword: string }
const sourceOf = ({ from, fromPassword }: Wanted) => ({ account: from, password: fromPassword })

/**
 * A repository of another backup server, reached as the account that owns the repositories here. It can append there and
 * read, not remove: whoever takes over this server leaves the copy as it is. A copy in a bucket lacks this protection.
 */
async function copying(to: Wanted): Promise<Reached> {
  const reached = await local(sourceOf(to))
  const account = await ownerAccount()
  await ensureDirectory(caches, { mode: 0o700, owner: account })
  const { RESTIC_REPOSITORY = '', ...env } = reached.env
  const from = { RESTIC_FROM_REPOSITORY: RESTIC_REPOSITORY, RESTIC_FROM_PASSWORD: to.fromPassword }
  const cached = ['--cache-dir', caches, '--cleanup-cache']
  const both = { ...reached, env: { ...env, ...remoteEnv(to), ...from } }
  const bucket = bucketOf(to)
  if (bucket) return { ...both, args: [...s3Args(bucket.s3), ...cached], bucket }
  const trusted = `${passwords.slice(0, passwords.lastIndexOf('/'))}/${to.account}-${to.port}.pem`
  await replace(trusted, to.certificate ?? '', { mode: 0o640, owner: { uid: 0, gid: account.gid } })
  return { ...both, args: ['--cacert', trusted, ...cached] }
}

/**
 * Creates the repository of a copy, with the chunker parameters of the original, so that restic recognises data that is
 * stored already.
 */
export const prepareCopy: Driver<'backup-copy.prepare'> = {
  async run({ input, say, fence }) {
    const reached = await copying(input)
    const opened = await ask(reached, ['cat', 'config', '--no-lock', '--json'])
    if (opened.code === 0) return say(`${input.account} opens with its password`)
    if (opened.code !== NO_REPOSITORY) throw new Error(whyOf(opened))
    fence()
    await must(reached, ['init', '--copy-chunker-params', '--json'])
    say(`${input.account} is a new repository with the chunker parameters of ${input.from}`)
  },
  undo: async ({ say }) => say('the repository stays'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/**
 * Copies snapshots with the data that the other repository lacks. A run uses the data that an interrupted run uploaded.
 * Answers the id of each copied snapshot; `missing`: snapshots that somebody removed here.
 */
export const runCopy: Driver<'backup-copy.run'> = {
  async run({ input, say, fence, stop }) {
    const { snapshots, limit, from } = input
    const [reached, source] = [await copying(input), await local(sourceOf(input))]
    const here = new Set((await snapshotsOf(source)).map(({ id }) => id))
    const there = await copiesIn(reached)
    const wanted = snapshots.filter((id) => here.has(id) && !there.has(id))
    say(`${wanted.length} of ${snapshots.length} snapshots are to be copied`)
    const limits = limit === undefined ? [] : ['--limit-upload', `${limit}`]
    for (let at = 0; at < wanted.length; at += BATCH) {
      fence()
      await freeLocks(from, source)
      const words = ['copy', '--retry-lock', '2h', ...limits, ...wanted.slice(at, at + BATCH)]
      const said = await leavingNoLock(input, `copy-${from}`, reached, words, { stop })
      await freeLocks(from, source)
      if (said.code !== 0) throw new Error(whyOf(said))
      say(`${Math.min(at + BATCH, wanted.length)} of ${wanted.length} snapshots are copied`)
    }
    // an exit code proves nothing, so list the copies
    const after = wanted.length ? await copiesIn(reached) : there
    const lacking = wanted.filter((id) => !after.has(id))
    if (lacking.length) throw new Error(`${lacking.length} snapshots are not in the copy`)
    const copied = snapshots.flatMap((snapshot) => {
      const copy = after.get(snapshot)
      return copy ? [{ snapshot, copy }] : []
    })
    return { copied, added: wanted.length, missing: snapshots.filter((id) => !here.has(id) && !after.has(id)) }
  },
  undo: async ({ say }) => say('copied snapshots stay until they are forgotten'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Snapshots with the id that each had in the repository from which it was copied. */
async function copiesIn(reached: Reached): Promise<Map<string, string>> {
  return new Map((await snapshotsOf(reached)).flatMap(({ id, original }) => (original ? [[original, id]] : [])))
}

async function snapshotsOf(reached: Reached): Promise<{ id: string; original: string | undefined }[]> {
  const said: Said = await must(reached, ['snapshots', '--json', '--no-lock'])
  return listOf(said).flatMap(({ id, original }) =>
    typeof id === 'string' ? [{ id, original: typeof original === 'string' ? original : undefined }] : [],
  )
}
