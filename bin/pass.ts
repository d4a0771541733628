/**
 * Lets time pass in a test, where time itself is the subject or a program outside has a clock of its own; `_why` says so.
 * Everywhere else a test waits for a condition. `bin/structure.ts` refuses other sleeps in tests.
 */
export const letPass = (ms: number, _why: string): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
