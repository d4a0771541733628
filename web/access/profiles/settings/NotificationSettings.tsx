import { type Delivery, owed, type Reason, reasons } from '@innkeeper/contract/access/notifications'
import type { Profile } from '@innkeeper/contract/access/profiles'
import { SegmentedControl, Table, Text } from '@mantine/core'
import type { SaveConfig } from './useConfig.ts'

const ways: { value: Delivery; label: string }[] = [
  { value: 'toast', label: 'Notice' },
  { value: 'list', label: 'List only' },
  { value: 'off', label: 'Off' },
]
const says: Record<Reason, string> = {
  files: 'A file is shared with me or no more, or somebody made a file of mine public',
  workflow: 'A workflow of yours stopped, was rolled back, or ended after more than a minute',
  server: 'A server went offline or online, or a person changed a file there; for people who look after servers',
  website: 'A website goes down or answers again; for people who may see websites',
  disk: 'An account exceeds its plan; for people who may see system users',
  backup:
    'A website without a good or a proven backup, a backup server nearly full, old locks, and failed drills and checks.',
  certificate: 'A renewal failed; for people who may renew certificates',
  events: 'An invitation, an event that moved or was cancelled, or a free place',
  rights: 'Your role, department or permissions',
  handover: 'Something of a colleague was reassigned to you',
  leave: 'Your leave was decided, or a colleague’s waits for you',
  shifts: 'A shift of yours was planned, moved or removed',
  quality: 'A review of yours, a mention, an escalation or a review that you have to do',
  tracker: 'Comments, mentions and changes of items that you watch, and releases you voted for',
  sms: 'An alert that reached nobody, and who took care of one',
  log: 'Rows of the action log were changed or deleted in the database; for people who may read the log',
  programs: 'My tokens expire soon, or a webhook of mine does not work',
  health: 'A fault of Innkeeper itself: a full disk, a schedule that fails, an alert that does not leave',
}
// the keys of the contract's constant
const all = Object.keys(reasons) as Reason[]

/**
 * How this person gets notifications, by reason. Changes of rights, reassigned work and a changed action log cannot be
 * switched off.
 */
export const NotificationSettings = ({ profile, save }: { profile: Profile; save: SaveConfig }) => {
  const { deliveries } = profile.profileConfig
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table verticalSpacing={7} horizontalSpacing={0} withRowBorders={false}>
        <Table.Tbody>
          {all.map((reason) => (
            <Table.Tr key={reason}>
              <Table.Td>
                <Text fw={500}>{reasons[reason]}</Text>
                <Text c="dimmed" fz="xs">
                  {says[reason]}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                <SegmentedControl
                  aria-label={reasons[reason]}
                  data={ways.filter(({ value }) => value !== 'off' || !owed.includes(reason))}
                  value={deliveries[reason] ?? 'toast'}
                  // one of `ways`
                  onChange={(next) => void save({ deliveries: { ...deliveries, [reason]: next as Delivery } })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
