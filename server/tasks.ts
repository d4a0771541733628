import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureAdministrator, resetAdministrator } from './access/users/administrator.ts'
import { forgetSecrets } from './kit/app/forgetSecrets.ts'
import { exchangeKey } from './kit/app/newKey.ts'
import type { LoneTask, Task, Words } from './kit/app/offeredTasks.ts'
import { commandLine } from './kit/app/serverFolder.ts'
import { dropAnchor } from './kit/audit/anchor.ts'
import { openDatabase } from './kit/db/open.ts'
import { planLines } from './kit/db/plan.ts'
import { backup } from './kit/ownBackup/backup.ts'
import { restore } from './kit/ownBackup/restore.ts'
import { notifyOfLost } from './lostSecrets/notify.ts'
import { diagnose } from './operating/doctor/diagnose.ts'
import { secretKinds, seeds, services } from './registry.ts'
import { seedDesk } from './seed/desk.ts'
import { seed } from './seed/seed.ts'

const backupHelp = `${commandLine('backup', 'FILE [--with-key]')}
  Writes everything that Innkeeper keeps in its database into one compressed file, also while it runs.
  Uploaded files are not in it: copy the folder data/files, or the bucket, after it.
  INNKEEPER_KEY (or the file data/key) is not in it, and is needed to restore: keep it in another place.
  --with-key puts it in: then this file alone opens every secret. Encrypt the file before it leaves this machine.`
const newKeyHelp = `${commandLine('new-key', '[FILE]')}
  Exchanges the key that encrypts stored secrets, also while Innkeeper runs. FILE has the new key, or gets one. Without
  INNKEEPER_KEY, data/key gets the new key. Run it again if it was interrupted: it goes on where it stopped.
${commandLine('new-key', '--forget-secrets')}
  Goes on without a lost key: lists what has to be entered again, and marks it.`
const restoreHelp = `${commandLine('restore', 'FILE [--broken-log]')}
  Puts a backup into an empty database, with Innkeeper stopped and the key set that it was made under.
  --broken-log takes it also where its action log was altered.`

const migrateHelp = `${commandLine('migrate', '[--plan]')}
  Brings the database to the schema of this program, which every start does, too.
  --plan changes nothing: it says which migrations wait, which tables they lock, and for about how long.`

/** The tasks that operators run from the command line. */
export const tasks = {
  seed: {
    async run(db, say, _, settings) {
      await seed(db, say)
      await seedDesk(db, say)
      for (const { run } of seeds) await run(db, say, settings)
    },
  },
  'first-administrator': {
    async run(db, say, _, { adminPassword }) {
      const { password } = await ensureAdministrator(db, adminPassword)
      if (password) say(`  Sign in as admin with the password ${password}\n  (shown once)`)
    },
  },
  migrate: {
    async alone(settings, say, { args: [flag, ...more] }) {
      if (more.length || (flag !== undefined && flag !== '--plan')) throw new Error(migrateHelp)
      const opening = { now: true, owner: true, ...(flag && { schema: 'as-is' as const }) }
      const { db, close } = await openDatabase(settings.database, opening)
      try {
        for (const line of await planLines(db)) say(line)
      } finally {
        await close()
      }
    },
  },
  doctor: {
    besideRunning: true,
    async alone(settings, say) {
      await diagnose(settings, secretKinds, say)
    },
  },
  'reset-admin': {
    async run(db, say) {
      const { password } = await resetAdministrator(db, services)
      say(`admin signs in with ${password}`)
    },
  },
  'new-key': {
    async run(db, say, words, settings) {
      const { file, flag } = fileAndFlag(words, 'forget-secrets', newKeyHelp, 'file is optional')
      if (flag && file) throw new Error(newKeyHelp)
      await (flag ? forgetSecrets(db, settings, secretKinds, say, notifyOfLost) : exchangeKey(db, settings, file, say))
    },
  },
  backup: {
    opening: { schema: 'as-is', now: true }, // a backup before an upgrade must not change the schema
    async run(db, say, words, settings) {
      const { file, flag } = fileAndFlag(words, 'with-key', backupHelp)
      await backup(db, settings, file, { withKey: flag, say })
    },
  },
  restore: {
    async alone(settings, say, words) {
      const { file, flag } = fileAndFlag(words, 'broken-log', restoreHelp)
      await restore(settings, file, { brokenLog: flag, say })
      dropAnchor(settings.logAnchor) // the restored log may be shorter
    },
  },
} as const satisfies Record<string, Task | LoneTask>

/** Parses one file name, which may be optional, and an optional flag; otherwise throws the help text. */
function fileAndFlag(words: Words, flag: string, help: string): { file: string; flag: boolean }
function fileAndFlag(
  words: Words,
  flag: string,
  help: string,
  optional: 'file is optional',
): { file: string | undefined; flag: boolean }
function fileAndFlag({ args, folder }: Words, flag: string, help: string, optional?: 'file is optional') {
  const { values, positionals, tokens } = parseArgs({
    args,
    options: { [flag]: { type: 'boolean', default: false } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const [file, ...more] = positionals
  const strange = tokens.some((token) => token.kind === 'option' && (token.name !== flag || token.value !== undefined))
  if ((!file && !optional) || more.length || strange) throw new Error(help)
  return { file: file && resolve(folder, file), flag: values[flag] === true }
}
