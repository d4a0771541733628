import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, counted, moment } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { backUp } from './acts.ts'
import { backupsApi } from './api.ts'
import { kindWords, stateOfRun } from './words.ts'

/** The newest backups of a website. */
export default function BackupsOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(backupsApi.list.query({ websiteId: [String(website.id)], itemsPerPage: 8 }))
  const lacking = useReason()
  const [items, total] = data ?? [[], 0]
  const proven = items.find(({ provenAt }) => provenAt)?.provenAt
  return (
    <Section
      title="Backups"
      hint={
        total
          ? `${counted(total, ['backup', 'backups'])}, ${proven ? `last proven restorable ${moment(proven)}` : 'not proven yet'}`
          : undefined
      }
      pad={!total}
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(backupsApi.create)}
          onClick={() => void backUp(website.id, website.domain)}
        >
          Back up now
        </ActButton>
      }
    >
      {total ? (
        <SectionTable
          label="Backups"
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Begun',
              cell: ({ id, startedAt, createdAt }) => (
                <LinkTo to="/backups/$backupId/details" params={{ backupId: String(id) }}>
                  {moment(startedAt ?? createdAt)}
                </LinkTo>
              ),
            },
            { title: 'Status', width: 120, cell: ({ status }) => <StatusBadge state={stateOfRun(status)} /> },
            { title: 'Contents', cell: ({ kind }) => kindWords[kind] },
            {
              title: 'Size',
              align: 'right',
              width: 100,
              cell: ({ bytes: size }) => (size === null ? '–' : bytes(size)),
            },
          ]}
        />
      ) : (
        <Text c="dimmed">
          {error?.message ?? (data ? 'None yet. A schedule, or the button, makes the first one.' : <Reading />)}
        </Text>
      )}
    </Section>
  )
}
