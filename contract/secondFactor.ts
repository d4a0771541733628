import * as z from 'zod'
import { del, get, instant, patch, post } from './kit.ts'

/** Time-based one-use passwords as in RFC 6238: SHA-1, six digits, 30 seconds. */
export const SecondFactor = z.object({
  enabled: z.boolean(),
  since: instant.nullable(),
  backupCodesLeft: z.int(),
  /** By the person's role: it cannot be turned off. */
  required: z.boolean(),
})
export type SecondFactor = z.output<typeof SecondFactor>

const code = z.string().trim().min(1, 'Required').max(40)
const password = z.string().min(1, 'Required').max(1000)
const BackupCodes = z.object({ backupCodes: z.array(z.string()) })

export const secondFactor = {
  read: get('/auth/second-factor', 'signedIn', {
    summary: 'My second factor',
    returns: SecondFactor,
    whileOwing: true,
  }),
  begin: post('/auth/second-factor', 'signedIn', {
    summary: 'Begin a second factor: nothing is asked for until it is confirmed',
    returns: z.object({ secret: z.string(), uri: z.string() }),
    whileOwing: true,
  }),
  confirm: patch('/auth/second-factor', 'signedIn', {
    summary: 'Turn it on with a code of the authenticator; answers the backup codes, once',
    body: { code },
    returns: BackupCodes,
    whileOwing: true,
  }),
  remove: del('/auth/second-factor', 'signedIn', {
    summary: 'Turn my second factor off',
    effect: 'stream', // a wrong guess has to stay counted
    body: { password },
    status: 204,
  }),
  backupCodes: post('/auth/second-factor/backup-codes', 'signedIn', {
    summary: 'New backup codes; the old ones end',
    effect: 'stream', // a wrong guess has to stay counted
    body: { password },
    returns: BackupCodes,
  }),
}
