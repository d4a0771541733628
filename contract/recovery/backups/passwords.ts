import * as z from 'zod'
import { patch, post, version } from '../../kit/endpoint.ts'
import { repositoryPassword } from '../../kit/values.ts'
import { Repository } from './shapes.ts'

const base = '/backups/repositories'

/** Calls about the password that encrypts a repository. */
export const passwordCalls = {
  reveal: post(`${base}/:id/password`, 'backup:repo:delete', {
    summary: 'Show address and password of a repository for restic itself; the action log records the call',
    status: 200,
    returns: z.object({
      ...{ address: z.string(), username: z.string(), key: z.string(), password: z.string() },
      /** The certificate of the backup server in PEM, which no authority has signed; null for a bucket. */
      certificate: z.string().nullable(),
    }),
  }),
  changePassword: patch(`${base}/:id/password`, 'backup:repo:delete', {
    summary: 'Store the password of a repository that was changed or lost outside; it must open the repository',
    effect: 'stream', // the backup server tries the password outside a transaction
    live: true,
    body: { password: repositoryPassword, version },
    returns: Repository,
  }),
}
