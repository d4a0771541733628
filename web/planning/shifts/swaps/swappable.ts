import type { Shift } from '@innkeeper/contract/planning/shifts/calls'

/** Published shifts that have not begun. */
export const swappable = ({ status, startsAt }: Pick<Shift, 'status' | 'startsAt'>, now: Date): boolean =>
  status === 'published' && Date.parse(startsAt) > now.getTime()

/** The published shift of a person on the day onto which a shift was dropped: the drop then offers an exchange. */
export const metBy = (shifts: readonly Shift[], dropped: Shift, userId: number, date: string, now: Date) =>
  shifts.find((one) => one.userId === userId && one.date === date && one.id !== dropped.id && swappable(one, now))
