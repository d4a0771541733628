import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, notes, replace } from '../../kit/host.ts'
import { sealFor } from '../../kit/sealed.ts'
import { crontabOf, program, setCrontab } from '../accounts/crontab.ts'
import { jobsOf, joined, parted, relocated } from '../accounts/crontabText.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { local, must, type Reached, remote } from './ask.ts'
import { answer, hostOf, limited, progress, RETRY } from './backup.ts'
import { leavingNoLock } from './running.ts'

/** The file of a snapshot with the settings of a website. */
const name = 'settings.json'
const folder = '/run/innkeeper/backup'
const NOTED = 'crontab-restored'
const MOST = 20_000_000

/** The settings as Innkeeper knows them, and the cron jobs, which only this machine knows. */
interface Kept {
  settings: unknown
  crontab: string[]
}

export const backupSettings: Driver<'backup-settings.run'> = {
  async run(c) {
    const { website, backup, username, folders, everything, text, limit } = c.input
    await siteAccount(username)
    const { goes } = parted(await crontabOf(username), folders, everything)
    const kept: Kept = { settings: JSON.parse(text), crontab: goes }
    await ensureDirectory('/run/innkeeper', { mode: 0o755 })
    await ensureDirectory(folder, { mode: 0o700 })
    const file = `${folder}/settings-${website}.json`
    try {
      await replace(file, `${JSON.stringify(kept, null, 1)}\n`, { mode: 0o600 })
      const words = [
        ...['backup', '--json', '--host', hostOf(website), '--tag', `backup-${backup}`, '--tag', hostOf(website)],
        ...['--tag', 'settings', '--retry-lock', RETRY, ...limited(limit)],
        ...['--stdin-filename', name, '--stdin-from-command', '--', 'cat', file],
      ]
      c.fence()
      const reached = await remote(c.input)
      const asking = { progress: progress(c.say), stop: c.stop }
      const said = await leavingNoLock(c.input, `settings-${website}`, reached, words, asking)
      return { ...answer(said, c.say), jobs: jobsOf(goes) }
    } finally {
      await rm(file, { force: true })
    }
  },
  undo: async ({ say }) => say('a snapshot stays until it is forgotten'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** The settings of a snapshot. */
async function settingsIn(reached: Reached, snapshot: string): Promise<Kept> {
  const parts: Buffer[] = []
  let size = 0
  const to = new Writable({
    write(part: Buffer, _, done) {
      size += part.length
      parts.push(part)
      done(size > MOST ? new Error('the settings of this backup are too large') : undefined)
    },
  })
  await must(reached, ['dump', '--no-lock', snapshot, `/${name}`], { to })
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Kept // written above
}

export const readSettings: Driver<'backup-settings.read'> = {
  run: async ({ input: { snapshot, reader, ...repository } }) => ({
    sealed: sealFor(reader, JSON.stringify((await settingsIn(await local(repository), snapshot)).settings)),
  }),
  undo: async () => undefined,
  inspect: async () => 'no',
}

/** Replaces the website's cron jobs by those of the snapshot. Other jobs of the account stay. */
export const restoreCrontab: Driver<'crontab.restore'> = {
  run: (c) =>
    exclusive(`crontab ${c.input.username}`, async () => {
      const { username, folders, everything, former, path, snapshot } = c.input
      await siteAccount(username)
      const lines = relocated((await settingsIn(await remote(c.input), snapshot)).crontab, former, path)
      const noted = await notes.find(NOTED, `${c.actionId}`)
      const before = noted?.about.text ?? (await crontabOf(username))
      const { goes, stays } = parted(before, folders, everything)
      if (jobsOf(lines) && !existsSync(program)) throw new Error('this machine has no cron')
      c.fence()
      await notes.keep(NOTED, `${c.actionId}`, c.actionId, { text: before })
      await setCrontab(username, joined(stays.join('\n'), lines, username, username))
      c.say(`${jobsOf(lines)} jobs of ${username} are as they were, instead of ${jobsOf(goes)}`)
      return { jobs: jobsOf(lines), instead: jobsOf(goes) }
    }),
  undo: (c) =>
    exclusive(`crontab ${c.input.username}`, async () => {
      const noted = await notes.find(NOTED, `${c.actionId}`)
      c.fence()
      if (noted?.about.text !== undefined) await setCrontab(c.input.username, noted.about.text)
      await notes.drop(NOTED, `${c.actionId}`)
      c.say(noted ? 'the former jobs are restored' : 'the crontab was not changed')
    }),
  inspect: async () => 'no', // a repeat starts from the noted crontab and has the same result
}
