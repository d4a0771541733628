import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'

/** A one-time sign-in link, and when it expires. */
export const Link = z.object({ link: z.string(), expiresAt: instant })
export type Link = z.output<typeof Link>
/** Objects that must be transferred before the account is deleted. */
export const Holding = z.object({ key: z.string(), label: z.string(), count: z.int() })
export type Holding = z.output<typeof Holding>
/** A staff account. */
export const User = z.object({
  ...stored,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  isAdmin: z.boolean(),
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  profileImage: z.string().nullable(),
  /** True: the account has an authenticator or a passkey. */
  secondFactor: z.boolean(),
  /** True: the account must choose a new password at the next sign-in. */
  mustChangePassword: z.boolean(),
  lastSignInAt: instant.nullable(),
  /** Until when the account is locked after too many wrong passwords. */
  lockedUntil: instant.nullable(),
  /** Since when nobody can sign in with the account. */
  suspendedAt: instant.nullable(),
})
export type User = z.output<typeof User>
