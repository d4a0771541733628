import { homeQuota, notes, quotaCommand, run } from '../../kit/host.ts'

/** What holds an account to its disk: `why` says what does not. */
export interface Held {
  enforced: boolean
  why: string | null
}
const KIND = 'disk-limit'

/** The MiB that were asked for last; undefined: nobody has. */
export async function diskLimitOf(username: string): Promise<number | undefined> {
  const note = await notes.find(KIND, username)
  return note && Number(note.about.mb)
}

/**
 * Holds an account to so many MiB where the file system of /home can; where it cannot, its use is measured and this says
 * why. What was asked for is noted either way: a server that gets quotas later needs no more than the same once again.
 */
export async function setDiskLimit(username: string, mb: number, by: number): Promise<Held> {
  await notes.keep(KIND, username, by, { mb: `${mb}` })
  return put(username, mb)
}

/** An account that goes leaves no limit to whoever has its number next. */
export async function dropDiskLimit(username: string): Promise<void> {
  if ((await diskLimitOf(username)) === undefined) return
  await put(username, 0)
  await notes.forget(KIND, username)
}

async function put(username: string, mb: number): Promise<Held> {
  const quota = await homeQuota()
  if (!quota.able) return { enforced: false, why: quota.why }
  const ran = await run(quotaCommand(username, mb, quota.mount))
  // mounted for quotas, and nobody has turned them on: the machine is as it was
  if (ran.code !== 0)
    return { enforced: false, why: ran.stderr.trim().split('\n')[0]?.slice(0, 200) || 'setquota failed' }
  return { enforced: true, why: null }
}

/** Whether the limit of an account is held now, without changing anything. */
export async function diskHeld(username: string): Promise<Held> {
  const quota = await homeQuota()
  if (!quota.able) return { enforced: false, why: quota.why }
  const mb = await diskLimitOf(username)
  return mb ? { enforced: true, why: null } : { enforced: false, why: 'no limit was set yet: save its plan once more' }
}
