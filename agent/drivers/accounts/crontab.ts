import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, must, notes, remove, run, spooled } from '../../kit/host.ts'
import { jobsOf, joined, parted } from './crontabText.ts'
import { siteAccount } from './systemAccounts.ts'

export const program = '/usr/bin/crontab'
const [RESTED, TAKEN] = ['crontab-rested', 'crontab-taken']

/**
 * Takes the jobs of a website that moves out of the crontab, into a file of the spool folder for the new server. Undo
 * restores the crontab.
 */
export const restCrontab: Driver<'crontab.rest'> = {
  run: ({ input: { username, folders, everything, file }, actionId, say, fence }) =>
    exclusive(`crontab ${username}`, async () => {
      await siteAccount(username)
      const noted = await notes.find(RESTED, `${actionId}`)
      const before = noted?.about.text ?? (await crontabOf(username))
      const { goes, stays } = parted(before, folders, everything)
      const content = gzipSync(goes.join('\n'))
      await writeFile(await spooled(file), content, { mode: 0o600, flush: true })
      fence()
      if (jobsOf(goes)) {
        await notes.keep(RESTED, `${actionId}`, actionId, { text: before })
        await setCrontab(username, stays.join('\n'))
      }
      say(
        jobsOf(goes)
          ? `${jobsOf(goes)} jobs of ${username} are out of the crontab`
          : `${username} has no jobs of this website`,
      )
      return { jobs: jobsOf(goes), sha256: createHash('sha256').update(content).digest('hex') }
    }),
  undo: ({ input: { username, file }, actionId, say, fence }) =>
    exclusive(`crontab ${username}`, async () => {
      const noted = await notes.find(RESTED, `${actionId}`)
      fence()
      if (noted?.about.text !== undefined) await setCrontab(username, noted.about.text)
      await notes.drop(RESTED, `${actionId}`)
      await remove(await spooled(file))
      say(noted ? `the jobs of ${username} are in the crontab again` : `the crontab of ${username} was not changed`)
    }),
  inspect: async () => 'no', // a repeat starts from the noted crontab and has the same result
}

/** Adds the jobs from the spool file to this server's crontab. Undo restores the former crontab. */
export const takeCrontab: Driver<'crontab.take'> = {
  run: ({ input: { username, from, file }, actionId, say, fence }) =>
    exclusive(`crontab ${username}`, async () => {
      await siteAccount(username)
      const lines = gunzipSync(await readFile(await spooled(file)))
        .toString('utf8')
        .split('\n')
      const jobs = jobsOf(lines)
      if (!jobs) return { jobs, runs: 0 }
      if (!existsSync(program)) {
        say(`this machine has no cron: ${jobs} jobs stay in ${file} of the spool folder`)
        return { jobs, runs: 0 }
      }
      const noted = await notes.find(TAKEN, `${actionId}`)
      const before = noted?.about.text ?? (await crontabOf(username))
      await notes.keep(TAKEN, `${actionId}`, actionId, { text: before })
      fence()
      await setCrontab(username, joined(before, lines, from, username))
      await remove(await spooled(file))
      say(`${jobs} jobs of ${username} run here`)
      return { jobs, runs: jobs }
    }),
  undo: ({ input: { username }, actionId, fence }) =>
    exclusive(`crontab ${username}`, async () => {
      const noted = await notes.find(TAKEN, `${actionId}`)
      fence()
      if (noted?.about.text !== undefined) await setCrontab(username, noted.about.text)
      await notes.drop(TAKEN, `${actionId}`)
    }),
  async inspect({ actionId, task }) {
    const noted = await notes.find(TAKEN, `${actionId}`)
    return task === 'undo' ? (noted ? 'no' : 'yes') : 'no'
  },
}

/** The account's crontab; empty if the account has none, or if the server has no cron. */
export async function crontabOf(username: string): Promise<string> {
  if (!existsSync(program)) return ''
  const ran = await run([program, '-u', username, '-l'])
  return ran.code === 0 ? ran.stdout : ''
}

export async function setCrontab(username: string, text: string): Promise<void> {
  if (!existsSync(program)) return
  if (text.trim() === '')
    await run([program, '-u', username, '-r']) // crontab -r only complains if the account has no crontab
  else await must([program, '-u', username, '-'], { input: text.endsWith('\n') ? text : `${text}\n` })
}
