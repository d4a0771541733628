import { lstat, readdir } from 'node:fs/promises'
import type { Driver } from '../../../kit/driver.ts'
import { absent, must, notes, places, read, replace, run } from '../../../kit/host.ts'

export const TAKEN = 'in-place'
const RESTED = 'panel-rested'
const MARK = '#innkeeper# '
const crontabs = '/var/spool/cron/crontabs'
const panel = /\/usr\/local\/(?:hestia|vesta|ispconfig)\//
const units = ['hestia', 'vesta']

/** A file with jobs by which a panel writes its configuration again, and the file without them. */
interface Jobs {
  file: string
  text: string
  after: string
}

/** Cron jobs of a panel that would write over what Innkeeper serves. */
export async function panelJobs(): Promise<Jobs[]> {
  const names = async (folder: string) =>
    ((await readdir(folder).catch(absent)) ?? []).toSorted().map((name) => `${folder}/${name}`)
  const found: Jobs[] = []
  for (const file of ['/etc/crontab', ...(await names('/etc/cron.d')), ...(await names(crontabs))]) {
    const text = (await lstat(file).catch(absent))?.isFile() ? await read(file) : undefined
    const after = text?.replace(/^(?!\s*#).*$/gm, (line) => (panel.test(line) ? `${MARK}${line}` : line))
    if (text !== undefined && after !== undefined && after !== text) found.push({ file, text, after })
  }
  return found
}

/** Services of a panel by which people would write its configuration again. */
export async function panelUnits(): Promise<string[]> {
  const found: string[] = []
  for (const unit of units)
    if ((await run(['systemctl', 'is-active', '--quiet', `${unit}.service`])).code === 0) found.push(`${unit}.service`)
  return found
}

const othersTaken = async () => ((await readdir(`${places.notes}/${TAKEN}`).catch(absent)) ?? []).length

/** Stops the jobs of the panel. The undo of the last website that was taken over starts them again. */
export const restPanel: Driver<'panel.rest'> = {
  async run({ actionId, say, fence }) {
    const before = await notes.find(RESTED, 'panel')
    const stopped = [...new Set([...(before?.about.units?.split(' ').filter(Boolean) ?? []), ...(await panelUnits())])]
    const jobs = await panelJobs()
    if (!before || stopped.length)
      await notes.keep(RESTED, 'panel', before?.by ?? actionId, { units: stopped.join(' ') })
    fence()
    for (const { file, after } of jobs) await write(file, after)
    for (const unit of stopped) await must(['systemctl', 'disable', '--now', '--quiet', unit])
    say(
      jobs.length || stopped.length
        ? `${[...jobs.map(({ file }) => file), ...stopped].join(', ')}: at rest`
        : 'no panel writes here',
    )
  },
  async undo({ say, fence }) {
    const note = await notes.find(RESTED, 'panel')
    if (!note) return say('the panel was not stopped')
    if (await othersTaken()) return say('the panel stays at rest: other websites here were taken over')
    fence()
    for (const { file, text, after } of await rested()) if (after !== text) await write(file, after)
    for (const unit of note.about.units?.split(' ').filter(Boolean) ?? [])
      await must(['systemctl', 'enable', '--now', '--quiet', unit])
    await notes.drop(RESTED, 'panel')
    say('the panel works again')
  },
  async inspect({ task }) {
    if (task === 'undo') return (await notes.find(RESTED, 'panel')) && !(await othersTaken()) ? 'no' : 'yes'
    return (await panelJobs()).length || (await panelUnits()).length ? 'no' : 'yes'
  },
}

async function rested(): Promise<Jobs[]> {
  const found: Jobs[] = []
  for (const folder of ['/etc/cron.d', crontabs])
    for (const name of (await readdir(folder).catch(absent)) ?? []) found.push(...(await restedIn(`${folder}/${name}`)))
  return [...found, ...(await restedIn('/etc/crontab'))]
}
async function restedIn(file: string): Promise<Jobs[]> {
  const text = (await lstat(file).catch(absent))?.isFile() ? await read(file) : undefined
  return text === undefined ? [] : [{ file, text, after: text.replaceAll(/^#innkeeper# /gm, '') }]
}

/** Keeps mode and owner, by which cron judges a file. */
async function write(file: string, text: string): Promise<void> {
  const { mode, uid, gid } = await lstat(file)
  await replace(file, text, { mode: mode & 0o7777, owner: { uid, gid } })
}
