import * as z from 'zod'
import { filter, get, id, line, listQuery, pageOf, patch, post, version } from './kit.ts'
import { Delivery, owed, Reason } from './notifications.ts'
import { file, MiB } from './transfer.ts'

/** A time zone by its name, as `Europe/Oslo`: what both ends can reckon in. */
export const timeZone = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/, 'Not a time zone, such as Europe/Oslo')
  .max(64)
  .refine(isZone, 'Not a time zone, such as Europe/Oslo')

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false // RangeError: no such zone
  }
}

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of day, such as 22:00')
const telephone = z
  .string()
  .trim()
  .regex(/^\+?\d[\d ()-]{3,20}$/, 'Digits and spaces, such as +47 22 00 00 00')
const day = z.iso.date('A day, such as 1990-12-31').refine((text) => text >= '1900-01-01', 'Too long ago')
const past = day.refine((text) => text <= new Date().toISOString().slice(0, 10), 'It lies in the future')

/** From one time of day to another, past midnight where the end comes first. */
export const QuietHours = z
  .object({ from: clock, to: clock })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'An end that is not the beginning' })

export const PersonalDetails = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** Below the public path of the file manager. */
  image: z.string().nullable(),
  phone: z.string().nullable(),
  birthDate: z.string().nullable(),
})

/** What people see of each other. `_id` is the profile's and the person's alike. */
export const ProfileRow = z.object({
  _id: z.int(),
  /** Rises with each write of the profile or of the account. */
  version: z.int(),
  username: z.string(),
  email: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  hiredAt: z.string().nullable(),
  timeZone: z.string().nullable(),
  personalDetails: PersonalDetails,
})
export type ProfileRow = z.output<typeof ProfileRow>

export const ProfileConfig = z.object({
  enabledDarkTheme: z.boolean(),
  showReviewedEscalations: z.boolean(),
  /** Null: the person has not chosen, the system's own preference counts. */
  theme: z.enum(['dark', 'light']).nullable(),
  /** In the person's own zone; no notice pops up meanwhile. */
  quietHours: QuietHours.nullable(),
  /** What differs from a notice on the screen. */
  deliveries: z.partialRecord(Reason, Delivery),
})
export const Profile = ProfileRow.extend({ profileConfig: ProfileConfig })
export type Profile = z.output<typeof Profile>

/** Pictures are cropped to 512 × 512 before they are sent: none needs more. */
const image = file({ bytes: 2 * MiB, types: ['image/png', 'image/jpeg', 'image/webp'], side: 4096 })
export const fields = {
  firstName: line(60).optional(),
  lastName: line(60).optional(),
  phone: telephone.nullable().optional(),
  birthDate: past.nullable().optional(),
  hiredAt: day.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
}
const { firstName, lastName, phone, birthDate, ...employment } = fields
const details = { phone, birthDate }

export const profiles = {
  byUsers: post('/employee-controller/profile/users-ids', 'employee:profile:read', {
    summary: 'The profiles of these people, in their order',
    effect: 'read',
    status: 200,
    body: { ids: z.array(id).max(200) },
    returns: z.object({ items: z.array(ProfileRow) }),
  }),
  create: post('/employee-controller/profile', 'employee:profile:create', {
    summary: 'Fill in the profile of somebody who has none yet',
    body: { userId: id, ...details, ...employment },
    returns: Profile,
  }),
  ofUser: get('/employee-controller/profile/user/:id', 'employee:profile:read', {
    summary: 'A profile; one’s own needs a session alone',
    params: { id },
    own: 'id',
    returns: Profile,
  }),
  base: get('/employee-controller/profile/user/:id/base', 'employee:profile:read', {
    summary: 'A name; one’s own needs a session alone',
    params: { id },
    own: 'id',
    returns: z.object({ firstName: z.string(), lastName: z.string() }),
  }),
  update: patch('/employee-controller/profile/user/:id', 'employee:profile:update', {
    summary: 'Change a profile; one’s own needs a session alone, but for name and first day',
    params: { id },
    own: 'id',
    form: {
      personalDetails: z.object({ firstName, lastName, ...details }).optional(),
      ...employment,
      version,
      /** Without a picture afterwards. */
      removeImage: z.boolean().optional(),
      image: image.optional(),
    },
    returns: Profile,
  }),
  config: patch('/employee-controller/profile/:id/config', 'signedIn', {
    summary: 'Change one’s own settings',
    params: { id },
    body: {
      enabledDarkTheme: z.boolean().nullable().optional(),
      showReviewedEscalations: z.boolean().optional(),
      quietHours: QuietHours.nullable().optional(),
      deliveries: z
        .partialRecord(Reason, Delivery)
        .refine((chosen) => owed.every((reason) => chosen[reason] !== 'off'), 'This one cannot be turned off')
        .optional(),
    },
    returns: Profile,
  }),
  list: get('/employee-controller/profile', 'employee:profile:read', {
    summary: 'Everybody’s profiles, by page',
    query: {
      ...listQuery(['name', 'username']),
      search: filter(line(100)),
      departmentId: filter(id),
    },
    returns: pageOf(ProfileRow),
  }),
}
