import { operations } from '@innkeeper/contract/agent/operations'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { action } from '../../kit/work/action.ts'
import { cutOver } from './cutOver.ts'
import { examine } from './plan/preflight.ts'
import { migrations } from './tables.ts'

export const transferOpen = action('transfer.open', operations['transfer.open'], {
  title: 'Open the source',
  what: ({ folders, mail, files, minutes }) =>
    `${mail?.length ? 'mail' : folders.map(({ path }) => path).join(', ')}${files.length ? ` and ${files.length} ${mail?.length ? 'file of keys' : 'dumps'}` : ''}, for ${minutes} minutes`,
})
export const transferPull = action('transfer.pull', operations['transfer.pull'], {
  title: 'Copy files',
  lane: 'long',
  what: ({ path, mode }) => (mode === 'seed' ? `all of ${path}` : `changes in ${path} since the first copy`),
})
export const transferCompare = action('transfer.compare', operations['transfer.compare'], {
  title: 'Compare files',
  lane: 'long',
  what: ({ path }) => `every file of ${path} by its checksum`,
})
export const transferVerify = action('transfer.verify', operations['transfer.verify'], {
  title: 'Compare files',
  lane: 'long',
  what: ({ path, since }) =>
    since === undefined
      ? `every file of ${path} by its checksum`
      : `the names of all files of ${path}, and the checksums of files changed since the comparison`,
})
export const transferFetch = action('transfer.fetch', operations['transfer.fetch'], {
  title: 'Copy a dump',
  what: ({ file }) => file,
})
export const logsPack = action('website-logs.pack', operations['website-logs.pack'], {
  title: 'Logs',
  lane: 'long',
  what: ({ domain, kind }) => `all of the ${kind} log of ${domain}`,
})
export const logsTake = action('website-logs.take', operations['website-logs.take'], {
  title: 'Logs',
  what: ({ domain, kind }) => `the former ${kind} log of ${domain}`,
})
export const crontabRest = action('crontab.rest', operations['crontab.rest'], {
  title: 'Cron jobs',
  what: ({ username, everything, folders }) =>
    everything ? `all jobs of ${username} stop` : `jobs of ${username} in ${folders.join(', ')} stop`,
})
export const crontabTake = action('crontab.take', operations['crontab.take'], {
  title: 'Cron jobs',
  what: ({ username }) => `run as ${username}`,
})
export const transferClose = action('transfer.close', operations['transfer.close'], {
  title: 'Close the source',
  what: ({ clear }) =>
    clear ? 'ends access to the files, and deletes dumps and logs on the way' : 'ends access to the files',
})

/** Repeats the preflight when the workflow runs, because a disk may have filled since the form was checked. */
export const preflight = action('migration.preflight', z.object({ migrationId: z.int() }), {
  title: 'Preflight',
  what: () => 'checks on both servers that the move is possible',
  async run({ migrationId }, { app, say }) {
    const [move] = await app.db.select().from(migrations).where(eq(migrations.id, migrationId))
    if (!move) throw new Error(`the migration ${migrationId} no longer exists`)
    const { findings } = await examine(app, move.sourceWebsiteId, move.targetServerId, { own: move })
    for (const { level, title, text } of findings) say(`${level}: ${title}: ${text}`)
    await app.db.update(migrations).set({ findings }).where(eq(migrations.id, migrationId))
    const blockers = findings.filter(({ level }) => level === 'blocker')
    if (blockers.length) throw new Error(blockers.map(({ text }) => text).join('\n'))
    return { findings: findings.length }
  },
})

/** Sets the new server in the rows of the website. Undo sets the old server. */
export const cutover = action('migration.cutover', z.object({ migrationId: z.int() }), {
  title: 'Cut over',
  what: () => 'Innkeeper records the new server',
  run: ({ migrationId }, { app }) => cutOver(app.db, migrationId, 'to'),
  undo: ({ migrationId }, { app }) => cutOver(app.db, migrationId, 'from'),
  noWayBack:
    'Visitors write on the new server since the cut-over, and an undo would lose what they wrote. Retry or skip the stopped action; then roll back the move, and all of it comes along',
})
