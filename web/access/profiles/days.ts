/** `31/12/1990`. A calendar day is the same in every time zone. */
export const calendarDay = (day: string): string => day.split('-').reverse().join('/')
