import { Button, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { addDays, type Day, rangeText, readDay } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { outcomeText } from '../words.ts'
import { Conflicts, lackOf } from './Conflicts.tsx'

interface Props {
  from: Day
  to: Day
  departmentId: number | undefined
  close: () => void
}

/** Copies the visible days to later days, as often as chosen. */
export default function CopyModal({ from, to, departmentId, close }: Props) {
  const [into, setInto] = useState(addDays(to, 1))
  const [times, setTimes] = useState(1)
  const [status, setStatus] = useState<'draft' | 'published'>('draft')
  const { busy, run } = useAct()
  const wanted = { from, to, into, times, status, ...(departmentId && { departmentId }) }
  const preview = useQuery({
    ...shiftsApi.previewCopy.query(wanted),
    enabled: readDay(into) !== undefined,
    staleTime: 0,
  })
  const save = async () => {
    const done = await attempt(() => shiftsApi.copy(wanted), ['shifts'])
    if (!done) return
    toast.success(outcomeText(done))
    close()
  }
  return (
    <Dialog opened onClose={close} title={`Copy ${rangeText(from, to)}`} size={520}>
      <Stack gap={16}>
        <SimpleGrid cols={2}>
          <DateField label="Into, from" data-autofocus value={into} onChange={setInto} />
          <NumberField
            label="How many times"
            min={1}
            max={12}
            value={times}
            onChange={(next) => setTimes(Number(next) || 1)}
          />
        </SimpleGrid>
        <SegmentedControl
          aria-label="Who sees them"
          data={[
            { value: 'draft', label: 'As drafts' },
            { value: 'published', label: 'Published' },
          ]}
          value={status}
          onChange={(next) => setStatus(next === 'published' ? 'published' : 'draft')}
        />
        {preview.error && <ErrorLine error={preview.error} />}
        {preview.data && <Conflicts outcome={preview.data} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton loading={busy} reason={lackOf(preview)} onClick={() => void run(save)}>
            Copy shifts
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
