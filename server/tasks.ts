import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { resetAdministrator } from './access/users/administrator.ts'
import { forgetSecrets } from './kit/app/forgetSecrets.ts'
import { exchangeKey } from './kit/app/newKey.ts'
import type { LoneTask, Task, Words } from './kit/app/offeredTasks.ts'
import { dropAnchor } from './kit/audit/anchor.ts'
import { backup } from './kit/ownBackup/backup.ts'
import { restore } from './kit/ownBackup/restore.ts'
import { tellOfLost } from './lostSecrets/tell.ts'
import { secretKinds, seeds, services } from './registry.ts'
import { seedDesk } from './seed/desk.ts'
import { seed } from './seed/seed.ts'

const backupHelp = `npm run backup -- FILE [--with-key]
  Writes everything that Innkeeper keeps in its database into one compressed file, also while it runs.
  Uploaded files are not in it: copy the folder data/files, or the bucket, after it.
  INNKEEPER_KEY (or the file data/key) is not in it, and is needed to restore: keep it in another place.
  --with-key puts it in: then this file alone opens every secret. Encrypt the file before it leaves this machine.`
const newKeyHelp = `npm run new-key [-- FILE]
  Exchanges the key that encrypts stored secrets, also while Innkeeper runs. FILE has the new key, or gets one. Without
  INNKEEPER_KEY, data/key gets the new key. Run it again if it was interrupted: it goes on where it stopped.
npm run new-key -- --forget-secrets
  Goes on without a lost key: lists what has to be entered again, and marks it.`
const restoreHelp = `npm run restore -- FILE [--broken-log]
  Puts a backup into an empty database, with Innkeeper stopped and the key set that it was made under.
  --broken-log takes it also where its action log was altered.`

/** The tasks that operators run from the command line. */
export const tasks = {
  seed: {
    async run(db, say, _, settings) {
      await seed(db, say)
      await seedDesk(db, say)
      for (const { run } of seeds) await run(db, say, settings)
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
      await (flag ? forgetSecrets(db, settings, secretKinds, say, tellOfLost) : exchangeKey(db, settings, file, say))
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
