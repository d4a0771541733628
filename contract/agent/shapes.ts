import * as z from 'zod'
import { sitePath, username } from '../values.ts'

/** What a website's own services are called by: its name may change, its number never. */
export const websiteId = z.int().min(1).max(2_147_483_647)
/** What edges call a website by. */
export const vhostId = z.int().min(1).max(2_147_483_647)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The actions that took something into the trash, newest first: what the first of them took is meant. */
export const taken = z.array(z.int().min(1)).min(1).max(200)
/** Days that it stays there at most; people may have it sooner taken away for good. */
export const keepDays = z.int().min(1).max(3650).optional()

/** A folder below the home of an account: read or written as that account, never as root. */
export const place = { username, path: sitePath }
