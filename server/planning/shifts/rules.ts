import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract, ShiftMonth, ShiftSettings } from '@innkeeper/contract/planning/shifts/calls'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { isForeseen } from '../../kit/db/foresee.ts'
import { given } from '../../kit/db/given.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { closedText, holdMonths, monthOf } from '../calendar/closedMonths.ts'
import { todayIn } from '../calendar/places.ts'
import { shiftMonths } from '../calendar/tables.ts'
import type { Rostered } from '../leaves/followers.ts'
import { recharge } from '../leaves/recharge/recharge.ts'
import { type Charged, foreseeCharges, seeing } from './planning/chargeAnew.ts'
import { followSettings, isForLater } from './planning/follow.ts'
import { followLater, progressOfFollowing } from './planning/later.ts'
import { readSettings, type Settings } from './settings.ts'
import { shiftSettings } from './tables.ts'

type Calls = 'settings' | 'setSettings' | 'settingsLeaves' | 'months' | 'closeMonth' | 'openMonth'

/** Rules of the roster: night hours, their weight, and closed months. */
export const ruleHandlers: Pick<Handlers<typeof contract>, Calls> = {
  settings: async (_, { db }) => withProgress(db, rulesOf(await readSettings(db))),

  async setSettings({ version, leaves, ...change }, context) {
    const { db, audit } = context
    const before = await holdSettings(db)
    if (version !== undefined && version !== before.version)
      throw conflict('The settings were changed by somebody else meanwhile', {
        current: await withProgress(db, before),
      })
    const after = await withProgress(db, await seeing(context, leaves, () => alter(context, before, change)))
    audit.before(before)
    audit.after(after)
    await changed(db, 'shifts')
    return after
  },

  settingsLeaves: (change, context) =>
    foreseeCharges(context, async (inner) => alter(inner, await holdSettings(inner.db), change)),

  async months(_, { db }) {
    const items = await db.select().from(shiftMonths).orderBy(desc(shiftMonths.month)).limit(600)
    return { items: items satisfies ShiftMonth[], total: items.length }
  },

  async closeMonth({ month }, { db, staff, audit, now }) {
    await holdMonths(db)
    if (month >= monthOf(await todayIn(db, now))) {
      const text = 'A month that is not over cannot be closed'
      throw refused(text, { month: text })
    }
    const [closed] = await db
      .insert(shiftMonths)
      .values({ month, closedBy: staff.name })
      .onConflictDoNothing()
      .returning()
    if (!closed) throw conflict(`${closedText(month)} already`)
    audit.after(closed)
    await changed(db, 'shifts')
    return closed
  },

  async openMonth({ month }, { db, audit }) {
    await holdMonths(db)
    const [opened] = await db.delete(shiftMonths).where(eq(shiftMonths.month, month)).returning()
    if (!opened) throw notFound('closed month', month.slice(0, 7))
    audit.before(opened)
    await changed(db, 'shifts')
  },
}

type Rules = Omit<ShiftSettings, 'progress'>

async function holdSettings(db: Db): Promise<Rules> {
  await db.execute(sql`select pg_advisory_xact_lock(4400023)`)
  return rulesOf(await readSettings(db))
}

async function alter(
  { db, staff, now }: Context,
  before: Rules,
  change: Input<typeof contract.settingsLeaves, 'out'>,
): Promise<Charged<Rules>> {
  const value = { ...before, ...given(change), version: before.version + 1 }
  if (value.nightFrom === value.nightTo) {
    const text = 'Night hours need different begin and end times'
    throw refused(text, { nightTo: text })
  }
  const save = async () => {
    await db
      .insert(shiftSettings)
      .values({ ...value, createdBy: staff.id })
      .onConflictDoUpdate({ target: shiftSettings.only, set: { ...value, updatedAt: sql`now()` } })
    if (!nightly.some((field) => value[field] !== before[field])) return
    if (await isForLater(db, {}, now)) await followLater(db, {}, staff, now)
    else await followSettings(db, { since: now })
  }
  // leaves by hours are divided by the daily norm; weighted hours charge none
  if (value.dayNormMinutes !== before.dayNormMinutes)
    return { value, leaves: await recharge(db, { ...ofRules(value), by: staff, now }, save) }
  if (!isForeseen()) await save()
  return { value, leaves: [] }
}

const ofRules = ({ dayNormMinutes }: Rules) => ({
  ...{ concerned: { byRoster: true }, changes: 'roster' as const, why: 'Rules of the roster changed' },
  asIf: { which: sql`true`, after: (shift: Rostered) => ({ ...shift, normMinutes: dayNormMinutes }) },
})

/** On these the weighted hours of shifts depend. */
const nightly = ['nightFrom', 'nightTo', 'nightNumerator', 'nightDenominator'] as const

const withProgress = async (db: Db, rules: Rules): Promise<ShiftSettings> => ({
  ...rules,
  progress: (await progressOfFollowing(db)).get(0) ?? 100,
})

const rulesOf = (settings: Settings): Rules => {
  const { version, nightFrom, nightTo, nightNumerator, nightDenominator, dayNormMinutes, restMinutes } = settings
  const { weekMinutes, nightsInRow, onLeave, swaps } = settings
  return {
    ...{ version, nightFrom, nightTo, nightNumerator, nightDenominator, dayNormMinutes, restMinutes },
    ...{ weekMinutes, nightsInRow, onLeave, swaps },
  }
}
