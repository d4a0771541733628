import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { notSwitchable } from '../websites/page/switching.ts'
import { stagingsApi } from './api.ts'
import { Merges } from './Merges.tsx'
import { NewStaging } from './NewStaging.tsx'
import { OneStaging } from './OneStaging.tsx'

/** The staging copies of a website, or the copy that this website is, with their merges. */
export default function StagingOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(stagingsApi.ofWebsite.query({ id: website.id }))
  const lacking = useReason()
  const [making, setMaking] = useState(false)
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  const isCopy = website.kind === 'staging'
  return (
    <>
      <Section
        title="Staging"
        hint={data?.total && !isCopy ? counted(data.total, ['copy', 'copies']) : undefined}
        aside={
          !isCopy && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(stagingsApi.create) ?? suspended ?? notSwitchable(website)}
              onClick={() => setMaking(true)}
            >
              Make a copy…
            </ActButton>
          )
        }
        pad={!data?.total}
      >
        {data?.total ? (
          data.items.map((staging) => <OneStaging key={staging.website.id} staging={staging} of={website} />)
        ) : (
          <Text c="dimmed">
            {error?.message ??
              (data ? (
                'None. A copy has files and databases of its own, is not found by search engines, and mails nobody.'
              ) : (
                <Reading />
              ))}
          </Text>
        )}
      </Section>
      {data && data.merges.length > 0 && <Merges merges={data.merges} />}
      {making && <NewStaging website={website} close={() => setMaking(false)} />}
    </>
  )
}
