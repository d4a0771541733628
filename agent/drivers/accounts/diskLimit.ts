import { homeQuota, notes, ofMb, type QuotaLimits, quotaCommand, run } from '../../kit/host.ts'

/** Whether the kernel enforces the disk limit of an account; `why` gives the reason if not. */
export interface Held {
  enforced: boolean
  why: string | null
}
const KIND = 'disk-limit'

/** The MiB of the last requested limit; undefined if nobody has requested one. */
export async function diskLimitOf(username: string): Promise<number | undefined> {
  const note = await notes.find(KIND, username)
  return note && Number(note.about.mb)
}

/**
 * Sets the quota of an account if the file system of /home has quotas; otherwise answers why the limit is only
 * measured. The note keeps the requested limit, so that the same call enforces the limit once the server has quotas.
 */
export async function setDiskLimit(username: string, mb: number, by: number): Promise<Held> {
  await notes.keep(KIND, username, by, { mb: `${mb}` })
  return put(username, ofMb(mb))
}

/**
 * Removes the limit of a deleted account, so that the next account with its uid does not inherit the limit. `former`: the limits
 * that somebody else had set before.
 */
export async function dropDiskLimit(username: string, former: QuotaLimits = ofMb(0)): Promise<Held | undefined> {
  if ((await diskLimitOf(username)) === undefined) return undefined
  const held = await put(username, former)
  await notes.drop(KIND, username)
  return held
}

async function put(username: string, limits: QuotaLimits): Promise<Held> {
  const quota = await homeQuota()
  if (!quota.able) return { enforced: false, why: quota.why }
  const ran = await run(quotaCommand(username, limits, quota.mount))
  // mounted with quota options, but quotas are switched off: leave the machine as it is
  if (ran.code !== 0)
    return { enforced: false, why: ran.stderr.trim().split('\n')[0]?.slice(0, 200) || 'setquota failed' }
  return { enforced: true, why: null }
}

/** Whether the kernel enforces the limit of an account now. Changes nothing. */
export async function diskHeld(username: string): Promise<Held> {
  const quota = await homeQuota()
  if (!quota.able) return { enforced: false, why: quota.why }
  const mb = await diskLimitOf(username)
  return mb ? { enforced: true, why: null } : { enforced: false, why: 'no limit was set yet: save its plan once more' }
}
