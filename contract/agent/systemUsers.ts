import * as z from 'zod'
import { sshKeyBody, sshKeyType, username } from '../values.ts'
import { keepDays, taken } from './shapes.ts'

/**
 * The systemd slice of an account: memory in MiB, CPU in percent of one core, tasks as a count. And MiB of its files, where
 * the file system of /home holds accounts to that.
 */
const limits = z.object({
  memoryMb: z.int().min(16).max(1_048_576),
  cpuPercent: z.int().min(1).max(12_800),
  tasks: z.int().min(4).max(65_536),
  diskMb: z.int().min(1).max(16_777_216).optional(),
})

/** Accounts, and who comes in to them. */
export const systemUsersOperations = {
  'system-user.ensure': z.object({ username, limits }),
  'system-user.remove': z.object({ username, keepDays }),
  /** The account with its ids, home and limits, out of the trash; undo puts it back there. */
  'system-user.restore': z.object({ username, taken, keepDays }),
  /** sshd lets accounts of websites in to their files and to nothing else, and only those that `sftp-access` names. */
  'sftp.ensure': z.object({}),
  /** Who signs in to an account: these keys, a password. Off: nobody, and whoever is signed in is sent away. */
  'sftp-access.ensure': z.object({
    username,
    state: z.enum(['active', 'suspended']),
    keys: z
      .array(
        z.object({
          type: sshKeyType,
          body: sshKeyBody,
          /** UTC, `20261121140240Z`. */
          expires: z
            .string()
            .regex(/^\d{14}Z$/)
            .optional(),
        }),
      )
      .max(50),
    /** A new one; null: none. Absent: as it was. */
    signInPassword: z
      .string()
      .regex(/^[A-Za-z0-9]{16,64}$/)
      .nullable()
      .optional(),
  }),
  /** What an account uses now: its home's MiB and files, its slice's memory and tasks. */
  'system-user.usage': z.object({ username }),
} as const
