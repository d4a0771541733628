import type { Profile } from '@innkeeper/contract/access/profiles'
import { Group, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import { nothingChanged } from '../../../kit/form/useCallForm.ts'
import { focusWrong } from '../../../kit/form/useTyped.ts'
import { ownZone } from '../../../kit/form/zones.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { useSettingsTexts } from './texts.ts'
import type { SaveConfig } from './useConfig.ts'

const usual = { from: '22:00', to: '07:00' }

/** Quiet hours, during which notifications only appear in the list. */
export function Quiet({ profile, save }: { profile: Profile; save: SaveConfig }) {
  const { quietHours } = profile.profileConfig
  const words = useSettingsTexts()
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
        label={words.quiet}
        description={words.quietHint(profile.timeZone ?? words.noZone(ownZone()))}
        checked={quietHours !== null}
        onChange={(event) => void save({ quietHours: event.currentTarget.checked ? hours : null })}
      />
      {quietHours && (
        <form onSubmit={submit}>
          <Group gap={12} align="flex-end">
            {field('from', words.from)}
            {field('to', words.to)}
            <ActButton
              type="submit"
              variant="default"
              reason={hours.from === hours.to ? words.differs : changed ? undefined : nothingChanged()}
            >
              {words.saveHours}
            </ActButton>
          </Group>
          {hours.from === hours.to && (
            <Text c="error" fz="xs" mt={4} role="alert">
              {words.differs}
            </Text>
          )}
        </form>
      )}
    </Stack>
  )
}
