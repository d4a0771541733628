import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'
import { SwapActs } from './SwapActs.tsx'
import { swapStates, swapText } from './words.ts'

/** Swaps of the person, for planners of everybody: open ones first. */
export default function SwapsModal({ close }: { close: () => void }) {
  const { data, error } = useQuery(shiftsApi.swaps.query())
  return (
    <Modal opened onClose={close} title="Swaps" size={640}>
      <Stack gap={0}>
        {error && <ErrorLine error={error} />}
        {data?.items.map((swap) => (
          <Line key={swap.id} swap={swap} />
        ))}
        {data?.total === 0 && (
          <Text c="dimmed">
            No swap in the last 30 days. Open a shift of yours to offer it to a colleague or to everybody.
          </Text>
        )}
        <Group justify="flex-end" mt={16}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Line({ swap }: { swap: Swap }) {
  const now = useNow(60_000)
  const { state, word } = swapStates[swap.status]
  const { from, note, message, decidedBy, updatedAt } = swap
  const to = swap.to.userName ?? 'everybody who is free then'
  return (
    <article className={css.swap} aria-label={`${from.userName} and ${to}: ${word}`}>
      <div>
        <Text fw={500}>{swap.to.userId === null ? `${from.userName}, to ${to}` : `${from.userName} and ${to}`}</Text>
        <Text fz="xs">{swapText(swap)}</Text>
        <Text c="dimmed" fz="xs">
          {[note, message, decidedBy && `By ${decidedBy}`, ago(updatedAt, now)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Group gap={8} justify="flex-end">
        <StatusBadge state={state} label={word} />
        <SwapActs swap={swap} />
      </Group>
    </article>
  )
}
