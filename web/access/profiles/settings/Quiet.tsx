import type { Profile } from '@innkeeper/contract/access/profiles'
import { Group, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import { NOTHING_CHANGED } from '../../../kit/form/useCallForm.ts'
import { focusWrong } from '../../../kit/form/useTyped.ts'
import { ownZone } from '../../../kit/form/zones.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import type { SaveConfig } from './useConfig.ts'

const usual = { from: '22:00', to: '07:00' }

/** Quiet hours, during which notifications only appear in the list. */
export function Quiet({ profile, save }: { profile: Profile; save: SaveConfig }) {
  const { quietHours } = profile.profileConfig
  const [hours, setHours] = useState(quietHours ?? usual)
  const changed = quietHours && (hours.from !== quietHours.from || hours.to !== quietHours.to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (focusWrong(event.currentTarget)) return
    void save({ quietHours: hours })
  }
  const field = (key: 'from' | 'to', label: string) => (
    <TimeField
      label={label}
      required
      value={hours[key]}
      onChange={(value) => setHours((now) => ({ ...now, [key]: value }))}
    />
  )
  return (
    <Stack gap={12}>
      <Switch
        label="Quiet hours"
        description={`No pop-ups during these hours; the list still shows everything. In ${profile.timeZone ?? `UTC, until you choose a time zone; this browser is in ${ownZone()}`}.`}
        checked={quietHours !== null}
        onChange={(event) => void save({ quietHours: event.currentTarget.checked ? hours : null })}
      />
      {quietHours && (
        <form onSubmit={submit}>
          <Group gap={12} align="flex-end">
            {field('from', 'From')}
            {field('to', 'To')}
            <ActButton
              type="submit"
              variant="default"
              reason={
                hours.from === hours.to
                  ? 'The end has to differ from the beginning.'
                  : changed
                    ? undefined
                    : NOTHING_CHANGED
              }
            >
              Save hours
            </ActButton>
          </Group>
          {hours.from === hours.to && (
            <Text c="error" fz="xs" mt={4} role="alert">
              The end has to differ from the beginning.
            </Text>
          )}
        </form>
      )}
    </Stack>
  )
}
