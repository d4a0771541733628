import { useState } from 'react'
import { ApiError } from '../api/client.ts'

/**
 * The row and version from when the form was opened. Later changes by others do not change the form: the server refuses
 * the old version, and useCallForm merges.
 */
export function useOpened<R extends { version: number }>(row: R): R {
  const [opened] = useState(row)
  return opened
}

/** The stored row in a 409 after another person saved first; undefined for other errors. */
export const storedOf = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 409 ? error.body.current : undefined

/** The version of a stored row, for the next attempt to save. */
export const versionOf = (stored: unknown): number | undefined =>
  typeof stored === 'object' && stored !== null && 'version' in stored && typeof stored.version === 'number'
    ? stored.version
    : undefined
