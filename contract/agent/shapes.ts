import * as z from 'zod'
import { sitePath, username } from '../kit/values.ts'

/** Id of a website, which names its services on a server. The domain may change, the id never does. */
export const websiteId = z.int().min(1).max(2_147_483_647)
/** Id by which edges know a website. */
export const vhostId = z.int().min(1).max(2_147_483_647)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Ids of the actions that moved files into the trash, newest first. Operations use the files of the first id. */
export const taken = z.array(z.int().min(1)).min(1).max(200)
/** Days until the trash of the server deletes the files, unless people delete them earlier. */
export const keepDays = z.int().min(1).max(3650).optional()

/** A folder in the home of an account. The agent reads and writes it as that account, never as root. */
export const place = { username, path: sitePath }

/** Private addresses and networks that the operator of Innkeeper allows. */
export const privateTargets = z
  .array(z.string().regex(/^[0-9a-fA-F:.]{2,45}(?:\/\d{1,3})?$/))
  .max(1000)
  .default([])
