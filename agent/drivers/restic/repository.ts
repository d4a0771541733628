import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { bringBack, exclusive, run, throwAway, thrown } from '../../kit/host.ts'
import { kept } from '../files/restored.ts'
import { ask, bucketOf, listOf, local, messageOf, must, type Reached, repositoryPath, whyOf } from './ask.ts'
import { blobsOf, forgetTrees } from './blobs.ts'
import { freeLocks, patiently } from './locks.ts'
import { keepReserve, withRoom } from './room.ts'
import { checkStore, sizeOfStored } from './s3.ts'
import { accountLine, setAccountLine } from './server.ts'

const NO_REPOSITORY = 10

/** Creates a repository on this backup server. An existing one must open with the password and is never replaced. */
export const ensureRepository: Driver<'backup-repository.ensure'> = {
  run: (c) =>
    exclusive(`repository ${c.input.account}`, async () => {
      const reached = await local(c.input)
      if (reached.bucket || existsSync(`${repositoryPath(c.input.account)}/config`)) {
        const opened = await ask(reached, ['cat', 'config', '--no-lock', '--json'])
        if (opened.code === 0) return c.say(`${c.input.account} opens with its password`)
        if (!reached.bucket || opened.code !== NO_REPOSITORY) throw new Error(whyOf(opened))
      }
      c.fence()
      await must(reached, ['init', '--json'])
      c.say(`${c.input.account} is a new repository`)
    }),
  async undo({ say }) {
    say('the repository stays')
  },
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Fails unless the password opens the repository. */
export const openRepository: Driver<'backup-repository.open'> = {
  async run({ input, say }) {
    await must(await local(input), ['cat', 'config', '--no-lock', '--json'])
    say(`${input.account} opens with this password`)
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}

export const checkBucket: Driver<'backup-store.check'> = {
  async run({ input, say }) {
    await checkStore(input)
    say(`${input.s3.bucket} keeps, lists and removes what it is given`)
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}

export const removeRepository: Driver<'backup-repository.remove'> = {
  run: (c) =>
    exclusive(`repository ${c.input.account}`, async () => {
      const line = await accountLine(c.input.account)
      c.fence()
      const about = { ...kept(c.input), ...(line && { line }) }
      await throwAway(c.actionId, repositoryPath(c.input.account), 'repository', about)
      await setAccountLine(c.input.account)
      await forgetTrees(c.input.account)
      c.say(`${c.input.account} is in the trash`)
    }),
  async undo(c) {
    const there = await thrown(c.actionId, 'repository')
    if (!there) return c.say('nothing was moved into the trash')
    c.fence()
    await bringBack(there)
    if (there.about.line) await setAccountLine(c.input.account, String(there.about.line))
    c.say(`${c.input.account} is out of the trash`)
  },
  async inspect({ input: { account }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, 'repository')) ? 'no' : 'yes'
    return existsSync(repositoryPath(account)) ? 'no' : 'yes'
  },
}

/** Forgets snapshots, then lists the snapshots again, because exit code 0 of forget proves nothing. */
export const forgetSnapshots: Driver<'backup-repository.forget'> = {
  async run({ input, say, fence }) {
    const reached = await local(input)
    const there = await snapshotsIn(reached)
    const mine = input.snapshots.filter((id) => there.has(id))
    if (mine.length < input.snapshots.length) say(`${input.snapshots.length - mine.length} snapshots were gone already`)
    for (let from = 0; from < mine.length; from += 200) {
      fence()
      const words = ['forget', '--json', ...mine.slice(from, from + 200)]
      const said = await withRoom(() => patiently(input, words, say), reached.bucket)
      if (said.code !== 0) throw new Error(whyOf(said))
    }
    const after = await snapshotsIn(reached)
    const stayed = input.snapshots.filter((id) => after.has(id))
    if (stayed.length) throw new Error(`${stayed.length} snapshots are still there: is the repository append-only?`)
    say(`${mine.length} snapshots are forgotten, ${after.size} remain`)
    return { forgotten: mine.length, remaining: after.size }
  },
  async undo({ say }) {
    say('a snapshot that was forgotten cannot be brought back')
  },
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

export const pruneRepository: Driver<'backup-repository.prune'> = {
  run: (c) =>
    exclusive(`prune ${c.input.account}`, async () => {
      const bucket = bucketOf(c.input)
      const before = await sizeOf(c.input.account, bucket)
      c.fence()
      const said = await withRoom(
        // on a full disk nothing can be repacked: remove only packs that are completely unused
        (full) => patiently(c.input, ['prune', ...(full ? ['--max-unused', 'unlimited'] : [])], c.say),
        bucket,
      )
      if (said.code !== 0) throw new Error(whyOf(said))
      const size = await sizeOf(c.input.account, bucket)
      c.say(`${c.input.account}: ${before - size} of ${before} bytes are free again`)
      return { before, size }
    }),
  async undo({ say }) {
    say('data that no snapshot needed is gone')
  },
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

export const checkRepository: Driver<'backup-repository.check'> = {
  async run({ input, say }) {
    const there = input.snapshots && (await snapshotsIn(await local(input)))
    const missing = input.snapshots?.filter((id) => !there?.has(id)) ?? []
    const share = input.share ? [`--read-data-subset=${input.share}%`] : []
    const said = await patiently(input, ['check', '--json', ...share], say)
    const errors = messageOf(said, 'summary')?.num_errors
    // a check that was interrupted or never began says nothing about the repository
    if (said.code > 1) throw new Error(`${input.account} was not checked: ${whyOf(said)}`)
    if (said.code !== 0 || (typeof errors === 'number' && errors > 0)) {
      const found = said.messages.flatMap((one) => (one.message_type === 'error' ? [String(one.message)] : []))
      throw new Error([`${input.account} is damaged`, ...found.slice(0, 5), whyOf(said)].join('; ').slice(0, 1800))
    }
    say(`${input.account} is whole${input.share ? `, and so is ${input.share} % of its data` : ''}`)
    if (missing.length) say(`${missing.length} snapshots are missing: somebody removed them`)
    return { good: true, missing }
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}

export const unlockRepository: Driver<'backup-repository.unlock'> = {
  async run({ input, say, fence }) {
    const reached = await local(input)
    fence()
    const left = await freeLocks(input.account, reached)
    say(left.length ? `${left.length} locks are in use and stay` : 'there is no lock')
    return { left: left.length }
  },
  async undo({ say }) {
    say('removed stale locks are not restored')
  },
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

export const lookAtRepository: Driver<'backup-repository.look'> = {
  async run({ input, say }) {
    const reached = await local(input)
    const [locks, there] = [await freeLocks(input.account, reached), await snapshotsIn(reached)]
    const size = await sizeOf(input.account, reached.bucket)
    if (!reached.bucket) {
      await keepReserve()
      await blobsOf(input).catch(() => undefined) // so that people who browse a backup need not wait for it
    }
    say(`${there.size} snapshots, ${size} bytes, ${locks.length} locks`)
    return { size, snapshots: there.size, locks }
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}

async function snapshotsIn(reached: Reached): Promise<Set<string>> {
  const said = await must(reached, ['snapshots', '--json', '--no-lock'])
  return new Set(listOf(said).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))
}

/** Bytes on disk, or in the bucket. */
async function sizeOf(account: string, bucket?: Reached['bucket']): Promise<number> {
  if (bucket) return sizeOfStored(bucket, account)
  const path = repositoryPath(account)
  if (!(await lstat(path).catch(() => undefined))) return 0
  const { stdout } = await run(['du', '--summarize', '--bytes', '--', path])
  return Number(stdout.split('\t')[0]) || 0
}
