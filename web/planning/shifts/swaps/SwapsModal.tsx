import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { kitWords } from '../../../kit/look/texts.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { shiftBlockTexts } from '../blockTexts.ts'
import { ownShiftTexts, swapWords } from '../dialogTexts.ts'
import css from '../shifts.module.css'
import { shiftTexts } from '../texts.ts'
import { SwapActs } from './SwapActs.tsx'
import { swapStates, swapText } from './words.ts'

/** Swaps of the person, for planners of everybody: open ones first. */
export default function SwapsModal({ close }: { close: () => void }) {
  const { data, error } = useQuery(shiftsApi.swaps.query())
  return (
    <Dialog opened onClose={close} title={shiftTexts().swaps} size={640}>
      <Stack gap={0}>
        {error && <ErrorLine error={error} />}
        {data?.items.map((swap) => (
          <Line key={swap.id} swap={swap} />
        ))}
        {data?.total === 0 && <Text c="dimmed">{ownShiftTexts().noSwap}</Text>}
        <Group justify="flex-end" mt={16}>
          <Button variant="default" onClick={close}>
            {kitWords().close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Line({ swap }: { swap: Swap }) {
  const now = useNow(60_000)
  const words = ownShiftTexts()
  const { state, word } = { state: swapStates[swap.status], word: swapWords()[swap.status] }
  const { from, note, message, decidedBy, updatedAt } = swap
  const to = swap.to.userName ?? words.everybodyFree
  return (
    <article className={css.swap} aria-label={`${shiftBlockTexts().and(from.userName ?? '', to)}: ${word}`}>
      <div>
        <Text fw={500}>
          {swap.to.userId === null
            ? words.offeredTo(from.userName ?? '', to)
            : shiftBlockTexts().and(from.userName ?? '', to)}
        </Text>
        <Text fz="xs">{swapText(swap)}</Text>
        <Text c="dimmed" fz="xs">
          {[note, message, decidedBy && words.by(decidedBy), ago(updatedAt, now)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Group gap={8} justify="flex-end">
        <StatusBadge state={state} label={word} />
        <SwapActs swap={swap} />
      </Group>
    </article>
  )
}
