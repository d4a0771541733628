import * as z from 'zod'
import { address, domain, phpVersion, sitePath, spoolFile, transferKey, transferName, username } from '../values.ts'
import { place, sha256 } from './shapes.ts'

/** Where the agent of another server has opened a transfer, and the key that both ends of it know. */
const opened = { transfer: transferName, token: transferKey, address, port: z.int().min(1).max(65_535) }

const logKind = z.enum(['access', 'error'])

/** What goes from one server to another. */
export const movesOperations = {
  /**
   * Folders and dumps of this server may be read by whoever has the key, for so many minutes, also after this agent was
   * restarted: one client at a time, over TLS. Answers the port. Undo ends it.
   */
  'transfer.open': z.object({
    transfer: transferName,
    token: transferKey,
    minutes: z.int().min(1).max(1440),
    folders: z.array(z.object(place)).max(100),
    files: z.array(spoolFile).max(400),
  }),
  'transfer.close': z.object({ transfer: transferName }),
  /** The folder `from` of the other server into `path` here; `delta`: and what is not there goes. May be broken off anywhere. */
  'transfer.pull': z.object({
    ...opened,
    ...place,
    from: z.object(place),
    mode: z.enum(['seed', 'delta']),
  }),
  /** Both ends read every file again: what was written since the last copy comes once more, and then nothing may differ. */
  'transfer.verify': z.object({ ...opened, ...place, from: z.object(place) }),
  /** A dump into the spool folder, under the same name; its sha256 has to be this one. */
  'transfer.fetch': z.object({ ...opened, file: spoolFile, sha256 }),
  /** All that a website has logged, as one file of the spool folder; answers its sha256. */
  'website-logs.pack': z.object({ domain, kind: logKind, file: spoolFile }),
  /** That file, brought here, as the oldest of its rotated logs. */
  'website-logs.take': z.object({ domain, kind: logKind, file: spoolFile }),
  /**
   * Jobs of an account that name one of these folders, or all of them, run no more: into a file of the spool folder, whose
   * sha256 it answers. Undo has them run again.
   */
  'crontab.rest': z.object({
    username,
    folders: z.array(sitePath).max(100),
    everything: z.boolean(),
    file: spoolFile,
  }),
  /** They run here, below the home of this account; `from`: whose they were. */
  'crontab.take': z.object({ username, from: username, file: spoolFile }),
  /**
   * What a move of these folders takes, or would find here: bytes and files of each, what is free below /home, the modules
   * of a PHP (none: it is not there).
   */
  'migration.look': z.object({ phpVersion, folders: z.array(z.object(place)).max(100) }),
} as const
