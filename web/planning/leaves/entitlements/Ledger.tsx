import type { LeaveEntry } from '@innkeeper/contract/planning/leaves/calls'
import { Text } from '@mantine/core'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { dayWords, ledgerWords, signed } from '../words.ts'

/** All entries of a year, newest first; a balance is their sum. */
export const Ledger = ({ entries }: { entries: readonly LeaveEntry[] }) => (
  <Timeline
    label="Movements"
    empty="No entries yet. The first request adds the entitlement of the year."
    entries={entries.map(({ id, days, kind, typeName, note, createdAt, createdByName }) => ({
      id,
      at: createdAt,
      title: `${ledgerWords[kind]} · ${typeName}`,
      aside: (
        <Text className="num" fw={500} c={days < 0 ? undefined : 'success'}>
          {signed(days)}
        </Text>
      ),
      note: [dayWords(createdAt), createdByName, note].filter(Boolean).join(' · '),
    }))}
  />
)
