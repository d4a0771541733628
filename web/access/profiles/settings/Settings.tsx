import type { Profile } from '@innkeeper/contract/access/profiles'
import { SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { useAct } from '../../../kit/look/useAct.ts'
import { LocaleSettings } from './LocaleSettings.tsx'
import { chooseTheme, type Theme } from './theme.ts'
import type { SaveConfig } from './useConfig.ts'

const themes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Appearance settings of this person, for every browser. */
export function Settings({ profile, save }: { profile: Profile; save: SaveConfig }) {
  const { colorScheme } = useMantineColorScheme()
  const { run } = useAct()
  return (
    <Stack gap={14} align="flex-start">
      <LocaleSettings profile={profile} save={save} />
      <div>
        <Text fw={500} mb={4} id="theme">
          Theme
        </Text>
        <SegmentedControl
          aria-labelledby="theme"
          data={themes}
          value={colorScheme}
          onChange={(next) => void run(() => chooseTheme(profile._id, next as Theme))} // Select offers `themes` alone
        />
        <Text c="dimmed" fz="xs" mt={4}>
          It applies in every browser that you sign in with.
        </Text>
      </div>
      <Switch
        label="Show escalations that were reviewed"
        description="In the lists of escalations; otherwise only open ones are shown"
        checked={profile.profileConfig.showReviewedEscalations}
        onChange={(event) => void save({ showReviewedEscalations: event.currentTarget.checked })}
      />
    </Stack>
  )
}
