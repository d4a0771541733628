import * as z from 'zod'
import { sshKeyBody, sshKeyType, username } from '../kit/values.ts'
import { keepDays, taken } from './shapes.ts'

/**
 * Limits of the systemd slice of an account: memory in MiB, CPU in percent of one core, number of tasks. `diskMb` is
 * the disk quota in MiB, where the file system of /home supports it.
 */
export const limits = z.object({
  memoryMb: z.int().min(16).max(1_048_576),
  cpuPercent: z.int().min(1).max(12_800),
  tasks: z.int().min(4).max(65_536),
  diskMb: z.int().min(1).max(16_777_216).optional(),
})

/** Operations on Linux accounts and their SFTP access. */
export const systemUsersOperations = {
  /** `adopted`: the account may be one that somebody else has set up. It keeps its shell, password, keys and cron jobs. */
  'system-user.ensure': z.object({ username, limits, adopted: z.literal(true).optional() }),
  'system-user.remove': z.object({ username, keepDays }),
  /** Restores the account with its ids, home and limits from the trash. Undo moves it back into the trash. */
  'system-user.restore': z.object({ username, taken, keepDays }),
  /** Configures sshd: website accounts reach only their own files, and only if `sftp-access.ensure` allowed them. */
  'sftp.ensure': z.object({}),
  /** Keys and password for SFTP. `suspended`: nobody can sign in, and open sessions are closed. */
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
    /** New password; null: none. Absent: unchanged. */
    signInPassword: z
      .string()
      .regex(/^[A-Za-z0-9]{16,64}$/)
      .nullable()
      .optional(),
    /** True: a move has closed the access at its freeze, and opens it for the other websites of the account. */
    again: z.boolean().optional(),
  }),
  /** Answers the usage of an account: MiB and files of its home, memory and tasks of its slice. */
  'system-user.usage': z.object({ username }),
} as const
