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
import { count, counted } from '../../../kit/look/format.ts'
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
  const kept = preview.data ? keptOf(preview.data) : []
  return (
    <Section title="Plan now" hint="as it is saved">
      <Stack gap={14}>
        <DateField label="Up to" value={to} onChange={setTo} />
        {preview.error && <ErrorLine error={preview.error} />}
        {preview.data && (
          <>
            <Text>{madeText(preview.data)}</Text>
            <ChargedLeaves of={preview.data.leaves} />
            {kept.length > 0 && (
              <Text c="dimmed" fz="xs">
                Days that the plan leaves as they are:
              </Text>
            )}
            <Facts width={190} of={kept} />
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

const words: Record<keyof Run['kept'], string> = {
  edited: 'Edited by people',
  overlap: 'Another shift at the time',
  leave: 'On leave',
  holiday: 'Holidays',
  off: 'Days that people do not work',
  closed: 'In closed months',
  clocks: 'Times that the clock change skips',
}
/** Days that a run leaves as they are, with the reason of each. */
const keptOf = ({ kept }: Run): [string, string][] =>
  (Object.keys(words) as (keyof Run['kept'])[]) // the keys of our own constant
    .filter((reason) => kept[reason] > 0)
    .map((reason) => [words[reason], count(kept[reason])])
