import { operations } from '@innkeeper/contract/agent/operations'
import { ftpHash } from '@innkeeper/contract/kit/values'
import { inArray } from 'drizzle-orm'
import * as z from 'zod'
import { secrets } from '../../kit/app/tables.ts'
import { action } from '../../kit/work/action.ts'

export const ftpEnsure = action('ftp.ensure', operations['ftp.ensure'], {
  title: 'FTP',
  what: ({ plain, before }) =>
    before
      ? 'the service of the package does not start'
      : plain
        ? 'pure-ftpd with and without TLS'
        : 'pure-ftpd with TLS only',
})
export const ftpUserEnsure = action('ftp-user.ensure', operations['ftp-user.ensure'], {
  title: 'FTP user',
  what: ({ name, site, folder, state }) =>
    state === 'active' ? `${name} in ${folder ? `${site}/${folder}` : site}` : `${name} is ${state}`,
})
export const ftpUserRemove = action('ftp-user.remove', operations['ftp-user.remove'], {
  title: 'FTP user',
  what: ({ name }) => `${name}; its files stay`,
})

/** Hashes of passwords in a backup, by id of the FTP user. */
const KeptHashes = z.record(z.string(), ftpHash)
export type KeptHashes = z.output<typeof KeptHashes>

/** Takes the hashes of the passwords from the settings of a backup, which the secret `from` has. */
export const ftpPasswordsBring = action(
  'ftp-passwords.bring',
  z.object({ from: z.string(), hashes: z.array(z.object({ was: z.int(), secret: z.string() })) }),
  {
    title: 'Passwords of FTP users',
    what: ({ hashes: { length } }) => `${length} as the backup has them`,
    async run({ from, hashes }, { app, fence }) {
      const text = await app.secrets.read(app.db, from)
      if (text === undefined) throw new Error('the settings of the backup no longer exist: start the restore again')
      const kept = KeptHashes.parse(JSON.parse(text))
      fence()
      await app.db.transaction(async (tx) => {
        for (const { was, secret } of hashes) {
          const hash = kept[was]
          if (!hash) throw new Error(`the backup has no password of FTP user ${was}`)
          await app.secrets.write(tx, secret, hash)
        }
      })
    },
    async undo({ hashes }, { app }) {
      const names = hashes.map(({ secret }) => secret)
      await app.db.delete(secrets).where(inArray(secrets.name, names))
    },
  },
)
