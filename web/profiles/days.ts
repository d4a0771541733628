/** 31/12/1990: a day of the calendar is the same in every zone. */
export const calendarDay = (day: string): string => day.split('-').reverse().join('/')
