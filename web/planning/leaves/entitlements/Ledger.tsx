import type { LeaveEntry } from '@innkeeper/contract/planning/leaves/calls'
import { Text } from '@mantine/core'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { leaveTexts } from '../texts.ts'
import { dayWords, ledgerWords, signed } from '../words.ts'

/** All entries of a year, newest first; a balance is their sum. */
export const Ledger = ({ entries }: { entries: readonly LeaveEntry[] }) => (
  <Timeline
    label={leaveTexts().movements}
    empty={leaveTexts().noMovements}
    entries={entries.map(({ id, days, kind, typeName, note, createdAt, createdByName }) => ({
      id,
      at: createdAt,
      title: `${ledgerWords(kind)} · ${typeName}`,
      aside: (
        <Text className="num" fw={500} c={days < 0 ? undefined : 'success'}>
          {signed(days)}
        </Text>
      ),
      note: [dayWords(createdAt), createdByName, note].filter(Boolean).join(' · '),
    }))}
  />
)
