import * as z from 'zod'
import { del, get, instant, patch, post } from '../kit/endpoint.ts'

/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds. */
export const SecondFactor = z.object({
  enabled: z.boolean(),
  since: instant.nullable(),
  backupCodesLeft: z.int(),
  /** True: a role of the person requires a second factor, so that it cannot be turned off. */
  required: z.boolean(),
})
export type SecondFactor = z.output<typeof SecondFactor>

const code = z.string().trim().min(1, 'Required').max(40)
const password = z.string().min(1, 'Required').max(1000)
const BackupCodes = z.object({ backupCodes: z.array(z.string()) })

export const secondFactor = {
  read: get('/auth/second-factor', 'signedIn', {
    summary: 'State of my second factor',
    returns: SecondFactor,
    whileOwing: true,
  }),
  begin: post('/auth/second-factor', 'signedIn', {
    summary: 'Start the setup of a second factor, which applies after its confirmation',
    effect: 'stream', // so that failed attempts stay counted
    body: { password },
    returns: z.object({ secret: z.string(), uri: z.string() }),
    whileOwing: true,
  }),
  confirm: patch('/auth/second-factor', 'signedIn', {
    summary: 'Confirm the second factor with a code; only this answer contains the backup codes',
    body: { code },
    returns: BackupCodes,
    whileOwing: true,
  }),
  remove: del('/auth/second-factor', 'signedIn', {
    summary: 'Turn my second factor off, with one of its codes or a backup code',
    effect: 'stream', // so that failed attempts stay counted
    body: { password, code },
    status: 204,
  }),
  backupCodes: post('/auth/second-factor/backup-codes', 'signedIn', {
    summary: 'Create new backup codes and invalidate the old ones',
    effect: 'stream', // so that failed attempts stay counted
    body: { password, code },
    returns: BackupCodes,
  }),
}
