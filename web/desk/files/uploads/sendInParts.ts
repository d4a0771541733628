import type { sendWhole as SendWhole } from './sending.ts'

/** Sends a file in parts, whose code loads with the first file: a broken connection or a reload loses no part. */
export const sendInParts: typeof SendWhole = async (...input) => {
  const { sendWhole } = await import('./sending.ts')
  return sendWhole(...input)
}
