import type { Profile } from '@innkeeper/contract/access/profiles'
import { SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { useAct } from '../../../kit/look/useAct.ts'
import { LocaleSettings } from './LocaleSettings.tsx'
import { useSettingsTexts } from './texts.ts'
import { chooseTheme, type Theme } from './theme.ts'
import type { SaveConfig } from './useConfig.ts'

/** Appearance settings of this person, for every browser. */
export function Settings({ profile, save }: { profile: Profile; save: SaveConfig }) {
  const { colorScheme } = useMantineColorScheme()
  const { run } = useAct()
  const words = useSettingsTexts()
  const themes = (['auto', 'light', 'dark'] as const).map((value) => ({ value, label: words[value] }))
  return (
    <Stack gap={14} align="flex-start">
      <LocaleSettings profile={profile} save={save} />
      <div>
        <Text fw={500} mb={4} id="theme">
          {words.theme}
        </Text>
        <SegmentedControl
          aria-labelledby="theme"
          data={themes}
          value={colorScheme}
          onChange={(next) => void run(() => chooseTheme(profile._id, next as Theme))} // Select offers `themes` alone
        />
        <Text c="dimmed" fz="xs" mt={4}>
          {words.everywhere}
        </Text>
      </div>
      <Switch
        label={words.escalations}
        description={words.escalationsHint}
        checked={profile.profileConfig.showReviewedEscalations}
        onChange={(event) => void save({ showReviewedEscalations: event.currentTarget.checked })}
      />
    </Stack>
  )
}
