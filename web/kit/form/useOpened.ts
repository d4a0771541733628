import { useState } from 'react'
import { ApiError } from '../api/client.ts'

/**
 * The row, with its version, as it was when its form was opened. What somebody else saves meanwhile does not change the form:
 * the server refuses the old version, and useCallForm shows what differs.
 */
export function useOpened<R extends { version: number }>(row: R): R {
  const [opened] = useState(row)
  return opened
}

/** The stored row that a 409 carries because somebody else saved first; undefined for any other error. */
export const storedOf = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 409 ? error.body.current : undefined

/** The version of a stored row, which the next try saves over. */
export const versionOf = (stored: unknown): number | undefined =>
  typeof stored === 'object' && stored !== null && 'version' in stored && typeof stored.version === 'number'
    ? stored.version
    : undefined
