import type { Trouble } from '@innkeeper/contract/desk/operation'
import { Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lasting } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'

/** Present faults first, then the latest that are over. */
export const Troubles = ({ open, ended }: { open: readonly Trouble[]; ended: readonly Trouble[] }) => (
  <SectionTable
    label="Faults of Innkeeper"
    rows={[...open, ...ended]}
    keyOf={({ id }) => id}
    empty="Innkeeper found nothing wrong with itself."
    columns={[
      {
        title: 'State',
        width: 110,
        cell: ({ endedAt, level }) =>
          endedAt ? (
            <StatusBadge state="done" label="Over" />
          ) : (
            <StatusBadge
              state={level === 'error' ? 'failed' : 'degraded'}
              label={level === 'error' ? 'Fault' : 'Warning'}
            />
          ),
      },
      {
        title: 'What',
        cell: ({ title, detail, link, endedAt }) => (
          <>
            {link && !endedAt ? <LinkTo to={link}>{title}</LinkTo> : title}
            {detail && (
              <Text fz="xs" c="dimmed">
                {detail}
              </Text>
            )}
          </>
        ),
      },
      { title: 'Since', width: 120, cell: ({ since }) => <When at={since} /> },
      {
        title: 'For',
        width: 120,
        cell: ({ since, endedAt }) => lasting((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(since)),
      },
    ]}
  />
)
