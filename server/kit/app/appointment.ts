/** What a person may read or decide because somebody appointed them, and not by a permission. */
export interface Appointment {
  userId: number
  /** What the person does with people, for messages: `manages`. */
  does: string
  /** Ids of the people about whom the person reads or decides. */
  over: readonly number[]
}
