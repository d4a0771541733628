import type { MigrationRow } from '@innkeeper/contract/hosting/moves/shapes'
import { Text } from '@mantine/core'
import { reasonText } from './words.ts'

/** Why a move stopped, or what a move that is due waits for. A wait that may end by itself is no error. */
export const MoveReason = ({ move }: { move: MigrationRow }) => {
  const text = reasonText(move)
  if (!text) return null
  const colour = move.status === 'waiting' ? 'dimmed' : 'var(--mantine-color-error-text)'
  return (
    <Text fz="xs" c={colour} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}
