import type { LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
import { useTypes } from '../filters.ts'
import { daysWords } from '../words.ts'
import { TypeForm } from './TypeForm.tsx'

/** Views and edits the rules of each leave type. */
export function TypesModal({ opened, close }: { opened: boolean; close: () => void }) {
  const types = useTypes()
  const cannotRead = useReason()(leavesApi.types)
  const lacking = useReason()(leavesApi.updateType)
  const [edited, edit] = useState<LeaveType>()
  return (
    <>
      <Dialog opened={opened && !edited} onClose={close} title="Kinds of leave" size={720}>
        {cannotRead && <Text c="dimmed">{cannotRead}</Text>}
        <SectionTable
          label="Kinds of leave"
          edges={false}
          rows={types}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Kind',
              cell: (type) => (
                <>
                  {type.name}
                  <Text c="dimmed" fz="xs">
                    {saidOf(type)}
                  </Text>
                </>
              ),
            },
            { title: 'A year', align: 'right', cell: (type) => (type.deductsBalance ? type.yearlyDays : '–') },
            { title: 'Carried at most', align: 'right', cell: (type) => type.carryForwardMax || '–' },
            {
              title: 'Document',
              cell: ({ documentFromDays }) =>
                documentFromDays === null ? 'Never' : `From ${daysWords(documentFromDays)}`,
            },
            {
              title: '',
              cell: (type) => (
                <ActButton
                  variant="subtle"
                  size="xs"
                  reason={lacking}
                  aria-label={`Change ${type.name}`}
                  onClick={() => edit(type)}
                >
                  Change…
                </ActButton>
              ),
            },
          ]}
        />
      </Dialog>
      {edited && <TypeForm key={edited.id} type={edited} close={() => edit(undefined)} />}
    </>
  )
}

const saidOf = ({ isPaid, deductsBalance, allowNegative, countsEveryDay, halfDays, charge }: LeaveType): string =>
  [
    isPaid ? 'paid' : 'not paid',
    deductsBalance ? (allowNegative ? 'may go below zero' : 'from a balance') : 'without a balance',
    ...(countsEveryDay ? ['weekends count'] : []),
    ...(charge === 'days' ? [] : [`counted in rostered ${charge}`]),
    ...(halfDays ? [] : ['whole days']),
  ].join(', ')
