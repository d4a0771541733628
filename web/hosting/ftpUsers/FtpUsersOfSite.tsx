import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { notSwitchable } from '../websites/page/switching.ts'
import { ftpUsersApi } from './api.ts'
import { folderWords } from './words.ts'

const MOST = 200

/** FTP users of a website. */
export default function FtpUsersOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(ftpUsersApi.list.query({ websiteIds: [String(website.id)], itemsPerPage: MOST }))
  const lacking = useReason()
  const navigate = useNavigate()
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  return (
    <Section
      title="FTP users"
      hint={data?.total ? counted(data.total, ['FTP user', 'FTP users']) : undefined}
      pad={!data?.total}
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(ftpUsersApi.create) ?? suspended ?? notSwitchable(website)}
          onClick={() => void navigate({ to: '/ftp-users/create', search: { website: String(website.id) } })}
        >
          Add FTP user…
        </ActButton>
      }
    >
      {data?.total ? (
        <SectionTable
          label={`FTP users of ${website.domain}`}
          rows={data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'FTP user',
              cell: ({ id, username }) => (
                <LinkTo to="/ftp-users/edit/$ftpUserId" params={{ ftpUserId: String(id) }}>
                  <Mono>{username}</Mono>
                </LinkTo>
              ),
            },
            { title: 'Folder', cell: ({ folder }) => folderWords(folder) },
            { title: 'Status', width: 124, cell: (user) => <StatusBadge state={user.shown} /> },
            {
              title: 'Last login',
              width: 130,
              cell: ({ lastLoginAt }) => (lastLoginAt ? <When at={lastLoginAt} /> : 'never'),
            },
          ]}
        />
      ) : (
        <Text c="dimmed">
          {error?.message ??
            (data ? 'None. An FTP user signs in to one folder of the website, over TLS.' : <Reading />)}
        </Text>
      )}
    </Section>
  )
}
