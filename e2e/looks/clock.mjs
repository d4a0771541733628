/**
 * Loaded before the program (`node --import`): its clock stands at the time of the sample data, and the database in the same
 * process reads the same clock. So ages, days and stamps on the pictures stay the same.
 */
const at = Number(process.env.INNKEEPER_LOOKS_AT)
const Real = Date

globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length ? given : [at]))
  }
  static now() {
    return at
  }
}
