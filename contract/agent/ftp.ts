import * as z from 'zod'
import { ftpFolder, ftpHash, ftpUsername, sitePath, username } from '../kit/values.ts'

/** Id of an FTP user in Innkeeper. Its login name may change, the id never does. */
const ftpUserId = z.int().min(1).max(2_147_483_647)

/** Operations on the FTP service of a server and its users. */
export const ftpOperations = {
  /**
   * Configures pure-ftpd with TLS on port 21, and its front on port 990. `before`: only prevents the service of the Debian
   * package from starting with the settings of the package, which admit system accounts without TLS.
   */
  'ftp.ensure': z.object({
    /** Also admits clients without TLS. */
    plain: z.boolean(),
    before: z.literal(true).optional(),
  }),
  /**
   * A login of a website. `suspended`: nobody signs in, and open sessions end. `disabled`: nobody signs in. Undo
   * restores the former login, or removes the new one.
   */
  'ftp-user.ensure': z.object({
    id: ftpUserId,
    name: ftpUsername,
    /** Account that owns the files. */
    username,
    /** Folder of the website, and the folder in it that the login is confined to; '' is the website's folder. */
    site: sitePath,
    folder: ftpFolder,
    hash: ftpHash,
    state: z.enum(['active', 'suspended', 'disabled']),
    /** Maximum size of all files in the folder in MiB. */
    quotaMb: z.int().min(1).max(16_777_216).optional(),
    /** Bandwidth in KiB per second. */
    uploadKbps: z.int().min(1).max(10_485_760).optional(),
    downloadKbps: z.int().min(1).max(10_485_760).optional(),
    sessions: z.int().min(1).max(100).optional(),
    /** UNIX time from which nobody signs in. */
    expires: z.int().min(0).max(253_402_300_799).optional(),
  }),
  'ftp-user.remove': z.object({ id: ftpUserId, name: ftpUsername }),
  /** Answers the open sessions of a login. */
  'ftp.sessions': z.object({ name: ftpUsername }),
  'ftp-session.end': z.object({ name: ftpUsername, session: z.int().min(2).max(4_194_304) }),
  /** Answers the latest transfers of a login, newest first, and the disk usage of its folder where a quota counts it. */
  'ftp.transfers': z.object({ name: ftpUsername, limit: z.int().min(1).max(500) }),
  /** Answers logins and failed attempts since a UNIX time. */
  'ftp.activity': z.object({ since: z.int().min(0).max(253_402_300_799) }),
} as const
