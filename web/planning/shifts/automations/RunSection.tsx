import type { Run, ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { addDays, readDay, today } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { ChargedLeaves } from '../planning/Conflicts.tsx'

/** Preview of an automation's run, and the button to start the run. */
export function RunSection({ automation }: { automation: ShiftAutomation }) {
  const { id, weeksAhead } = automation
  const [to, setTo] = useState(addDays(today(), weeksAhead * 7 - 1))
  const { busy, run } = useAct()
  const reason = useReason()(shiftsApi.run)
  const preview = useQuery({ ...shiftsApi.previewRun.query({ id, to }), enabled: readDay(to) !== undefined })
  const go = async () => {
    const done = await attempt(() => shiftsApi.run({ id, to }), ['shifts'])
    if (done) toast.success(madeText(done))
  }
  return (
    <Section title="Plan now" hint="as it is saved">
      <Stack gap={14}>
        <DateField label="Up to" value={to} onChange={setTo} />
        {preview.error && <ErrorLine error={preview.error} />}
        {preview.data && (
          <>
            <Text>{madeText(preview.data)}</Text>
            <ChargedLeaves of={preview.data.leaves} />
            <Facts
              width={160}
              of={[
                ['Edited by people', String(preview.data.kept.edited)],
                ['Other shifts at the time', String(preview.data.kept.overlap)],
                ['On leave', String(preview.data.kept.leave)],
                ['Holidays', String(preview.data.kept.holiday)],
                ...(preview.data.kept.off
                  ? [['Days that people do not work', String(preview.data.kept.off)] as [string, string]]
                  : []),
                ['In closed months', String(preview.data.kept.closed)],
                ...(preview.data.kept.clocks
                  ? [['Times that the clock change skips', String(preview.data.kept.clocks)] as [string, string]]
                  : []),
              ]}
            />
          </>
        )}
        <Group justify="flex-end">
          <ActButton variant="default" loading={busy} reason={reason} onClick={() => void run(go)}>
            Plan shifts
          </ActButton>
        </Group>
      </Stack>
    </Section>
  )
}

function madeText({ made, changed, removed }: Run): string {
  if (!made && !changed && !removed) return 'All is planned: nothing changes'
  return [
    ...(made ? [`${counted(made, ['shift', 'shifts'])} new`] : []),
    ...(changed ? [`${counted(changed, ['shift', 'shifts'])} changed`] : []),
    ...(removed ? [`${counted(removed, ['shift', 'shifts'])} removed`] : []),
  ].join(', ')
}
