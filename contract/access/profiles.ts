import * as z from 'zod'
import { filter, get, id, line, listQuery, pageOf, patch, post, version } from '../kit/endpoint.ts'
import { file, MiB } from '../kit/transfer.ts'
import { Locale } from './locale.ts'
import { Delivery, owed, Reason } from './notifications.ts'

/** An IANA time zone, such as `Europe/Oslo`. */
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
const past = day.refine((text) => text <= new Date().toISOString().slice(0, 10), 'A date in the past')

/** A range of times of day; past midnight if the end is before the start. */
export const QuietHours = z
  .object({ from: clock, to: clock })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'The end must differ from the start' })

export const PersonalDetails = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** Path below the public path of the file manager. */
  image: z.string().nullable(),
  phone: z.string().nullable(),
  birthDate: z.string().nullable(),
})

/** The profile that colleagues see. `_id` is the id of the profile and of the person. */
export const ProfileRow = z.object({
  _id: z.int(),
  /** Rises with each write of the profile or the account. */
  version: z.int(),
  username: z.string(),
  email: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  hiredAt: z.string().nullable(),
  /** Null: employed until further notice. */
  lastDay: z.string().nullable(),
  timeZone: z.string().nullable(),
  personalDetails: PersonalDetails,
})
export type ProfileRow = z.output<typeof ProfileRow>

export const ProfileConfig = z.object({
  enabledDarkTheme: z.boolean(),
  showReviewedEscalations: z.boolean(),
  /** Null: the person has not chosen; the system preference applies. */
  theme: z.enum(['dark', 'light']).nullable(),
  locale: Locale,
  /** Quiet hours in the person's time zone, without notices. Null and `{}` below for everybody else. */
  quietHours: QuietHours.nullable(),
  /** Deliveries that differ from `toast`. */
  deliveries: z.partialRecord(Reason, Delivery),
})
export const Profile = ProfileRow.extend({ profileConfig: ProfileConfig })
export type Profile = z.output<typeof Profile>

/** The browser crops pictures to 512 × 512 before the upload. */
const image = file({ bytes: 2 * MiB, types: ['image/png', 'image/jpeg', 'image/webp'], side: 4096 })
export const fields = {
  firstName: line(60).optional(),
  lastName: line(60).optional(),
  phone: telephone.nullable().optional(),
  birthDate: past.nullable().optional(),
  hiredAt: day.nullable().optional(),
  lastDay: day.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
}
const { firstName, lastName, phone, birthDate, ...employment } = fields
const details = { phone, birthDate }

export const profiles = {
  byUsers: post('/employee-controller/profile/users-ids', 'employee:profile:read', {
    summary: 'Profiles of these people, in the given order',
    effect: 'read',
    status: 200,
    body: { ids: z.array(id).max(200) },
    returns: z.object({ items: z.array(ProfileRow) }),
  }),
  create: post('/employee-controller/profile', 'employee:profile:create', {
    summary: 'Fill in an empty profile',
    body: { userId: id, ...details, ...employment },
    returns: Profile,
  }),
  ofUser: get('/employee-controller/profile/user/:id', 'employee:profile:read', {
    summary: 'Profile of a person; one’s own without a permission',
    params: { id },
    own: 'id',
    returns: Profile,
  }),
  base: get('/employee-controller/profile/user/:id/base', 'employee:profile:read', {
    summary: 'Name of a person; one’s own without a permission',
    params: { id },
    own: 'id',
    returns: z.object({ firstName: z.string(), lastName: z.string() }),
  }),
  update: patch('/employee-controller/profile/user/:id', 'employee:profile:update', {
    summary: 'Change a profile; one’s own without a permission, except name, first and last day',
    params: { id },
    own: 'id',
    form: {
      personalDetails: z.object({ firstName, lastName, ...details }).optional(),
      ...employment,
      version,
      /** True: opens the shifts after the last day for others. */
      opensShifts: z.boolean().optional(),
      /** True: removes the picture. */
      removeImage: z.boolean().optional(),
      image: image.optional(),
    },
    returns: Profile,
  }),
  previewEmployment: post('/employee-controller/profile/user/:id/employment', 'employee:profile:update', {
    summary: 'Preview another first or last day at work: leaves that it changes, and shifts after the last day',
    params: { id },
    effect: 'read',
    status: 200,
    body: { hiredAt: fields.hiredAt, lastDay: fields.lastDay },
    returns: z.object({ leaves: z.int(), shifts: z.int() }),
  }),
  config: patch('/employee-controller/profile/:id/config', 'signedIn', {
    summary: 'Change the caller’s settings',
    params: { id },
    body: {
      enabledDarkTheme: z.boolean().nullable().optional(),
      showReviewedEscalations: z.boolean().optional(),
      locale: Locale.partial().optional(),
      quietHours: QuietHours.nullable().optional(),
      deliveries: z
        .partialRecord(Reason, Delivery)
        .refine(
          (chosen) => owed.every((reason) => chosen[reason] !== 'off'),
          'These notifications cannot be turned off',
        )
        .optional(),
    },
    returns: Profile,
  }),
  list: get('/employee-controller/profile', 'employee:profile:read', {
    summary: 'Profiles of all people',
    query: {
      ...listQuery(['name', 'username']),
      search: filter(line(100)),
      departmentId: filter(id),
    },
    returns: pageOf(ProfileRow),
  }),
}
