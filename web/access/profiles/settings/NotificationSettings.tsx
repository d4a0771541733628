import { type Delivery, owed, type Reason, reasons } from '@innkeeper/contract/access/notifications'
import type { Profile } from '@innkeeper/contract/access/profiles'
import { SegmentedControl, Table, Text } from '@mantine/core'
import { useReasonTexts } from '../../notifications/texts.ts'
import { useSaysTexts, useSettingsTexts } from './texts.ts'
import type { SaveConfig } from './useConfig.ts'

// the keys of the contract's constant
const all = Object.keys(reasons) as Reason[]

/**
 * How this person gets notifications, by reason. Changes of rights, reassigned work and a changed action log cannot be
 * switched off.
 */
export const NotificationSettings = ({ profile, save }: { profile: Profile; save: SaveConfig }) => {
  const { deliveries } = profile.profileConfig
  const words = useSettingsTexts()
  const titles = useReasonTexts()
  const says = useSaysTexts()
  const ways = (['toast', 'list', 'off'] as const).map((value) => ({ value, label: words[value] }))
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table verticalSpacing={7} horizontalSpacing={0} withRowBorders={false}>
        <Table.Tbody>
          {all.map((reason) => (
            <Table.Tr key={reason}>
              <Table.Td>
                <Text fw={500}>{titles[reason]}</Text>
                <Text c="dimmed" fz="xs">
                  {says[reason]}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                <SegmentedControl
                  aria-label={titles[reason]}
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
