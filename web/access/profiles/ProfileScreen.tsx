import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { profilesApi } from './api.ts'
import { calendarDay } from './days.ts'
import { Identity } from './Identity.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { Picture } from './picture/Picture.tsx'
import { useSaved } from './useSaved.ts'

export default numbered('userId', ProfileScreen)

/** A colleague's profile, editable with the permission to edit profiles. */
function ProfileScreen({ id }: { id: number }) {
  const own = useSession().id === id
  const query = useQuery(profilesApi.ofUser.query({ id }))
  const closed = useReason()('employee:profile:update')
  const { saved, stays } = useSaved()
  const profile = query.data
  const details = profile?.personalDetails
  return (
    <Screen
      query={query}
      title={details ? `${details.firstName} ${details.lastName}` : 'Profile'}
      meta={profile && <Identity of={profile} />}
      actions={
        own && (
          <LinkButton to="/profile" variant="default">
            My settings
          </LinkButton>
        )
      }
    >
      {profile && details && (
        <Stack gap={16} maw={820}>
          <Section title="Picture">
            <Picture profile={profile} reason={own ? undefined : closed} />
          </Section>
          <Section title="About">
            {closed && !own ? (
              <Facts
                of={[
                  ['Telephone', details.phone ?? 'not said'],
                  ['Birthday', details.birthDate ? calendarDay(details.birthDate) : 'not said'],
                  ['First day at work', profile.hiredAt ? calendarDay(profile.hiredAt) : 'not said'],
                  ...(profile.lastDay ? [['Last day at work', calendarDay(profile.lastDay)] as [string, string]] : []),
                  ['Time zone', profile.timeZone ?? 'not said'],
                ]}
              />
            ) : (
              <ProfileForm key={saved} profile={profile} stays={stays} />
            )}
          </Section>
        </Stack>
      )}
    </Screen>
  )
}
