import { addDays, type Day, dayOf } from './days.ts'

/** Easter Sunday of the western churches in the Gregorian calendar (Meeus, Jones and Butcher). */
export function westernEaster(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const inCentury = year % 100
  const leaps = Math.floor(century / 4)
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leaps - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return dayOf(year, Math.floor(days / 31), (days % 31) + 1)
}

/** Easter Sunday of the orthodox churches: calculated in the Julian calendar (Meeus), returned in the Gregorian. */
export function orthodoxEaster(year: number): Day {
  const moon = (19 * (year % 19) + 15) % 30
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  const days = moon + weekday + 114
  return addDays(dayOf(year, Math.floor(days / 31), (days % 31) + 1), julianLag(year))
}

/** Days by which the Julian calendar is behind in spring: 13 from 1900 to 2099, plus one in most later centuries. */
const julianLag = (year: number) => Math.floor(year / 100) - Math.floor(year / 400) - 2
