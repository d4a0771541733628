import type { LeaveEntry } from '@innkeeper/contract/leaves'
import { Group, Text } from '@mantine/core'
import { moment } from '../kit/look/format.ts'
import css from './leaves.module.css'
import { dayWords, ledgerWords, signed } from './words.ts'

/** Every movement of a year, newest first: what a balance is the sum of. */
export const Ledger = ({ entries }: { entries: readonly LeaveEntry[] }) =>
  entries.length === 0 ? (
    <Text c="dimmed" p={14}>
      Nothing has moved yet. What the year brings is written down with the first request.
    </Text>
  ) : (
    <ul className={css.cover}>
      {entries.map(({ id, days, kind, typeName, note, createdAt, createdByName }) => (
        <li key={id} className={css.entry}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Text>
              {ledgerWords[kind]} · {typeName}
            </Text>
            <Text className="num" fw={500} c={days < 0 ? undefined : 'success'}>
              {signed(days)}
            </Text>
          </Group>
          <Text c="dimmed" fz="xs" title={moment(createdAt)}>
            {[dayWords(createdAt), createdByName, note].filter(Boolean).join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  )
