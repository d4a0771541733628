import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { profilesApi } from './api.ts'
import { Identity } from './Identity.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { Picture } from './picture/Picture.tsx'
import { NotificationSettings } from './settings/NotificationSettings.tsx'
import { Quiet } from './settings/Quiet.tsx'
import { Settings } from './settings/Settings.tsx'
import { useSettingsTexts } from './settings/texts.ts'
import { useConfig } from './settings/useConfig.ts'
import { useSaved } from './useSaved.ts'

/** The signed-in person's profile and settings; needs no permission. */
export default function OwnProfileScreen() {
  const { id } = useSession()
  const words = useSettingsTexts()
  const query = useQuery(profilesApi.ofUser.query({ id }))
  const save = useConfig(id)
  const lacking = useReason()(profilesApi.list)
  const { saved, stays } = useSaved()
  const profile = query.data
  return (
    <Screen
      query={query}
      meta={profile && <Identity of={profile} />}
      actions={
        !lacking && (
          <LinkButton to="/profiles" variant="default">
            {words.allProfiles}
          </LinkButton>
        )
      }
    >
      {profile && (
        <Stack gap={16} maw={820}>
          <Section title={words.picture}>
            <Picture profile={profile} />
          </Section>
          <Section title={words.aboutYou}>
            <ProfileForm key={saved} profile={profile} stays={stays} />
          </Section>
          <Section title={words.onScreen}>
            <Settings profile={profile} save={save} />
          </Section>
          <Section title={words.myNotifications}>
            <Stack gap={18}>
              <NotificationSettings profile={profile} save={save} />
              <Quiet profile={profile} save={save} />
            </Stack>
          </Section>
        </Stack>
      )}
    </Screen>
  )
}
